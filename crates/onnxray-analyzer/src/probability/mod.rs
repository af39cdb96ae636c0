//! Distributions and random numbers, for all who judge by chance.

mod generator;
mod normal;
#[cfg(test)]
pub(crate) mod references;
mod student;

pub(crate) use generator::Generator;
pub(crate) use normal::{NORMAL_975, upper_tail};
pub(crate) use student::{quantile, two_sided_tail};

/// The variance of the mean of independent values, of which there are two or more, in
/// the square of their unit.
pub(crate) fn variance_of_mean(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    squares / (count - 1.0) / count
}

//! Distributions, means, ranks, many tests at once, and random numbers, for all who judge by chance.

mod false_discovery;
mod generator;
mod means;
mod normal;
mod outliers;
mod ranks;
#[cfg(test)]
pub(crate) mod references;
mod student;

pub(crate) use false_discovery::{adjust, adjust_some};
pub(crate) use generator::Generator;
pub(crate) use means::{Student, variance_of_mean};
pub(crate) use normal::{NORMAL_975, upper_tail};
pub(crate) use outliers::{fences, outliers, typical};
pub(crate) use ranks::{Ranks, squared_deviations};
pub(crate) use student::{quantile, two_sided_tail};

//! A cost as a mean over processes.

use crate::probability::Student;
use crate::statistics::Interval;

const CONFIDENCE: f64 = 0.95;

/// A mean over processes.
#[derive(Clone, Debug, PartialEq)]
pub struct CostFigure {
    /// Of each process.
    pub values: Vec<f64>,
    /// Their mean.
    pub mean: f64,
    /// Of the mean; `None` of a single process.
    pub interval: Option<Interval>,
}

impl CostFigure {
    /// `None` unless all values are known: a mean over fewer would be about other processes.
    pub(super) fn of(values: impl Iterator<Item = Option<f64>>) -> Option<CostFigure> {
        let values: Vec<f64> = values.collect::<Option<_>>()?;
        if values.is_empty() {
            return None;
        }
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let interval = Student::of(&values, CONFIDENCE, 1.0).map(|found| Interval {
            // Times, bytes and cores are not below 0, however far a few processes spread.
            low: (found.mean - found.half_width).max(0.0),
            high: found.mean + found.half_width,
        });
        Some(CostFigure { values, mean, interval })
    }
}

//! Sums of costs that may be unknown in part.

use serde::{Deserialize, Serialize};

/// A sum, and how many terms are missing from it because they are unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PartialSum {
    /// In the unit of the terms: operations, or bytes.
    pub known: f64,
    /// Number of unknown terms.
    pub unknown: u64,
}

impl PartialSum {
    /// Adds a term, or counts it as missing.
    pub fn add(&mut self, term: Option<f64>) {
        match term {
            Some(term) => self.known += term,
            None => self.unknown += 1,
        }
    }

    /// The sum, if no term is missing.
    pub fn whole(&self) -> Option<f64> {
        (self.unknown == 0).then_some(self.known)
    }
}

impl FromIterator<Option<f64>> for PartialSum {
    fn from_iter<I: IntoIterator<Item = Option<f64>>>(terms: I) -> PartialSum {
        let mut sum = PartialSum::default();
        terms.into_iter().for_each(|term| sum.add(term));
        sum
    }
}

/// The cost of all executions in an iteration. What costs nothing costs nothing
/// however often it runs, and so does what never runs.
pub fn per_iteration(cost: Option<u64>, executions: Option<f64>) -> Option<f64> {
    match (cost, executions) {
        (Some(0), _) | (_, Some(0.0)) => Some(0.0),
        (Some(cost), Some(executions)) => Some(cost as f64 * executions),
        _ => None,
    }
}

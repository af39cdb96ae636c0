//! Tests of many comparisons that are judged together.

use crate::probability::adjust_some;
use crate::statistics::Interval;
use crate::units::Milliseconds;

/// Which way two versions differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The version takes less time than its baseline, or costs less.
    Faster,
    /// It takes more.
    Slower,
}

/// A difference that its own comparison tells apart from noise.
#[derive(Clone, Debug, PartialEq)]
pub struct Differing {
    /// The place of its comparison among all, from 0 on.
    pub comparison: usize,
    /// Name of the layer or pattern of layers, or key of the figure.
    pub name: String,
    /// Layers of a pattern; otherwise 1.
    pub layers: u64,
    /// Its operator types by side; empty where they are not known.
    pub types: [String; 2],
    /// Typical times by side.
    pub times: [Option<Milliseconds>; 2],
    /// Version / baseline.
    pub ratio: Option<f64>,
    /// Its interval of 95 %.
    pub ratio_interval: Option<Interval>,
    /// Version less baseline.
    pub difference: Option<Milliseconds>,
    /// Its interval, in milliseconds.
    pub difference_interval: Option<Interval>,
    /// Before any adjustment.
    pub p: f64,
    /// Which way it differs.
    pub way: Way,
}

/// A difference that holds among all.
#[derive(Clone, Debug, PartialEq)]
pub struct Discovery<'a> {
    /// As its own comparison states it.
    pub differing: &'a Differing,
    /// The p, adjusted for the tests of all comparisons.
    pub p_adjusted: f64,
}

/// A test of a comparison, reduced to what a family needs.
pub(super) struct Test {
    pub(super) weight: f64,
    /// `None` if its own comparison calls it neither faster nor slower.
    pub(super) differing: Option<Differing>,
}

/// The tests of all comparisons that are judged together.
#[derive(Debug, Default)]
pub struct Family {
    /// Number of tests.
    pub tested: u64,
    /// Number of rows without a test.
    pub not_tested: u64,
    /// Comparisons that have a test.
    comparisons: u64,
    differing: Vec<Differing>,
    /// Weights of `differing`. All weights of a comparison, those of tests that do not differ
    /// included, add up to 1.
    weights: Vec<f64>,
}

impl Family {
    /// Adds the tests of a comparison, those that find nothing included, and the number of rows
    /// without a test.
    pub(super) fn add(&mut self, tests: Vec<Test>, not_tested: u64) {
        self.not_tested += not_tested;
        let count = tests.len();
        if count == 0 {
            return;
        }
        self.tested += count as u64;
        self.comparisons += 1;
        let all: f64 = tests.iter().map(|test| test.weight.max(0.0)).sum();
        for Test { weight, differing } in tests {
            let Some(differing) = differing else { continue };
            // Weights of a comparison add up to 1, so that no model outweighs another; without
            // shares, its layers weigh the same (docs/statistics.md#many-comparisons).
            let share = if all > 0.0 { weight.max(0.0) / all } else { 1.0 / count as f64 };
            self.differing.push(differing);
            self.weights.push(share);
        }
    }

    /// Number of tests that differ by their own comparisons.
    pub fn differing(&self) -> u64 {
        self.differing.len() as u64
    }

    /// Differences that hold among all tests: at most `alpha` of them are expected to be false.
    /// Comparisons are in their order, each with its largest difference first.
    pub fn discoveries(&self, alpha: f64) -> Vec<Discovery<'_>> {
        let p: Vec<f64> = self.differing.iter().map(|differing| differing.p).collect();
        // The mean weight of all tests, without holding those that do not differ: each comparison's
        // add up to 1.
        let mean = self.comparisons as f64 / self.tested as f64;
        let adjusted = adjust_some(&p, Some(&self.weights), self.tested as usize, mean);
        let all = self.differing.iter().zip(adjusted);
        let all = all.map(|(differing, p_adjusted)| Discovery { differing, p_adjusted });
        let mut found: Vec<Discovery> = all.filter(|found| found.p_adjusted <= alpha).collect();
        found.sort_by(|one, other| {
            let [size, of_other] =
                [one, other].map(|found| found.differing.difference.map_or(0.0, |d| d.0.abs()));
            let by_comparison = one.differing.comparison.cmp(&other.differing.comparison);
            by_comparison.then(of_other.total_cmp(&size))
        });
        found
    }
}

//! Rank correlation of FLOPs and measured times.

use crate::probability::{Ranks, squared_deviations};
use crate::statistics::OperatorSummary;

/// Rank correlation of FLOPs and time over operators.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlopsCorrelation {
    /// Spearman's rank correlation of FLOPs and mean time per iteration, from -1 to 1; equal
    /// values share the mean of their ranks.
    pub correlation: f64,
    /// Operators of which both are known.
    pub operators: usize,
}

/// Fewer operators always seem to be correlated.
const FEWEST: usize = 3;

impl FlopsCorrelation {
    /// `None` with too few operators, or if all have as many FLOPs, or take the same time.
    pub(in crate::statistics) fn of(operators: &[OperatorSummary]) -> Option<FlopsCorrelation> {
        let known = operators.iter().filter_map(|operator| {
            let time = operator.mean.filter(|_| operator.ran())?;
            Some((operator.flops?, time.0))
        });
        let (flops, times): (Vec<f64>, Vec<f64>) = known.unzip();
        let correlation = (flops.len() >= FEWEST).then(|| spearman(&flops, &times)).flatten()?;
        Some(FlopsCorrelation { correlation, operators: flops.len() })
    }
}

/// Pearson's correlation of ranks. Those are doubled and whole, so that sums are exact.
fn spearman(one: &[f64], other: &[f64]) -> Option<f64> {
    let ranks = [one, other].map(|values| Ranks::of(values).doubled);
    // Ranks are doubled: their mean is n + 1.
    let mean = (one.len() + 1) as f64;
    let products = ranks[0].iter().zip(&ranks[1]);
    let covariance: f64 = products.map(|(&a, &b)| (a as f64 - mean) * (b as f64 - mean)).sum();
    let [a, b] = ranks.each_ref().map(|ranks| squared_deviations(ranks));
    (a > 0.0 && b > 0.0).then(|| covariance / (a * b).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `numpy.corrcoef` of mid-ranks.
    #[test]
    fn the_correlation_is_that_of_ranks() {
        let flops = [0.0, 0.0, 10.0, 20.0, 20.0, 300.0, 5.0];
        let times = [0.1, 0.3, 0.2, 0.9, 0.4, 2.0, 0.15];
        let found = spearman(&flops, &times).unwrap();
        assert!((found - 0.836_501_912_571_304_2).abs() < 1e-12, "{found}");
        assert_eq!(spearman(&[1.0, 2.0, 3.0], &[5.0, 7.0, 11.0]), Some(1.0));
        assert_eq!(spearman(&[1.0, 2.0, 3.0], &[5.0, 5.0, 5.0]), None);
    }
}

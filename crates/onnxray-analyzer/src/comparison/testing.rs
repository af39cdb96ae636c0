//! What the cells of two sides say about each other.

use super::evidence::{
    IntervalMethod, RatioEstimate, Resamples, Sample, UTest, estimate, inflation, launch_values,
    paired_test, smallest_p,
};
use super::pairing::Basis;
use crate::probability::{quantile, two_sided_tail};

/// With fewer pairs, no flip of signs is rarer than 1 in 20.
const FEWEST_PAIRS: usize = 6;
/// Tests of pairs, and the better p counts: what two tests may find by chance.
const TESTS_OF_PAIRS: f64 = 2.0;
/// Of all intervals.
pub(crate) const CONFIDENCE: f64 = 0.95;

/// Tests one group after the other, with room that is used again.
#[derive(Default)]
pub(crate) struct Tester {
    replicates: [Vec<f64>; 2],
    test: UTest,
}

/// The estimate, in the unit of the values, and p before any adjustment.
pub(crate) type Tested = (Option<RatioEstimate>, Option<f64>);

/// Resamples of both sides, to be used for all groups.
pub(crate) fn resample(
    basis: Basis,
    blocks: [&[usize]; 2],
    count: usize,
    seed: u64,
) -> [Resamples; 2] {
    let [a, b] = blocks;
    if let Basis::Pairs(_) = basis {
        return Resamples::paired(a, b, count, seed).into();
    }
    let seed = seed.wrapping_mul(2);
    [Resamples::new(a, count, seed), Resamples::new(b, count, seed.wrapping_add(1))]
}

/// The least p that a test of so many launches on each side can reach.
pub(crate) fn smallest(basis: Basis, launches: usize) -> f64 {
    let tests = match basis {
        // Student's test has no such bound.
        Basis::IterationPairs { .. } | Basis::PairBlocks { .. } => return 0.0,
        Basis::Pairs(_) if launches >= FEWEST_PAIRS => TESTS_OF_PAIRS,
        _ => 1.0,
    };
    (tests * smallest_p(launches, launches)).min(1.0)
}

/// The p that Student's test of so many launches would reach, if the estimate and the
/// spread of the `units` that there are stay what they are.
pub(crate) fn expected_p(estimate: &RatioEstimate, units: usize, launches: usize) -> f64 {
    let RatioEstimate { ratio: Some(ratio), ratio_low: Some(low), ratio_high: Some(high), .. } =
        *estimate
    else {
        return 1.0;
    };
    let deviation = (high / low).ln() / 2.0 / quantile(CONFIDENCE, units as f64 - 1.0);
    let more = (launches as f64 / units as f64).sqrt();
    two_sided_tail(ratio.ln().abs() / deviation * more, launches as f64 - 1.0)
}

/// Degrees of freedom of the interval over so many units on each side.
pub(crate) fn degrees(basis: Basis, units: usize) -> f64 {
    match basis {
        Basis::Launches([a, b]) | Basis::Blocks([a, b]) => (a + b) as f64 - 2.0,
        _ => units as f64 - 1.0,
    }
}

impl Tester {
    /// `values` are those of the cells, of which each unit has as many as `blocks`
    /// says.
    pub(crate) fn test(
        &mut self,
        basis: Basis,
        blocks: [&[usize]; 2],
        values: [&[f64]; 2],
        resamples: &[Resamples; 2],
    ) -> Tested {
        let [replicates_a, replicates_b] = &mut self.replicates;
        resamples[0].locations(values[0], replicates_a);
        resamples[1].locations(values[1], replicates_b);
        let paired = matches!(basis, Basis::Pairs(_));
        let widen = match basis {
            Basis::Blocks(_) => inflation(values[0]).max(inflation(values[1])),
            _ => 1.0,
        };
        let method = IntervalMethod { confidence: CONFIDENCE, paired, widen };
        let estimate = estimate(
            Sample { values: values[0], blocks: blocks[0], replicates: replicates_a },
            Sample { values: values[1], blocks: blocks[1], replicates: replicates_b },
            method,
        );
        let [a, b] = [0, 1].map(|side| launch_values(values[side], blocks[side]));
        let p = self.test.p(&a, &b);
        let p = match paired && a.len() >= FEWEST_PAIRS {
            // Without drift, launches as if unpaired tell more than pairs do.
            true => {
                let pairs = paired_test(&a.iter().zip(&b).map(|(a, b)| b - a).collect::<Vec<_>>());
                p.zip(pairs).map(|(p, pairs)| (TESTS_OF_PAIRS * p.min(pairs)).min(1.0))
            }
            false => p,
        };
        (estimate, p)
    }
}

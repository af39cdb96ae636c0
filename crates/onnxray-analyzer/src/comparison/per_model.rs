//! Several models, each with a baseline of its own: what a change does to all of them.

use super::Comparison;
use crate::statistics::Interval;

/// The geometric mean of the ratios of several models. Every model counts alike, however
/// long it takes, and twice as slow makes up for twice as fast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeometricMean {
    /// B / A: below 1 is faster.
    pub ratio: f64,
    /// For these models; `None` if one of them has no interval.
    pub interval: Option<Interval>,
    /// Number of models with a ratio.
    pub models: usize,
    /// Models whose ratio is not known.
    pub left_out: usize,
}

/// `None` if fewer than two models have a ratio.
///
/// Models were measured apart, so that the errors of their logarithms are independent: the
/// ends of the mean's interval are as far away as the root of the sum of squares of the
/// models' distances, by the number of models.
pub fn geometric_mean<'a>(
    comparisons: impl IntoIterator<Item = &'a Comparison>,
) -> Option<GeometricMean> {
    let changes: Vec<_> = comparisons.into_iter().map(|c| &c.decisive().change).collect();
    let known = changes.iter().filter_map(|change| {
        let ratio = change.ratio.filter(|ratio| *ratio > 0.0)?;
        Some((ratio, change.ratio_interval))
    });
    of_ratios(&known.collect::<Vec<_>>(), changes.len())
}

fn of_ratios(known: &[(f64, Option<Interval>)], all: usize) -> Option<GeometricMean> {
    let models = known.len();
    if models < 2 {
        return None;
    }
    let count = models as f64;
    let logarithm = known.iter().map(|(ratio, _)| ratio.ln()).sum::<f64>() / count;
    let mut squares = Some([0.0, 0.0]);
    for &(ratio, interval) in known {
        // The logarithm of an end at 0 is infinite: such an interval is as good as none.
        let ends = interval.filter(|interval| interval.low > 0.0);
        squares = squares.zip(ends).map(|([below, above], ends)| {
            let [low, high] = [(ratio / ends.low).ln(), (ends.high / ratio).ln()];
            [below + low * low, above + high * high]
        });
    }
    let interval = squares.map(|[below, above]| Interval {
        low: (logarithm - below.sqrt() / count).exp(),
        high: (logarithm + above.sqrt() / count).exp(),
    });
    Some(GeometricMean { ratio: logarithm.exp(), interval, models, left_out: all - models })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(ratio: f64, spread: f64) -> (f64, Option<Interval>) {
        (ratio, Some(Interval { low: ratio / spread, high: ratio * spread }))
    }

    #[test]
    fn twice_as_slow_makes_up_for_twice_as_fast() {
        let mean = of_ratios(&[model(2.0, 1.1), model(0.5, 1.1)], 3).unwrap();
        assert!((mean.ratio - 1.0).abs() < 1e-12);
        assert_eq!((mean.models, mean.left_out), (2, 1));
    }

    #[test]
    fn equal_models_know_their_mean_better_by_the_root_of_their_number() {
        let mean = of_ratios(&[model(1.2, 1.1); 4], 4).unwrap();
        let interval = mean.interval.unwrap();
        let reach = 1.1_f64.sqrt();
        assert!((mean.ratio - 1.2).abs() < 1e-12);
        assert!((interval.low - 1.2 / reach).abs() < 1e-12, "{interval:?}");
        assert!((interval.high - 1.2 * reach).abs() < 1e-12, "{interval:?}");
    }

    #[test]
    fn one_model_has_no_mean_and_one_without_an_interval_leaves_none() {
        assert_eq!(of_ratios(&[model(1.2, 1.1)], 1), None);
        let mean = of_ratios(&[model(1.2, 1.1), (0.9, None)], 2).unwrap();
        assert_eq!(mean.interval, None);
    }
}

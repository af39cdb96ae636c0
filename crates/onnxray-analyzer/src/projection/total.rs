//! What operators add up to: the whole model, before and after.

use super::estimate::Estimate;
use super::operator::ProjectedOperator;
use serde::Serialize;

/// The model before and after, per iteration, or over the whole trace if it does
/// not tell of iterations. Times in milliseconds.
///
/// Only what the operators spend changes. The overhead stays as it is, and
/// operators that ran side by side are taken to do so to the same degree: after
/// as before, and at the ends as at the value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Totals {
    /// Sum of the dense latencies that are known.
    pub operators: Estimate,
    /// The same operators at their targets, or at the levels of a plan or a sweep.
    pub projected_operators: Estimate,
    /// What operators spend beyond the time that they cover; 0 if none ran side
    /// by side.
    pub concurrent: Estimate,
    /// The same part of the operators' time after as before.
    pub projected_concurrent: Estimate,
    /// Part of the operators' time that is not concurrent, from 0 to 1.
    pub covered: f64,
    /// `None` if it is unknown, and then the totals are without it.
    pub overhead: Option<Estimate>,
    /// Operators minus concurrent plus overhead.
    pub total: Estimate,
    /// The same after, with the same overhead.
    pub projected_total: Estimate,
    /// Time of the operators with sparse support, dense.
    pub support: Estimate,
    /// Time of the same operators after.
    pub projected_support: Estimate,
    /// `support` by `total`, which may be above 1 where operators ran side by side;
    /// `None` if the total is 0.
    pub support_ratio: Option<Estimate>,
    /// The same after; `None` if the projected total is 0.
    pub projected_support_ratio: Option<Estimate>,
    /// Total by projected total; `None` if the latter is 0.
    pub speedup: Option<Estimate>,
    /// Batch size by the seconds of `total`; `None` if one of them is unknown or 0.
    pub items_per_second: Option<Estimate>,
    /// Batch size by the seconds of `projected_total`; `None` likewise.
    pub projected_items_per_second: Option<Estimate>,
    /// Operators with sparse support, after: low and high latencies at the lower
    /// ratios, low and high latencies at the higher ones.
    pub corners: [f64; 4],
}

/// How much is known beside the operators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Outside {
    /// Milliseconds.
    pub concurrent: f64,
    /// Milliseconds that no operator covers; `None` if unknown, or without iterations.
    pub overhead: Option<Estimate>,
    /// Items of one iteration; `None` if unknown, or without iterations.
    pub batch_size: Option<u64>,
}

/// Adds up operators of which `supported` tells whether they have sparse support.
pub(crate) fn totals<'a>(
    operators: impl Iterator<Item = (&'a ProjectedOperator, bool)>,
    outside: Outside,
) -> Totals {
    let zero = Estimate::default();
    let (mut all, mut projected) = (zero, zero);
    let (mut support, mut projected_support) = (zero, zero);
    let mut corners = [0.0; 4];
    for (operator, supported) in operators {
        let (Some(dense), Some(sparse)) = (operator.dense, operator.projected) else { continue };
        (all, projected) = (all + dense, projected + sparse);
        if supported {
            (support, projected_support) = (support + dense, projected_support + sparse);
            let (low, high) = (operator.ratio.low, operator.ratio.high);
            let more = [dense.low / low, dense.high / low, dense.low / high, dense.high / high];
            corners.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
    }
    // As much of the operators' time is side by side everywhere.
    let degree = match all.value > 0.0 {
        true => outside.concurrent / all.value,
        false => 0.0,
    };
    let concurrent = Estimate { value: outside.concurrent, ..all.times(degree) };
    let projected_concurrent = projected.times(degree);
    let covered = 1.0 - degree;
    let overhead = outside.overhead.unwrap_or_default();
    let total = all - concurrent + overhead;
    let projected_total = projected - projected_concurrent + overhead;
    let rate = |total: Estimate| {
        let batch_size = outside.batch_size.filter(|_| total.value > 0.0)?;
        Some(Estimate::exact(batch_size as f64 * 1000.0).by(total).with_finite_ends())
    };
    Totals {
        operators: all,
        projected_operators: projected,
        concurrent,
        projected_concurrent,
        covered,
        overhead: outside.overhead,
        total,
        projected_total,
        support,
        projected_support,
        support_ratio: share(support, covered, total),
        projected_support_ratio: share(projected_support, covered, projected_total),
        speedup: speedup(
            [total, total - support.times(covered)],
            [projected_total, projected_total - projected_support.times(covered)],
            support.times(covered),
            corners.map(|support| support * covered),
        ),
        items_per_second: rate(total),
        projected_items_per_second: rate(projected_total),
        corners,
    }
}

/// Time of operators by the whole, of which they cover a part of it. The rest of
/// the whole is off independently: the lowest share has the operators low and the
/// rest high. `None` if the whole is nothing.
fn share(operators: Estimate, covered: f64, whole: Estimate) -> Option<Estimate> {
    let rest = whole - operators.times(covered);
    let share = |operators: f64, rest: f64| operators / (operators * covered + rest);
    let value = operators.value / whole.value;
    let (low, high) = (share(operators.low, rest.high), share(operators.high, rest.low));
    (whole.value > 0.0).then(|| Estimate { value, low, high }.with_finite_ends())
}

/// Total by projected total. `before` and `after` have the total, and what is not
/// covered by operators with sparse support.
///
/// The same latency stands above and below, so the ends of the two totals are
/// not ends of their ratio. They are the least and most of the value and four
/// cases: operators with sparse support low or high, all else low or high; with
/// the lower perf ratios for the low end, and the higher ones for the high end. `corners` has
/// the projected time of the operators with sparse support: low and high at the
/// lower ratios, low and high at the higher ones.
fn speedup(
    [total, before]: [Estimate; 2],
    [projected_total, after]: [Estimate; 2],
    support: Estimate,
    corners: [f64; 4],
) -> Option<Estimate> {
    let cases = |low: f64, high: f64| {
        [
            (support.low + before.low) / (low + after.low),
            (support.low + before.high) / (low + after.high),
            (support.high + before.low) / (high + after.low),
            (support.high + before.high) / (high + after.high),
        ]
    };
    let end = |cases: [f64; 4], pick: fn(f64, f64) -> f64| {
        // What is no number spoils the end, rather than being passed over.
        cases
            .into_iter()
            .reduce(|a, b| if a.is_nan() || b.is_nan() { f64::NAN } else { pick(a, b) })
    };
    let low = end(cases(corners[0], corners[1]), f64::min)?;
    let high = end(cases(corners[2], corners[3]), f64::max)?;
    let value = total.value / projected_total.value;
    // Where the operators' ends are not equally far, all low or all high is another
    // mixture of them than the value's.
    let ends = Estimate { value, low: low.min(value), high: high.max(value) };
    (projected_total.value > 0.0).then(|| ends.with_finite_ends())
}

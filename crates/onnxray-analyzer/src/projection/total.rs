//! Totals over operators: the whole model, before and after.

use super::estimate::Estimate;
use super::operator::{Outcome, ProjectedOperator};
use serde::Serialize;

/// The model before and after, per iteration, or over the whole trace if it
/// marks no iterations. Times in milliseconds.
///
/// Only what the operators spend changes. The overhead stays as it is, and
/// operators that ran side by side are taken to do so to the same degree: after
/// as before, and at the ends as at the value.
///
/// Figures are `None` where no operator's latency is known, and those of sparse
/// operators where nobody knows of any operator whether it has a weight. Where that
/// is known of some, the others keep their latency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Totals {
    /// Sum of the operators, before.
    pub operators: Option<Estimate>,
    /// Sum of the operators, after.
    pub projected_operators: Option<Estimate>,
    /// Time of operators that ran side by side, beyond the time that they cover together.
    pub concurrent: Option<Estimate>,
    /// `concurrent` with the operators at their targets.
    pub projected_concurrent: Option<Estimate>,
    /// Part of the operators' time that is not concurrent, from 0 to 1.
    pub covered: f64,
    /// `None` if it is unknown, and then the totals are without it.
    pub overhead: Option<Estimate>,
    /// Operators minus concurrent plus overhead.
    pub total: Option<Estimate>,
    /// `total` with the operators at their targets.
    pub projected_total: Option<Estimate>,
    /// Operators with sparse support, before and after.
    pub support: Option<Estimate>,
    /// `support` with the operators at their targets.
    pub projected_support: Option<Estimate>,
    /// Share of the total, before; `None` if the total is 0.
    pub support_ratio: Option<Estimate>,
    /// Share of the projected total; `None` if that is 0.
    pub projected_support_ratio: Option<Estimate>,
    /// Total by projected total.
    pub speedup: Option<Estimate>,
    /// Batch size by total; `None` without iterations or batch size.
    pub items_per_second: Option<Estimate>,
    /// Batch size by projected total.
    pub projected_items_per_second: Option<Estimate>,
    /// Operators with sparse support, after: low and high latencies at the lower
    /// ratios, low and high latencies at the higher ones.
    pub corners: [f64; 4],
    /// The same of all other operators.
    pub other_corners: [f64; 4],
}

/// Known latencies beside the operators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Outside {
    /// Milliseconds.
    pub concurrent: f64,
    /// Milliseconds; `None` if unknown.
    pub overhead: Option<Estimate>,
    /// Items of one iteration; `None` if unknown, or without iterations.
    pub batch_size: Option<u64>,
}

/// Adds up operators of which `supported` tells whether they have sparse support.
pub(super) fn totals<'a>(
    operators: impl Iterator<Item = (&'a ProjectedOperator, bool)>,
    outside: Outside,
) -> Totals {
    let zero = Estimate::default();
    let (mut all, mut projected) = (zero, zero);
    let (mut support, mut projected_support) = (zero, zero);
    let (mut corners, mut other_corners) = ([0.0; 4], [0.0; 4]);
    let (mut timed, mut weights) = (false, Weights::default());
    for (operator, supported) in operators {
        weights.add(operator.outcome);
        // Unknown times are in no sum, but these weights still count as known or unknown.
        let Some(dense) = operator.dense else { continue };
        timed = true;
        // An operator with an unknown weight keeps its latency.
        let sparse = operator.projected.unwrap_or(dense);
        (all, projected) = (all + dense, projected + sparse);
        let is_support = supported && operator.ratio.is_some();
        if is_support {
            (support, projected_support) = (support + dense, projected_support + sparse);
        }
        let ratio = operator.ratio.unwrap_or(Estimate::exact(1.0));
        let (low, high) = (ratio.low, ratio.high);
        // The order that `corners` states.
        let more = [dense.low / low, dense.high / low, dense.low / high, dense.high / high];
        let corners = if is_support { &mut corners } else { &mut other_corners };
        corners.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
    }
    // The same share of operators' time is concurrent at the value, at the ends and after.
    let degree = match all.value > 0.0 {
        true => outside.concurrent / all.value,
        false => 0.0,
    };
    // The value as measured; only the ends scale with the operators.
    let concurrent = Estimate { value: outside.concurrent, ..all.times(degree) };
    let projected_concurrent = projected.times(degree);
    let covered = 1.0 - degree;
    let overhead = outside.overhead.unwrap_or_default();
    let total = all - concurrent + overhead;
    let projected_total = projected - projected_concurrent + overhead;
    let rate = |total: Estimate| {
        let batch_size = outside.batch_size.filter(|_| total.value > 0.0)?;
        Some(Estimate::exact(batch_size as f64 * 1000.0).by(total))
    };
    let before = |figure: Estimate| timed.then_some(figure);
    let sparse = timed && weights.are_known();
    let after = |figure: Estimate| sparse.then_some(figure);
    // What stays beside the operators is off by the same end in both.
    let [low, high] = [overhead.low, overhead.high];
    let beside = [low, high, low, high];
    let mut others = other_corners.map(|others| others * covered);
    others.iter_mut().zip(beside).for_each(|(sum, more)| *sum += more);
    let speedup = speedup(
        [total, total - support.times(covered)],
        projected_total,
        support.times(covered),
        corners.map(|support| support * covered),
        others,
    );
    Totals {
        operators: before(all),
        projected_operators: after(projected),
        concurrent: before(concurrent),
        projected_concurrent: after(projected_concurrent),
        covered,
        overhead: outside.overhead,
        total: before(total),
        projected_total: after(projected_total),
        support: after(support),
        projected_support: after(projected_support),
        support_ratio: share(support, covered, total).filter(|_| sparse),
        projected_support_ratio: share(projected_support, covered, projected_total)
            .filter(|_| sparse),
        speedup: speedup.filter(|_| sparse),
        items_per_second: rate(total).filter(|_| timed),
        projected_items_per_second: rate(projected_total).filter(|_| sparse),
        corners,
        other_corners,
    }
}

/// Known and unknown weights of the operators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weights {
    /// Operators that have one.
    pub known: u64,
    /// Operators that may have one.
    pub unknown: u64,
}

impl Weights {
    /// Counts one more operator.
    pub fn add(&mut self, outcome: Outcome) {
        match outcome.has_weight() {
            Some(true) => self.known += 1,
            Some(false) => {}
            None => self.unknown += 1,
        }
    }

    /// True if some weight is known, or none can exist: then sparse weights can be projected.
    pub fn are_known(self) -> bool {
        self.known > 0 || self.unknown == 0
    }
}

/// Time of operators by the whole, of which they cover a part of it. The rest of
/// the whole is off independently: the lowest share has the operators low and the
/// rest high. `None` if the whole is nothing.
fn share(operators: Estimate, covered: f64, whole: Estimate) -> Option<Estimate> {
    let rest = whole - operators.times(covered);
    let share = |operators: f64, rest: f64| operators / (operators * covered + rest);
    let value = operators.value / whole.value;
    // Where both ends are 0, the operators or the rest take no time, and the share does not vary.
    let end = |end: f64| if end.is_nan() { value } else { end };
    let (low, high) = (share(operators.low, rest.high), share(operators.high, rest.low));
    (whole.value > 0.0).then(|| Estimate { value, low: end(low), high: end(high) })
}

/// Total by projected total. `before` is what is not covered by operators with sparse support.
///
/// The same latency is in numerator and denominator, so the ends of the two totals are
/// not ends of their ratio. They are the least and most of the value and four
/// cases: operators with sparse support low or high, all else low or high; with
/// the lower perf ratios for the low end, and the higher ones for the high end. `corners` has
/// the projected time of the operators with sparse support: low and high at the
/// lower ratios, low and high at the higher ones; `others` that of all else.
fn speedup(
    [total, before]: [Estimate; 2],
    projected_total: Estimate,
    support: Estimate,
    corners: [f64; 4],
    others: [f64; 4],
) -> Option<Estimate> {
    let cases = |at: usize| {
        let [low, high] = [corners[at], corners[at + 1]];
        let [others_low, others_high] = [others[at], others[at + 1]];
        [
            (support.low + before.low) / (low + others_low),
            (support.low + before.high) / (low + others_high),
            (support.high + before.low) / (high + others_low),
            (support.high + before.high) / (high + others_high),
        ]
    };
    let value = total.value / projected_total.value;
    // `f64::min` passes over NaN, which is right: where all low ends are 0, the ratio of nothing to
    // nothing is between those of the cases in which one of both is 0. Ends of operators differ in
    // distance: all low or all high mixes them in other shares than the value, which may then be
    // outside.
    let low = cases(0).into_iter().fold(value, f64::min);
    let high = cases(2).into_iter().fold(value, f64::max);
    (projected_total.value > 0.0).then_some(Estimate { value, low, high })
}

//! A group whose times are located and tested, before p is adjusted over a family of groups.

use crate::comparison::Timing;
use crate::comparison::evidence::Band;
use crate::comparison::evidence::t_test::Tested;
use crate::comparison::units::pairing::Basis;
use crate::probability::adjust;
use crate::statistics::Interval;
use crate::units::Milliseconds;

/// A group before p is adjusted over all groups.
#[derive(Clone)]
pub(super) struct Draft {
    pub(super) sides: [Timing; 2],
    /// `None` with fewer than two units on a side.
    pub(super) tested: Option<Tested>,
    /// Units of the test: launches where the group has too few pairs of iterations.
    pub(super) basis: Basis,
    pub(super) band: Band,
    /// Difference that profiling alone may cause, in nanoseconds.
    pub(super) profiling: f64,
    /// Factor by which the machine may have slowed the second side down.
    pub(super) shift: Interval,
    /// It is the whole, not a layer.
    pub(super) is_whole: bool,
}

impl Draft {
    /// Takes the test away where what is not told from nothing may take as much as the other side.
    pub(super) fn doubt_bounded(&mut self) {
        let [a, b] = &self.sides;
        let may_reach = |own: &Timing, other: &Timing| {
            own.below.is_some_and(|most| other.typical.is_none_or(|time| time.0 <= most.0))
        };
        if may_reach(a, b) || may_reach(b, a) {
            self.tested = None;
        }
    }

    /// Marks sides that take no more than the clock's steps or than `cost` nanoseconds, and takes the
    /// test away where both do: no difference of the two tells anything.
    pub(super) fn mark_below(&mut self, cost: f64) {
        let least = Milliseconds::from_nanoseconds(cost.max(self.band.ticks));
        for side in &mut self.sides {
            let below = side.typical.filter(|time| time.0 <= least.0).map(|_| least);
            side.below = side.below.or(below);
        }
        if self.sides.iter().all(|side| side.typical.is_none() || side.below.is_some()) {
            self.tested = None;
        }
    }

    pub(super) fn p(&self) -> Option<f64> {
        self.tested.map(|tested| tested.student.p)
    }

    fn weight(&self) -> f64 {
        let shares = self.sides.each_ref().map(|side| side.share.map_or(0.0, |share| share.0));
        (shares[0] + shares[1]) / 2.0
    }
}

/// For each of a family: its p, adjusted for all, and the p that it must reach alone. `None`
/// without a test.
pub(super) fn adjusted(family: &[Draft], alpha: f64) -> Vec<Option<(f64, f64)>> {
    // Groups on which more time depends may raise an alarm more easily.
    let tested: Vec<usize> = (0..family.len()).filter(|&at| family[at].tested.is_some()).collect();
    let p: Vec<f64> = tested.iter().filter_map(|&at| family[at].p()).collect();
    let weights: Vec<f64> = tested.iter().map(|&at| family[at].weight()).collect();
    let all: f64 = weights.iter().sum();
    let adjusted = adjust(&p, (all > 0.0).then_some(&weights[..]));
    let mut of_group = vec![None; family.len()];
    for ((&at, adjusted), weight) in tested.iter().zip(adjusted).zip(weights) {
        // The p that the group must reach alone: its share of alpha
        // (docs/statistics.md#minimum-detectable-effect).
        let share = if all > 0.0 { weight / all } else { 1.0 / tested.len() as f64 };
        of_group[at] = Some((adjusted, share * alpha));
    }
    of_group
}

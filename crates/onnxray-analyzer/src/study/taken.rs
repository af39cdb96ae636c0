//! What is known of each change, once a mix is found.

use super::descent::FIRST_LAUNCHES;
use super::effect::Effect;
use super::evidence::Evidence;
use super::plan::Study;
use super::sets::Set;
use super::tried::Tried;

/// Why a change is part of the best mix, or not.
#[derive(Clone, Debug, PartialEq)]
pub enum Taken {
    /// It is: without it the mix is slower, or would be.
    Gains,
    /// It is, because another change that is needs it.
    Needed,
    /// It is, though taking it or not makes no difference that matters.
    Kept,
    /// It is not: with it the mix is slower.
    Costs,
    /// It is not, since it makes no difference that matters.
    NoGain,
    /// It is not: with it the outputs are farther from the base's than they may be.
    Loses,
    /// It is not: what it needs costs more than it gains, or loses more than it may.
    NeedsTooMuch,
    /// It is not: the mix with it failed.
    Failed(String),
    /// Nothing was measured that tells.
    Unknown,
}

/// A change and its effects. The mix is the best variant.
#[derive(Clone, Debug, PartialEq)]
pub struct TriedChange {
    /// The base with this change, and with what it needs.
    pub alone: Option<Tried>,
    /// All changes without this one, and without what needs it.
    pub without: Option<Tried>,
    /// Latency with all changes / with all but it; `None` with fewer than two launches.
    pub in_b: Option<Effect>,
    /// The best mix / the best mix with this change the other way round; `None` if it was not
    /// measured.
    pub in_best: Option<f64>,
    /// True if it is part of the best mix.
    pub is_taken: bool,
    /// Why.
    pub taken: Taken,
}

/// Explains what became of each change.
pub(super) struct Judging<'a, S: Study> {
    pub(super) evidence: &'a Evidence<'a, S>,
    pub(super) best: &'a Set,
}

impl<S: Study> Judging<'_, S> {
    pub(super) fn change(&self, change: u32) -> TriedChange {
        let Evidence { known, sets, .. } = self.evidence;
        let all = sets.all();
        let rest = sets.without(&all, &[change]);
        let ratios: Vec<f64> = known.logarithms(&all, &rest).into_iter().map(f64::exp).collect();
        let other = sets.flipped(self.best, &[change]);
        let in_best = known.gain(self.best, &other, FIRST_LAUNCHES).map(f64::exp);
        let is_taken = self.best.binary_search(&change).is_ok();
        TriedChange {
            alone: self.evidence.measured(&sets.with(&[], &[change])),
            without: self.evidence.measured(&rest),
            in_b: Effect::of(&ratios).map(|(effect, _)| effect),
            in_best,
            is_taken,
            taken: self.why(change, is_taken, &other, in_best),
        }
    }

    fn why(&self, change: u32, is_taken: bool, other: &Set, in_best: Option<f64>) -> Taken {
        let Evidence { known, sets, options, .. } = self.evidence;
        if is_taken {
            let is_needed = self.best.iter().any(|&user| {
                user != change && sets.with(&[], &[user]).binary_search(&change).is_ok()
            });
            // Asked first: what needs this change could not stay without it, whatever it gains
            // itself.
            return match in_best {
                Some(_) if is_needed => Taken::Needed,
                Some(ratio) if ratio < 1.0 - options.smallest_gain => Taken::Gains,
                Some(_) => Taken::Kept,
                None if is_needed => Taken::Needed,
                None => Taken::Unknown,
            };
        }
        if let Some(reason) = known.failure(other) {
            return Taken::Failed(reason.to_string());
        }
        // More than this change came along with it.
        let brings_others = other.len() > self.best.len() + 1;
        // `in_best` is best / other: below 1, the mix is slower with the change.
        match in_best {
            None => Taken::Unknown,
            Some(_) if !self.evidence.is_admissible(other) && !brings_others => Taken::Loses,
            Some(_) if !self.evidence.is_admissible(other) => Taken::NeedsTooMuch,
            Some(ratio) if ratio < 1.0 - options.smallest_gain && brings_others => {
                Taken::NeedsTooMuch
            }
            Some(ratio) if ratio < 1.0 - options.smallest_gain => Taken::Costs,
            Some(_) => Taken::NoGain,
        }
    }
}

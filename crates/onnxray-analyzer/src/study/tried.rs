//! What came of a variant that was tried.

use super::effect::Effect;
use super::options::StudyOptions;
use crate::comparison::Verdict;
use onnxray_format::Objective;
use std::collections::BTreeMap;

/// A variant, and what came of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tried {
    /// Its changes, by their numbers.
    pub changes: Vec<u32>,
    /// Launches in which it ran.
    pub launches: usize,
    /// Latency / latency of the base, or the same of what decides instead: the geometric mean over
    /// launches; `None` if it never ran.
    pub ratio: Option<f64>,
    /// `ratio` with its interval; `None` with fewer than two launches, or if it failed.
    pub effect: Option<Effect>,
    /// The same of the latency, and of all that is measured beside.
    pub effects: BTreeMap<Objective, Effect>,
    /// Where something else than the latency decides: the highest ratio that its latency may have.
    pub highest_latency: Option<f64>,
    /// The p-value of its effect, adjusted for all variants of its stage (Benjamini and
    /// Hochberg); `None` without an effect, or where variants are not tested one by one.
    pub p_adjusted: Option<f64>,
    /// Faster, slower or neither, at a false discovery rate of 5 % and beyond `smallest_gain`.
    pub verdict: Verdict,
    /// Largest loss over launches; `None` if it never ran.
    pub loss: Option<f64>,
    /// Largest difference of outputs / largest value of the base's; `None` if unknown.
    pub relative: Option<f64>,
    /// The same in the unit of the output; `None` if unknown.
    pub absolute: Option<f64>,
    /// The output that is farthest; `None` if all are equal to the last bit.
    pub output: Option<String>,
    /// True if its loss is beyond the limit.
    pub loses_too_much: bool,
    /// True if it takes more of the machine than the base.
    pub takes_more: bool,
    /// Why it failed, if it did, in the engine's words.
    pub failed: Option<String>,
}

impl Tried {
    /// True if it may be recommended once it is faster.
    pub fn is_admissible(&self) -> bool {
        self.may_be_admissible() && !self.slows_down()
    }

    /// True if its latency is worse by more than it may be, as far as is known:
    /// docs/studies/tuning.md.
    pub fn slows_down(&self) -> bool {
        self.is_beyond(|latency| latency.ratio)
    }

    /// True unless no further launch can make it admissible.
    fn may_be_admissible(&self) -> bool {
        let is_surely_slower = self.is_beyond(|latency| latency.interval.0);
        self.failed.is_none() && !self.loses_too_much && !self.takes_more && !is_surely_slower
    }

    /// True while it may gain more than what gains most, or beside it, if its effect is known: of
    /// what is a thirtieth of the base already, nothing takes off another twentieth of the base.
    pub(super) fn may_add(&self, gained: Option<f64>, options: &StudyOptions) -> bool {
        let Some((gained, effect)) = gained.zip(self.effect) else { return true };
        let least = effect.interval.0;
        let beside = gained * (1.0 - least);
        least < gained - options.smallest_gain || beside >= options.smallest_gain
    }

    fn is_beyond(&self, figure: fn(&Effect) -> f64) -> bool {
        let latency = self.effects.get(&Objective::Latency);
        latency.zip(self.highest_latency).is_some_and(|(own, highest)| figure(own) > highest)
    }

    /// True if it is faster and costs nothing else.
    pub fn pays(&self) -> bool {
        self.is_admissible() && self.verdict == Verdict::Faster
    }

    /// True while its interval allows a gain that matters.
    pub fn may_pay(&self, smallest_gain: f64) -> bool {
        // Without an effect so far, anything may come.
        let least = self.effect.map_or(0.0, |effect| effect.interval.0);
        self.may_be_admissible() && least < 1.0 - smallest_gain
    }
}

//! What is known of the variants of a study, and how they are judged by it.

use super::effect::Effect;
use super::known::Known;
use super::looks::looks;
use super::options::{FALSE_DISCOVERIES, StudyOptions};
use super::plan::{Study, TrialOf};
use super::sets::{Set, Sets};
use super::tried::Tried;
use crate::comparison::{Band, RatioEstimate, Verdict, verdict};
use crate::probability::adjust;
use crate::statistics::median;
use onnxray_format::{Objective, Stage, Trial};

/// Next step of a search.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Measure these variants in a launch.
    Measure {
        /// Stage that the launch belongs to.
        stage: Stage,
        /// Its number within the stage.
        number: u32,
        /// Numbers of their changes. Where they are compared with another than the base, that is
        /// the first.
        variants: Vec<Vec<u32>>,
    },
    /// Nothing: what is recommended is known.
    Nothing,
}

/// What launches of a stage say of variants.
pub(super) struct Evidence<'a, S: Study> {
    pub(super) study: &'a S,
    pub(super) options: StudyOptions,
    pub(super) sets: Sets,
    pub(super) known: Known<'a, S>,
    pub(super) stage: Stage,
    /// Largest admissible loss; `None` if unknown.
    pub(super) limit: Option<f64>,
}

impl<'a, S: Study> Evidence<'a, S> {
    pub(super) fn of(
        study: &'a S,
        trials: &[&'a TrialOf<S>],
        stage: Stage,
        options: StudyOptions,
    ) -> Evidence<'a, S> {
        let (sets, known) = (Sets::of(study), Known::of(study, trials, stage));
        Evidence { study, options, sets, known, stage, limit: options.max_loss }
    }

    /// A launch of these variants.
    pub(super) fn measure(&self, variants: Vec<Set>) -> Step {
        Step::Measure { stage: self.stage, number: self.known.next, variants }
    }

    /// True if it runs and loses no more than it may.
    pub(super) fn is_admissible(&self, set: &[u32]) -> bool {
        self.known.failure(set).is_none() && !self.loses_too_much(set)
    }

    fn loses_too_much(&self, set: &[u32]) -> bool {
        // The base is admissible by definition.
        if set.is_empty() {
            return false;
        }
        let limit = match self.study.is_of_precision(set) {
            true => Some(self.options.max_precision_loss),
            false => self.limit,
        };
        let Some(limit) = limit else { return true };
        match self.known.distance(set) {
            Some(distance) => distance.loss > limit,
            // What ran, and cannot be compared, is not known to be near.
            None => limit.is_finite() && self.known.outcomes(set).any(|own| own.ratio.is_some()),
        }
    }

    /// What came of a variant; `None` if it was not measured.
    pub(super) fn measured(&self, set: &[u32]) -> Option<Tried> {
        self.known.outcomes(set).next().map(|_| self.tried(set))
    }

    /// What came of a variant.
    pub(super) fn tried(&self, changes: &[u32]) -> Tried {
        self.tested(changes).0
    }

    fn tested(&self, changes: &[u32]) -> (Tried, Option<RatioEstimate>) {
        let mut set = changes.to_vec();
        set.sort_unstable();
        let asked = self.study.objectives();
        let decides = asked.first().copied().unwrap_or_default();
        let of = |objective| -> Vec<f64> {
            let outcomes = self.known.outcomes(&set);
            outcomes.filter_map(|own| self.study.ratio(objective, own)).collect()
        };
        let ratios = of(decides);
        let sum: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
        let failed = self.known.failure(&set);
        // One failed launch is enough: what does not always run is not recommended.
        let found = Effect::of(&ratios).filter(|_| failed.is_none());
        let told = Objective::ALL.into_iter();
        let told = told.filter(|own| *own == Objective::Latency || asked.contains(own));
        let effects = told.filter_map(|own| Some((own, Effect::of(&of(own))?.0)));
        let highest_latency = 1.0 + self.options.latency_limit;
        let distance = self.known.distance(&set);
        let tried = Tried {
            changes: changes.to_vec(),
            launches: ratios.len(),
            ratio: (!ratios.is_empty()).then(|| (sum / ratios.len() as f64).exp()),
            effect: found.map(|(effect, _)| effect),
            effects: effects.filter(|_| failed.is_none()).collect(),
            highest_latency: (decides != Objective::Latency).then_some(highest_latency),
            p_adjusted: None,
            verdict: Verdict::NotTested,
            loss: distance.map(|own| own.loss),
            relative: distance.and_then(|own| own.relative),
            absolute: distance.and_then(|own| own.absolute),
            output: distance.and_then(|own| own.output).map(str::to_string),
            loses_too_much: self.loses_too_much(&set),
            takes_more: set.iter().any(|&change| self.study.takes_more(change)),
            failed: failed.map(str::to_string),
        };
        (tried, found.map(|(_, estimate)| estimate))
    }

    /// What came of all variants of a stage, each tested, in their order.
    pub(super) fn judged(&self, variants: &[Set]) -> Vec<Tried> {
        let mut all: Vec<_> = variants.iter().map(|changes| self.tested(changes)).collect();
        // A variant without an estimate is not tested, and not among the tests to adjust for.
        let p = all.iter().filter_map(|(tried, _)| {
            // Bonferroni: what is looked at again and again is found at some time.
            Some((tried.effect?.p * looks(tried.launches, self.study.has_starts()) as f64).min(1.0))
        });
        let p: Vec<f64> = p.collect();
        let band = Band { share: self.options.smallest_gain, ticks: 0.0 };
        let tested = all.iter_mut().filter_map(|(tried, found)| Some((tried, found.as_ref()?)));
        for ((tried, estimate), p) in tested.zip(adjust(&p, None)) {
            tried.p_adjusted = Some(p);
            tried.verdict = verdict(estimate, 1.0, p, FALSE_DISCOVERIES, band);
        }
        all.into_iter().map(|(tried, _)| tried).collect()
    }
}

/// Those that were measured least often.
pub(super) fn fewest<T>(counted: Vec<(usize, T)>) -> Option<Vec<T>> {
    let least = counted.iter().map(|(count, _)| *count).min()?;
    Some(counted.into_iter().filter(|(count, _)| *count == least).map(|(_, own)| own).collect())
}

/// Most cores that other programs used in a launch.
pub(super) fn other_cores<'a, C: 'a, Q: 'a>(
    trials: impl Iterator<Item = &'a Trial<C, Q>>,
) -> Option<f64> {
    trials.filter_map(|trial| trial.other_cores).reduce(f64::max)
}

/// Latency of the base, in nanoseconds: the median over launches of both stages.
pub(super) fn base_ns<S: Study>(trials: &[&TrialOf<S>]) -> Option<f64> {
    median(&trials.iter().filter_map(|trial| trial.base_ns).collect::<Vec<f64>>())
}

//! What launches say of variants, next to each other.

use super::plan::{Distance, Study, TrialOf, VariantOf};
use onnxray_format::Stage;
use std::collections::BTreeMap;

/// Outcomes by variant, then by number of the launch.
pub(super) struct Known<'a, S: Study> {
    study: &'a S,
    variants: BTreeMap<Vec<u32>, BTreeMap<u32, &'a VariantOf<S>>>,
    /// Number of the next launch.
    pub(super) next: u32,
}

impl<'a, S: Study> Known<'a, S> {
    /// Of the launches of a stage.
    pub(super) fn of(study: &'a S, trials: &[&'a TrialOf<S>], stage: Stage) -> Known<'a, S> {
        let numbers: BTreeMap<S::Change, u32> = study.changes().into_iter().zip(0..).collect();
        let (mut variants, mut next) = (BTreeMap::<_, BTreeMap<_, _>>::new(), 0);
        for trial in trials.iter().filter(|trial| trial.stage == stage) {
            // Not their count: where a line is damaged, that would give a number twice.
            next = next.max(trial.number + 1);
            for variant in &trial.variants {
                let changes = variant.changes.iter().map(|change| numbers.get(change).copied());
                // A change that is not of the plan makes a variant of another study.
                let Some(mut changes) = changes.collect::<Option<Vec<u32>>>() else { continue };
                changes.sort_unstable();
                // By the launch's number: "the first launches" are the same whenever the journal is
                // read.
                variants.entry(changes).or_default().insert(trial.number, variant);
            }
        }
        Known { study, variants, next }
    }

    /// All variants that a launch had.
    pub(super) fn variants(&self) -> impl Iterator<Item = &[u32]> {
        self.variants.keys().map(Vec::as_slice)
    }

    /// Outcomes of a variant in the order of launches.
    pub(super) fn outcomes(&self, set: &[u32]) -> impl Iterator<Item = &'a VariantOf<S>> {
        self.variants.get(set).into_iter().flat_map(|own| own.values().copied())
    }

    /// Why a variant failed, if it did.
    pub(super) fn failure(&self, set: &[u32]) -> Option<&'a str> {
        self.outcomes(set).find_map(|outcome| outcome.failed.as_deref())
    }

    /// Largest distance of a variant over launches.
    pub(super) fn distance(&self, set: &[u32]) -> Option<Distance<'a>> {
        let of = |outcome: &'a VariantOf<S>| self.study.distance(set, &outcome.quality);
        let known = self.outcomes(set).filter_map(of);
        known.max_by(|a, b| a.loss.total_cmp(&b.loss))
    }

    /// Logarithms of latency / latency of another variant, in each launch that had both.
    pub(super) fn logarithms(&self, set: &[u32], reference: &[u32]) -> Vec<f64> {
        let Some((own, other)) = self.variants.get(set).zip(self.variants.get(reference)) else {
            return Vec::new();
        };
        let both = own
            .iter()
            .filter_map(|(number, own)| Some(own.ratio?.ln() - other.get(number)?.ratio?.ln()));
        both.collect()
    }

    /// The mean of the first of them, as many as `launches`; `None` if there are not as many.
    pub(super) fn gain(&self, set: &[u32], reference: &[u32], launches: usize) -> Option<f64> {
        self.gain_behind(set, reference, 0, launches)
    }

    /// The mean of those behind the first `skipped`, up to that many launches in all.
    pub(super) fn gain_behind(
        &self,
        set: &[u32],
        reference: &[u32],
        skipped: usize,
        launches: usize,
    ) -> Option<f64> {
        let logarithms = self.logarithms(set, reference);
        let chosen = logarithms.get(skipped..launches)?;
        Some(chosen.iter().sum::<f64>() / chosen.len() as f64)
    }
}

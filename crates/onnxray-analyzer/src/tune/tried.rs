//! What is known of a variant that was tried.

use super::effect::Effect;
use super::options::{FALSE_DISCOVERIES, TuneOptions};
use crate::comparison::{Band, Verdict, verdict};
use crate::probability::adjust;
use onnxray_format::{OutputDifference, RuntimeChange, Stage, TuneRun, TuneTrial, TuneVariant};

/// A variant, and what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried {
    /// Changes of the variant.
    pub changes: Vec<RuntimeChange>,
    /// Launches in which it ran.
    pub launches: usize,
    /// Effect on the latency; `None` with fewer than two launches.
    pub effect: Option<Effect>,
    /// The p-value of its effect, adjusted for all variants of its stage (Benjamini and
    /// Hochberg); `None` without an effect.
    pub p_adjusted: Option<f64>,
    /// Faster, slower or neither, at a false discovery rate of 5 % and beyond `smallest_gain`.
    pub verdict: Verdict,
    /// Largest difference of outputs from the base's over launches; `None` if it never ran.
    pub outputs: Option<OutputDifference>,
    /// True if outputs differ by more than `tolerance`.
    pub changes_outputs: bool,
    /// True if it uses more threads than the base.
    pub takes_more: bool,
    /// Why it failed, if it did, in the engine's words.
    pub failed: Option<String>,
}

impl Tried {
    /// True if it may be recommended once it is faster.
    pub fn is_free(&self) -> bool {
        self.failed.is_none() && !self.changes_outputs && !self.takes_more
    }

    /// True if it is faster and costs nothing else.
    pub fn pays(&self) -> bool {
        self.is_free() && self.verdict == Verdict::Faster
    }

    /// True while its interval allows a gain that matters.
    pub(super) fn may_pay(&self, options: &TuneOptions) -> bool {
        // Without an effect so far, anything may come.
        let least = self.effect.map_or(0.0, |effect| effect.interval.0);
        self.is_free() && least < 1.0 - options.smallest_gain
    }
}

/// All variants of a stage, in the order in which they are planned.
pub(super) fn tried(
    run: &TuneRun,
    launches: &[&TuneTrial],
    (stage, planned): (Stage, &[Vec<RuntimeChange>]),
    options: &TuneOptions,
) -> Vec<Tried> {
    let of_stage: Vec<&TuneVariant> = launches
        .iter()
        .filter(|launch| launch.stage == stage)
        .flat_map(|launch| &launch.variants)
        .collect();
    let mut estimates = Vec::new();
    let mut all: Vec<Tried> = planned
        .iter()
        .map(|changes| {
            let own = || of_stage.iter().filter(|variant| variant.changes == *changes);
            let ratios: Vec<f64> = own().filter_map(|variant| variant.ratio).collect();
            let failed = own().find_map(|variant| variant.failed.clone());
            let outputs = own().filter_map(|variant| variant.quality.outputs.clone());
            let outputs = outputs.max_by(|a, b| a.relative.total_cmp(&b.relative));
            // One failed launch is enough: what does not always run is not recommended.
            let found = Effect::of(&ratios).filter(|_| failed.is_none());
            estimates.push(found.map(|(_, estimate)| estimate));
            Tried {
                changes: changes.clone(),
                launches: ratios.len(),
                effect: found.map(|(effect, _)| effect),
                p_adjusted: None,
                verdict: Verdict::NotTested,
                changes_outputs: outputs
                    .as_ref()
                    .is_some_and(|outputs| outputs.relative > options.tolerance),
                outputs,
                takes_more: takes_more(run, changes),
                failed,
            }
        })
        .collect();
    // A variant without an estimate is not tested, and not among the tests to adjust for.
    let tested: Vec<usize> = (0..all.len()).filter(|&at| all[at].effect.is_some()).collect();
    let p: Vec<f64> = tested.iter().filter_map(|&at| Some(all[at].effect?.p)).collect();
    let band = Band { share: options.smallest_gain, ticks: 0.0 };
    for (&at, p) in tested.iter().zip(adjust(&p, None)) {
        all[at].p_adjusted = Some(p);
        if let Some(estimate) = &estimates[at] {
            all[at].verdict = verdict(estimate, 1.0, p, FALSE_DISCOVERIES, band);
        }
    }
    all
}

/// True if a change uses more threads than the base.
fn takes_more(run: &TuneRun, changes: &[RuntimeChange]) -> bool {
    changes.iter().any(|change| match change {
        RuntimeChange::Threads(threads) => *threads > run.search.threads,
        RuntimeChange::InterOpThreads(threads) => *threads > 1,
        _ => false,
    })
}

//! What a tuning measures.

use crate::commands::studies::search::Search;
use crate::commands::studies::verification::Planned;
use anyhow::anyhow;
use onnxray_analyzer::comparison::Field;
use onnxray_analyzer::study::{Step, Study, StudyOptions, Tuning, screen};
use onnxray_format::{RuntimeChange, Stage, TuneHeldOut, TuneRun, TuneTrial};
use onnxray_recorder::LaunchSpec;
use onnxray_recorder::study::tune::{Survey, changed};
use std::path::Path;
use std::time::Duration;

/// Subfolders of the result for both recordings.
pub(super) const FOLDERS: [&str; 2] = ["base", "tuned"];

/// The model to tune, and the gain that a change has to reach.
pub(super) struct Measuring<'a> {
    pub(super) base: &'a LaunchSpec,
    pub(super) survey: &'a Survey,
    pub(super) options: StudyOptions,
}

impl Search for Measuring<'_> {
    type Run = TuneRun;
    type Found = Tuning;

    /// The base is measured with it in any case.
    const FEWEST: usize = 1;
    const TIME: Duration = Duration::from_millis(150);

    fn is_promising(found: &Tuning) -> bool {
        !found.gains().is_empty()
    }

    fn found(&self, trials: &[&TuneTrial]) -> Tuning {
        screen(&self.survey.run, trials, self.options)
    }

    fn next(&self, found: &Tuning) -> Option<(Stage, u32, Vec<Vec<RuntimeChange>>)> {
        [&found.next, &found.further].into_iter().find_map(|step| match step {
            Step::Measure { stage, number, variants } => {
                let named = variants.iter().map(|variant| found.run.named(variant));
                Some((*stage, *number, named.collect()))
            }
            Step::Nothing => None,
        })
    }

    fn progress(found: &Tuning, stage: Stage, spent: f64) -> (&'static str, f64) {
        if found.next == Step::Nothing {
            return ("trying what is undecided", spent);
        }
        let what = match stage {
            Stage::Single => "trying changes",
            Stage::Combined => "combining",
        };
        (what, found.done())
    }

    fn held_out(&self, found: &Tuning) -> Vec<Vec<RuntimeChange>> {
        let has_inputs = self.survey.run.search.loss_inputs.held_out > 0;
        found
            .best
            .iter()
            .filter(|_| has_inputs)
            .map(|best| found.run.named(&best.changes))
            .collect()
    }

    fn check(&self, held_out: &[TuneHeldOut]) -> anyhow::Result<()> {
        match held_out.iter().find_map(|own| own.failed.clone()) {
            Some(reason) => Err(anyhow!(reason)),
            None => Ok(()),
        }
    }

    fn verifications(
        &self,
        found: &Tuning,
        folder: &Path,
    ) -> anyhow::Result<Vec<Planned<Vec<RuntimeChange>>>> {
        let best = found.best.iter().map(|best| found.run.named(&best.changes));
        let verified = best.map(|chosen| Planned {
            with_b: false,
            folder: folder.to_path_buf(),
            names: FOLDERS,
            specs: [self.base.clone(), changed(self.base, &chosen)],
            chosen,
            latency: self.survey.latency,
            // What a change may alter: a difference in these is the point, not an obstacle.
            fields: vec![Field::EngineOptions, Field::Threads],
        });
        Ok(verified.collect())
    }
}

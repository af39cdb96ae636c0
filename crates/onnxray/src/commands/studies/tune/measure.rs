//! What a tuning measures next.

use crate::commands::studies::search::{Launched, Search, launch_time};
use onnxray_analyzer::study::{Step, Study, StudyOptions, Tuning, screen};
use onnxray_format::{Stage, TuneRun, TuneTrial, TuneVariant};
use onnxray_recorder::tune::{LaunchRequest, TuneEntry, TuneJournal, TuneWorker};
use std::process::ExitStatus;
use std::time::Duration;

/// Time that a launch measures, for each of its variants.
const TIME: Duration = Duration::from_millis(150);

/// The model to tune, and the gain that a change has to reach.
pub(super) struct Measuring<'a> {
    pub(super) worker: &'a TuneWorker<'a>,
    pub(super) options: StudyOptions,
}

impl Search for Measuring<'_> {
    type Run = TuneRun;
    type Found = Tuning;
    type Request = LaunchRequest;

    fn launches(journal: &TuneJournal) -> usize {
        journal.trials().len()
    }

    fn found(&self, journal: &TuneJournal) -> Tuning {
        let run = journal.plan().cloned();
        // `journal` writes the run before the search begins.
        let run = run.unwrap_or_else(|| unreachable!("it was begun with a run"));
        screen(&run, &journal.trials(), self.options)
    }

    fn next(&self, found: &Tuning, most: usize) -> Option<LaunchRequest> {
        let Step::Measure { stage, number, mut variants } = found.next.clone() else {
            return None;
        };
        variants.truncate(most);
        let variants: Vec<_> = variants.iter().map(|own| found.run.named(own)).collect();
        let time = launch_time(variants.len(), TIME);
        Some(LaunchRequest { stage, number, variants, time })
    }

    fn variants(request: &LaunchRequest) -> usize {
        request.variants.len()
    }

    fn progress(found: &Tuning, request: &LaunchRequest, _spent: f64) -> (&'static str, f64) {
        let what = match request.stage {
            Stage::Single => "trying changes",
            Stage::Combined => "combining",
        };
        (what, found.done())
    }

    fn launch(&self, request: LaunchRequest) -> Launched<Self> {
        Ok(self.worker.launch(request)?.map(TuneEntry::Trial))
    }

    fn ended(request: LaunchRequest, status: ExitStatus) -> TuneEntry {
        let LaunchRequest { stage, number, variants, .. } = request;
        let failed = format!("the engine ended its process: {status}");
        let variant = |changes| TuneVariant::failed(changes, failed.clone());
        let variants = variants.into_iter().map(variant).collect();
        TuneEntry::Trial(TuneTrial { stage, number, base_ns: None, rounds: 0, variants })
    }
}

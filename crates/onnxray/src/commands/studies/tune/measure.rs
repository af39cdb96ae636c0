//! What a tuning measures next.

use crate::commands::studies::search::{Launched, Search, launch_time};
use onnxray_analyzer::tune::{Step, TuneOptions, Tuning, tuning};
use onnxray_format::{RuntimeChange, Stage, TuneRun, TuneTrial, TuneVariant};
use onnxray_recorder::study::tune::{TuneEntry, TuneJournal};
use onnxray_recorder::study::{TrialRequest, Worker};
use std::process::ExitStatus;
use std::time::Duration;

/// Time that a launch measures, for each of its variants.
const TIME: Duration = Duration::from_millis(150);

/// The model to tune, and the gain that a change has to reach.
pub(super) struct Measuring<'a> {
    pub(super) worker: &'a Worker<'a, TuneRun>,
    pub(super) options: TuneOptions,
}

impl Search for Measuring<'_> {
    type Run = TuneRun;
    type Found = Tuning;
    type Request = TrialRequest<RuntimeChange>;

    fn launches(journal: &TuneJournal) -> usize {
        journal.trials().len()
    }

    fn found(&self, journal: &TuneJournal) -> Tuning {
        let run = journal.plan().cloned();
        // `journal` writes the run before the search begins.
        let run = run.unwrap_or_else(|| unreachable!("it was begun with a run"));
        tuning(&run, &journal.trials(), self.options)
    }

    fn next(&self, found: &Tuning, most: usize) -> Option<Self::Request> {
        let Step::Measure { stage, number, mut variants } = found.next.clone() else {
            return None;
        };
        variants.truncate(most);
        let time = launch_time(variants.len(), TIME);
        Some(TrialRequest { stage, number, variants, time })
    }

    fn variants(request: &Self::Request) -> usize {
        request.variants.len()
    }

    fn progress(found: &Tuning, request: &Self::Request, _spent: f64) -> (&'static str, f64) {
        let what = match request.stage {
            Stage::Single => "trying changes",
            Stage::Combined => "combining",
        };
        (what, found.done())
    }

    fn launch(&self, request: Self::Request) -> Launched<Self> {
        Ok(self.worker.trial(request)?.map(TuneEntry::Trial))
    }

    fn ended(request: Self::Request, status: ExitStatus) -> TuneEntry {
        let TrialRequest { stage, number, variants, .. } = request;
        let failed = format!("the engine ended its process: {status}");
        let variant = |changes| TuneVariant::failed(changes, failed.clone());
        let variants = variants.into_iter().map(variant).collect();
        TuneEntry::Trial(TuneTrial { stage, number, base_ns: None, rounds: 0, variants })
    }
}

//! What a search for a mix measures next.

use crate::commands::studies::search::{Launched, Search, launch_time};
use onnxray_analyzer::study::{Mixing, Step, StudyOptions, descend};
use onnxray_format::{MixRun, MixTrial, MixVariant, Stage};
use onnxray_recorder::mix::{MixEntry, MixJournal, MixRequest, MixSurvey, MixWorker};
use std::process::ExitStatus;
use std::time::Duration;

/// Time that a launch measures, for each of its mixes.
const TIME: Duration = Duration::from_millis(60);

/// The models to mix, and the gain that a mix has to reach.
pub(super) struct Measuring<'a> {
    pub(super) worker: &'a MixWorker<'a>,
    pub(super) survey: &'a MixSurvey,
    pub(super) options: StudyOptions,
}

impl Search for Measuring<'_> {
    type Run = MixRun;
    type Found = Mixing;
    type Request = MixRequest;

    fn launches(journal: &MixJournal) -> usize {
        journal.trials().len()
    }

    fn found(&self, journal: &MixJournal) -> Mixing {
        descend(&self.survey.run, &journal.trials(), self.options)
    }

    fn next(&self, found: &Mixing, most: usize) -> Option<MixRequest> {
        let Step::Measure { number, variants: mut mixes, .. } = found.next.clone() else {
            return None;
        };
        // What the others are compared with is the first.
        mixes.truncate(most);
        let time = launch_time(mixes.len(), TIME);
        Some(MixRequest { number, mixes, types: self.survey.types.clone(), time })
    }

    fn variants(request: &MixRequest) -> usize {
        request.mixes.len()
    }

    fn progress(_: &Mixing, _: &MixRequest, spent: f64) -> (&'static str, f64) {
        ("trying mixes", spent)
    }

    fn launch(&self, request: MixRequest) -> Launched<Self> {
        Ok(self.worker.launch(request)?.map(MixEntry::Trial))
    }

    /// Blames the last of two mixes: the first, which it is compared with, had run.
    fn ended(request: MixRequest, status: ExitStatus) -> MixEntry {
        let MixRequest { number, mut mixes, .. } = request;
        let failed = format!("the engine ended its process: {status}");
        let variant = |changes| MixVariant::failed(changes, failed);
        let variants = mixes.pop().map(variant).into_iter().collect();
        MixEntry::Trial(MixTrial {
            stage: Stage::default(),
            number,
            base_ns: None,
            rounds: 0,
            variants,
        })
    }
}

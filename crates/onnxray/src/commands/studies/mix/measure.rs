//! What a search for a mix measures next.

use crate::commands::studies::search::{Launched, Search, launch_time};
use onnxray_analyzer::mix::{MixOptions, MixStep, Mixing, mixing};
use onnxray_format::{MixRun, MixTrial, MixVariant, Stage};
use onnxray_recorder::study::mix::{MixEntry, MixJournal};
use onnxray_recorder::study::{TrialRequest, Worker};
use std::process::ExitStatus;
use std::time::Duration;

/// Time that a launch measures, for each of its mixes.
const TIME: Duration = Duration::from_millis(60);

/// The models to mix, and the gain that a mix has to reach.
pub(super) struct Measuring<'a> {
    pub(super) worker: &'a Worker<'a, MixRun>,
    pub(super) run: &'a MixRun,
    pub(super) options: MixOptions,
}

impl Search for Measuring<'_> {
    type Run = MixRun;
    /// Results so far, and the number of the next launch.
    type Found = (Mixing, u32);
    type Request = TrialRequest<u32>;

    fn launches(journal: &MixJournal) -> usize {
        journal.trials().len()
    }

    fn found(&self, journal: &MixJournal) -> (Mixing, u32) {
        let launches = journal.trials();
        // Not their count: where a line is damaged, that would give a number twice.
        let next = launches.iter().map(|launch| launch.number + 1).max().unwrap_or(0);
        (mixing(self.run, &launches, self.options), next)
    }

    fn next(&self, (found, number): &(Mixing, u32), most: usize) -> Option<Self::Request> {
        let MixStep::Measure(mut mixes) = found.next.clone() else { return None };
        // What the others are compared with is the first.
        mixes.truncate(most);
        let time = launch_time(mixes.len(), TIME);
        let (stage, number) = (Stage::default(), *number);
        Some(TrialRequest { stage, number, variants: mixes, time })
    }

    fn variants(request: &Self::Request) -> usize {
        request.variants.len()
    }

    fn progress(_: &(Mixing, u32), _: &Self::Request, spent: f64) -> (&'static str, f64) {
        ("trying mixes", spent)
    }

    fn launch(&self, request: Self::Request) -> Launched<Self> {
        Ok(self.worker.trial(request)?.map(MixEntry::Trial))
    }

    /// Blames the last of two mixes: the first, which it is compared with, had run.
    fn ended(request: Self::Request, status: ExitStatus) -> MixEntry {
        let TrialRequest { stage, number, mut variants, .. } = request;
        let failed = format!("the engine ended its process: {status}");
        let variant = |changes| MixVariant::failed(changes, failed);
        let variants = variants.pop().map(variant).into_iter().collect();
        MixEntry::Trial(MixTrial { stage, number, base_ns: None, rounds: 0, variants })
    }
}

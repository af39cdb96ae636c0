//! Measures launch after launch, until what pays is known or time is up.

use crate::args::TuneArguments;
use crate::commands::sessions::{launch_time, sessions};
use crate::message;
use crate::progress::Progress;
use onnxray_analyzer::tune::{Step, TuneOptions, Tuning, tuning};
use onnxray_format::{TuneLaunch, TuneStage, TuneVariant, counted};
use onnxray_recorder::experiment::ExperimentError;
use onnxray_recorder::tune::{LaunchRequest, Survey, TuneEntry, TuneJournal, TuneWorker};
use onnxray_recorder::{Clock, memory_limit};
use std::process::ExitStatus;
use std::time::Duration;

/// Time that a launch measures, for each of its variants.
const TIME: Duration = Duration::from_millis(150);
/// The share of the time that is for the search; the rest is for the launches that verify what
/// it found.
const SEARCH: f64 = 0.6;

/// What is measured, and for how long.
pub(super) struct Measuring<'a> {
    worker: &'a TuneWorker<'a>,
    options: TuneOptions,
    clock: &'a dyn Clock,
    limit: Duration,
    /// Variants that are loaded at once, beside the base.
    at_once: usize,
}

impl<'a> Measuring<'a> {
    pub(super) fn new(
        worker: &'a TuneWorker<'a>,
        survey: &Survey,
        arguments: &TuneArguments,
        clock: &'a dyn Clock,
    ) -> Measuring<'a> {
        Measuring {
            worker,
            options: arguments.options(),
            clock,
            limit: arguments.time_limit.mul_f64(SEARCH),
            at_once: sessions(survey.memory, memory_limit()) - 1,
        }
    }

    /// Goes on from what the journal has; `None` if it was interrupted.
    pub(super) fn run(&self, journal: &mut TuneJournal) -> anyhow::Result<Option<Tuning>> {
        let progress = Progress::new();
        let begun = self.clock.now();
        let mut at_once = self.at_once;
        loop {
            let found = self.found(journal);
            let Step::Measure { stage, number, mut variants } = found.next.clone() else {
                progress.clear();
                return Ok(Some(found));
            };
            let spent = Duration::from_nanos((self.clock.now() - begun).0);
            if spent >= self.limit {
                progress.clear();
                message::warning(format_args!(
                    "the time limit ended the search after {}; raise --time-limit and run the \
                     same command to go on",
                    counted(launches(journal).len() as u64, "launch", "launches")
                ));
                return Ok(Some(found));
            }
            variants.truncate(at_once);
            let what = match stage {
                TuneStage::Single => "trying changes",
                TuneStage::Combined => "combining",
            };
            progress.show(what.to_string(), found.done(), None);
            let time = launch_time(variants.len(), TIME);
            let request = LaunchRequest { stage, number, variants, time };
            let launch = match self.worker.launch(request.clone()) {
                Ok(Some(launch)) => launch,
                Ok(None) => {
                    progress.clear();
                    return Ok(None);
                }
                // With fewer of them at once it is found out which one it is.
                Err(ExperimentError::Ended(_)) if request.variants.len() > 1 => {
                    at_once = request.variants.len() / 2;
                    continue;
                }
                Err(ExperimentError::Ended(status)) => {
                    at_once = self.at_once;
                    ended(request, status)
                }
                Err(error) => {
                    progress.clear();
                    return Err(error.into());
                }
            };
            journal.keep(TuneEntry::Launch(launch))?;
        }
    }

    fn found(&self, journal: &TuneJournal) -> Tuning {
        let run = journal.plan().cloned();
        let run = run.unwrap_or_else(|| unreachable!("it was begun with a run"));
        tuning(&run, &launches(journal), self.options)
    }
}

/// A launch of variants with which the engine ended its process.
fn ended(request: LaunchRequest, status: ExitStatus) -> TuneLaunch {
    let LaunchRequest { stage, number, variants, .. } = request;
    let failed = Some(format!("the engine ended its process: {status}"));
    let variant =
        |changes| TuneVariant { changes, ratio: None, outputs: None, failed: failed.clone() };
    let variants = variants.into_iter().map(variant).collect();
    TuneLaunch { stage, number, base_ns: None, rounds: 0, variants }
}

/// The launches that are known.
pub(super) fn launches(journal: &TuneJournal) -> Vec<&TuneLaunch> {
    let entries = journal.entries();
    let launches = entries.filter_map(|entry| match entry {
        TuneEntry::Launch(launch) => Some(launch),
        TuneEntry::Recorded { .. } => None,
    });
    launches.collect()
}

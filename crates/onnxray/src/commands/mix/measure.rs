//! Measures launch after launch, until the best mix is known or time is up.

use crate::args::MixArguments;
use crate::commands::sessions::{launch_time, sessions};
use crate::message;
use crate::progress::Progress;
use onnxray_analyzer::mix::{MixOptions, MixStep, Mixing, mixing};
use onnxray_format::{MixLaunch, MixVariant, counted};
use onnxray_recorder::experiment::ExperimentError;
use onnxray_recorder::mix::{MixEntry, MixJournal, MixRequest, MixSurvey, MixWorker};
use onnxray_recorder::{Clock, memory_limit};
use std::process::ExitStatus;
use std::time::Duration;

/// Time that a launch measures, for each of its mixes.
const TIME: Duration = Duration::from_millis(60);
/// The share of the time that is for the search; the rest is for the launches that verify what
/// it found.
const SEARCH: f64 = 0.6;

/// What is measured, and for how long.
pub(super) struct Measuring<'a> {
    worker: &'a MixWorker<'a>,
    survey: &'a MixSurvey,
    options: MixOptions,
    clock: &'a dyn Clock,
    limit: Duration,
    /// Mixes that are loaded at once, beside A.
    at_once: usize,
}

impl<'a> Measuring<'a> {
    pub(super) fn new(
        worker: &'a MixWorker<'a>,
        survey: &'a MixSurvey,
        arguments: &MixArguments,
        clock: &'a dyn Clock,
    ) -> Measuring<'a> {
        Measuring {
            worker,
            survey,
            options: arguments.options(),
            clock,
            limit: arguments.time_limit.mul_f64(SEARCH),
            at_once: sessions(survey.memory, memory_limit()) - 1,
        }
    }

    /// Goes on from what the journal has; `None` if it was interrupted.
    pub(super) fn run(&self, journal: &mut MixJournal) -> anyhow::Result<Option<Mixing>> {
        let progress = Progress::new();
        let begun = self.clock.now();
        let mut at_once = self.at_once;
        loop {
            let launches = launches(journal);
            let found = mixing(&self.survey.run, &launches, self.options);
            let MixStep::Measure(mut mixes) = found.next.clone() else {
                progress.clear();
                return Ok(Some(found));
            };
            let spent = Duration::from_nanos((self.clock.now() - begun).0);
            if spent >= self.limit {
                progress.clear();
                message::warning(format_args!(
                    "the time limit ended the search after {}; raise --time-limit and run the \
                     same command to go on",
                    counted(launches.len() as u64, "launch", "launches")
                ));
                return Ok(Some(found));
            }
            // What the others are compared with is the first.
            mixes.truncate(at_once.max(2));
            let share = spent.as_secs_f64() / self.limit.as_secs_f64();
            progress.show("trying mixes".to_string(), share, None);
            let number = launches.iter().map(|launch| launch.number + 1).max().unwrap_or(0);
            let time = launch_time(mixes.len(), TIME);
            let types = self.survey.types.clone();
            let request = MixRequest { number, mixes, types, time };
            let launch = match self.worker.launch(request.clone()) {
                Ok(Some(launch)) => launch,
                Ok(None) => {
                    progress.clear();
                    return Ok(None);
                }
                // With fewer of them at once it is found out which one it is.
                Err(ExperimentError::Ended(_)) if request.mixes.len() > 2 => {
                    at_once = request.mixes.len() / 2;
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
            journal.keep(MixEntry::Launch(launch))?;
        }
    }
}

/// A launch of mixes with which the engine ended its process: the last one, since what it is
/// compared with ran before.
fn ended(request: MixRequest, status: ExitStatus) -> MixLaunch {
    let MixRequest { number, mut mixes, .. } = request;
    let failed = Some(format!("the engine ended its process: {status}"));
    let variant = |from_b| MixVariant { from_b, ratio: None, loss: None, output: None, failed };
    let variants = mixes.pop().map(variant).into_iter().collect();
    MixLaunch { number, base_ns: None, rounds: 0, variants }
}

/// The launches that are known.
pub(super) fn launches(journal: &MixJournal) -> Vec<&MixLaunch> {
    let entries = journal.entries();
    let launches = entries.filter_map(|entry| match entry {
        MixEntry::Launch(launch) => Some(launch),
        MixEntry::Recorded { .. } => None,
    });
    launches.collect()
}

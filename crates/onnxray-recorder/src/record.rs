//! The recording loop: warm up, then measure instrumented and unprofiled iterations in turns.
//!
//! Several participants take turns in one process, a few iterations each, so that what
//! changes on the machine meanwhile falls on all alike. With two of them, where small
//! letters are unprofiled iterations:
//!
//! ```text
//! AB ab  BA ba  ab AB  ba BA  AB ab …
//! ```
//!
//! Each of the four follows its own model once in four rounds, and the other one three
//! times: none finds warmer caches than the others.

use crate::engine::Model;
use crate::error::RecordError;
use crate::launch::{Launch, LaunchOptions, Recorded};
use crate::workload::Workload;
use onnxray_format::{IterationKind, Nanoseconds};
use serde::{Deserialize, Serialize};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// When to stop measuring.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Length {
    /// After this many measured iterations.
    Iterations(u32),
    /// At least one iteration is measured, however short the duration.
    Duration(Duration),
}

/// As many unprofiled iterations as are measured.
pub const AS_MEASURED: u32 = u32::MAX;

/// Iterations of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Schedule {
    /// Instrumented iterations before the measured ones; kept and flagged.
    pub warmup: u32,
    /// When to stop measuring.
    pub length: Length,
    /// Unprofiled iterations, interleaved with the measured ones; those in excess follow. Latency
    /// and throughput are computed from them, and the profiling overhead. [`AS_MEASURED`]: as many
    /// as are measured.
    #[serde(alias = "plain")] // as journals of sweeps called them
    pub unprofiled: u32,
    /// Iterations of one participant and kind before the next one's turn. A generation counts
    /// as one here and above, however many steps it has.
    pub turn: NonZeroU32,
}

impl Schedule {
    /// Unprofiled iterations beside this many measured ones.
    pub fn unprofiled_of(&self, measured: u32) -> f64 {
        f64::from(if self.unprofiled == AS_MEASURED { measured } else { self.unprofiled })
    }
}

/// Progress of a launch.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Whether it has measured nothing yet.
    pub warming_up: bool,
    /// Measured iterations so far, of each participant.
    pub measured: u32,
    /// Finished share of the warm-up or of the measured iterations, from 0 to 1.
    pub share: f64,
}

/// Callbacks of a launch; a closure that takes its [`Progress`] waits for nobody.
pub trait LaunchHooks {
    /// Before each round.
    fn progress(&mut self, progress: Progress);

    /// Everything is loaded. Returns when the launch may begin.
    fn wait_for_start(&mut self) {}

    /// The schedule is at its end. Whether peers measure still: then the model goes on
    /// running without being recorded, so that they have the load that they began with.
    fn peers_running(&mut self) -> bool {
        false
    }
}

impl<F: FnMut(Progress)> LaunchHooks for F {
    fn progress(&mut self, progress: Progress) {
        self(progress);
    }
}

/// Outcome of a launch.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The recording of each participant.
    pub recorded: Vec<Recorded>,
    /// Whether `stop` ended it early.
    pub interrupted: bool,
}

/// Why a participant's launch failed, which ends those of all.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub struct Failure {
    /// Position of the participant.
    pub participant: usize,
    /// The reason.
    #[source]
    pub error: RecordError,
}

/// A model that is recorded, and what it runs on.
pub struct Participant<'a> {
    /// The model, in its engine.
    pub model: &'a Model,
    /// The work of an iteration.
    pub workload: &'a Workload,
    /// Options of the recording.
    pub options: LaunchOptions,
}

/// Records one launch of each participant. `stop` is looked at after every round;
/// what was recorded until then is closed properly.
///
/// # Errors
///
/// If a model fails or a recording cannot be written. What was recorded until then
/// stays, but for recordings without an iteration, and those of the others are closed.
pub fn record(
    participants: &[Participant],
    schedule: &Schedule,
    stop: &AtomicBool,
    mut hooks: impl LaunchHooks,
) -> Result<Outcome, Failure> {
    let mut sides: Vec<Side> = Vec::new();
    let run = participants
        .iter()
        .enumerate()
        .try_for_each(|(participant, Participant { model, workload, options })| {
            let launch = Launch::begin_workload(model, workload, options);
            let launch = launch.map_err(|error| Failure { participant, error })?;
            sides.push(Side { launch, workload });
            Ok(())
        })
        .and_then(|()| {
            hooks.wait_for_start();
            run(&mut sides, schedule, stop, &mut hooks)
        })
        .and_then(|interrupted| {
            while !interrupted && !stop.load(Ordering::Relaxed) && hooks.peers_running() {
                // Not recorded: these would be beside fewer and fewer peers.
                run_unrecorded(&mut sides)?;
            }
            Ok(interrupted)
        });
    let failed = run.as_ref().err().map(|failure| failure.participant);
    // All are closed, whichever fails.
    let mut recorded = Vec::new();
    let mut unfinished = None;
    for (participant, Side { launch, .. }) in sides.into_iter().enumerate() {
        // Without an instrumented iteration, a launch is kept only if none was planned.
        let ended_early = !matches!(run, Ok(false));
        if failed == Some(participant) || ended_early && launch.iterations() == 0 {
            launch.abandon();
            continue;
        }
        match launch.finish() {
            Ok(files) => recorded.push(files),
            Err(error) => drop(unfinished.get_or_insert(Failure { participant, error })),
        }
    }
    let interrupted = run?;
    match unfinished {
        None => Ok(Outcome { recorded, interrupted }),
        Some(failure) => Err(failure),
    }
}

struct Side<'a> {
    launch: Launch,
    workload: &'a Workload,
}

/// Calibrations while a launch measures, besides the one before.
const CALIBRATIONS: f64 = 4.0;
/// Profiling cost does not change within this time.
const CALIBRATED_FOR: Nanoseconds = Nanoseconds(250_000_000);
/// An iteration of less time notices what ran before it.
const QUICK: Nanoseconds = Nanoseconds(10_000_000);

/// Runs the schedule; true if it was interrupted.
fn run(
    sides: &mut [Side],
    schedule: &Schedule,
    stop: &AtomicBool,
    hooks: &mut impl LaunchHooks,
) -> Result<bool, Failure> {
    if stop.load(Ordering::Relaxed) {
        return Ok(true);
    }
    let turn = schedule.turn.get();
    for (number, done) in (0..).zip((0..schedule.warmup).step_by(turn as usize)) {
        let share = f64::from(done) / f64::from(schedule.warmup);
        hooks.progress(Progress { warming_up: true, measured: 0, share });
        let turns = [(IterationKind::WarmUp, turn.min(schedule.warmup - done))];
        round(sides, number, &turns, stop)?;
        if stop.load(Ordering::Relaxed) {
            return Ok(true);
        }
    }
    if schedule.unprofiled > 0 {
        // The unprofiled runners are as warm then as the instrumented ones.
        run_unrecorded(sides)?;
    }
    let now = |sides: &[Side]| sides.first().map(|side| side.launch.clock().now());
    let begun = now(sides).unwrap_or_default();
    let (mut measured, mut measured_before, mut unprofiled) = (0, 0, 0);
    let (mut calibrations, mut calibrated) = (1.0, begun);
    for number in 0.. {
        let share = match schedule.length {
            Length::Iterations(count) => {
                f64::from(measured + unprofiled)
                    / (f64::from(count) + schedule.unprofiled_of(count)).max(1.0)
            }
            Length::Duration(duration) => {
                let spent = now(sides).unwrap_or_default() - begun;
                Duration::from_nanos(spent.0).div_duration_f64(duration)
            }
        };
        hooks.progress(Progress { warming_up: false, measured, share: share.min(1.0) });
        let since = now(sides).unwrap_or_default() - calibrated;
        // At even shares of the schedule; in a short launch less often, since little changes.
        if share * CALIBRATIONS > calibrations && since >= CALIBRATED_FOR {
            calibrations += 1.0;
            sides.iter_mut().for_each(|side| side.launch.calibrate());
            // What is quick must not find the caches as the chains left them.
            if since.0 / u64::from(measured - measured_before).max(1) < QUICK.0 {
                run_unrecorded(sides)?;
            }
            (calibrated, measured_before) = (now(sides).unwrap_or_default(), measured);
        }
        let left = match schedule.length {
            Length::Iterations(count) => count.saturating_sub(measured),
            // One iteration at least: a latency longer than the duration is still measured.
            Length::Duration(_) if measured > 0 && share >= 1.0 => 0,
            Length::Duration(_) => u32::MAX - measured,
        };
        let unprofiled_left = match schedule.unprofiled {
            AS_MEASURED => left,
            // Counted apart: where more are planned than measured ones, the rest follows alone.
            count => count.saturating_sub(unprofiled),
        };
        if left == 0 && unprofiled_left == 0 {
            break;
        }
        let turns = [
            (IterationKind::Measured, turn.min(left)),
            (IterationKind::Unprofiled, turn.min(unprofiled_left)),
        ];
        round(sides, number, &turns, stop)?;
        measured += turns[0].1;
        unprofiled += turns[1].1;
        if stop.load(Ordering::Relaxed) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// An iteration of each participant that leaves no trace.
fn run_unrecorded(sides: &mut [Side]) -> Result<(), Failure> {
    for (participant, Side { launch, workload }) in sides.iter_mut().enumerate() {
        launch.run_unrecorded(workload).map_err(|error| Failure { participant, error })?;
    }
    Ok(())
}

/// A turn of each participant and kind, of this many iterations. Every other round the
/// participants swap places, and every two rounds the kinds.
fn round(
    sides: &mut [Side],
    number: u32,
    turns: &[(IterationKind, u32)],
    stop: &AtomicBool,
) -> Result<(), Failure> {
    for place in 0..turns.len() {
        let last = turns.len() - 1;
        // Bit 1 swaps the kinds, bit 0 the participants: all four orders come up in four rounds.
        let (kind, iterations) = turns[if number & 2 == 0 { place } else { last - place }];
        for place in 0..sides.len() {
            let last = sides.len() - 1;
            let participant = if number & 1 == 0 { place } else { last - place };
            let Side { launch, workload } = &mut sides[participant];
            for _ in 0..iterations {
                launch
                    .run_workload(workload, kind, stop)
                    .map_err(|error| Failure { participant, error })?;
            }
        }
    }
    Ok(())
}

//! The recording loop: warm up, measure, and now and then run plainly.
//!
//! Several participants take turns in one process, iteration by iteration, and swap
//! places from round to round, so that what changes on the machine meanwhile falls on
//! all alike. With two of them, where small letters are plain iterations:
//!
//! ```text
//! Aa Bb  Bb Aa  Aa Bb  Bb Aa …
//! ```

use crate::engine::Model;
use crate::error::RecordError;
use crate::launch::{Launch, LaunchOptions, Recorded};
use crate::tensor::Tensor;
use onnxray_format::IterationKind;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// When to stop measuring.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Length {
    /// After so many measured iterations.
    Iterations(u32),
    /// At least one iteration is measured, however short the duration.
    Duration(Duration),
}

/// What a launch runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Schedule {
    /// Instrumented iterations before the measured ones; kept and flagged.
    pub warmup: u32,
    /// When to stop measuring.
    pub length: Length,
    /// How many of the measured iterations are each followed by one without
    /// instrumentation: the yardstick for the overhead of recording.
    pub plain: u32,
}

/// How far a launch is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Whether it has measured nothing yet.
    pub warming_up: bool,
    /// Measured iterations so far, of each participant.
    pub measured: u32,
    /// Of the warm-up or of the measured iterations, from 0 to 1.
    pub share: f64,
}

/// How a launch ended.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The recording of each participant.
    pub recorded: Vec<Recorded>,
    /// Whether `stop` ended it before its schedule did.
    pub interrupted: bool,
}

/// A model that is recorded, and what it runs on.
pub struct Participant<'a> {
    /// The model, in its engine.
    pub model: &'a Model,
    /// Values for all iterations, in the order of the graph's inputs.
    pub inputs: &'a [Tensor],
    /// How and where it is recorded.
    pub options: LaunchOptions,
}

/// Records one launch of each participant. `stop` is looked at after every round;
/// what was recorded until then is closed properly.
///
/// # Errors
///
/// If a model fails or a recording cannot be written. What was recorded until then
/// stays, but for recordings without an iteration.
pub fn record(
    participants: &[Participant],
    schedule: &Schedule,
    stop: &AtomicBool,
    mut progress: impl FnMut(Progress),
) -> Result<Outcome, RecordError> {
    let mut turns: Vec<Turn> = Vec::new();
    let run = participants
        .iter()
        .try_for_each(|participant| {
            let launch = Launch::begin(participant.model, &participant.options)?;
            turns.push(Turn { launch, inputs: participant.inputs });
            Ok(())
        })
        .and_then(|()| run(&mut turns, schedule, stop, &mut progress));
    let launches = turns.into_iter().map(|turn| turn.launch);
    match run {
        Ok(interrupted) => {
            // All are closed, whichever fails.
            let recorded: Vec<_> = launches.map(Launch::finish).collect();
            Ok(Outcome { recorded: recorded.into_iter().collect::<Result<_, _>>()?, interrupted })
        }
        Err(error) => {
            launches.for_each(Launch::abandon);
            Err(error)
        }
    }
}

/// One participant's part in a round.
struct Turn<'a> {
    launch: Launch,
    inputs: &'a [Tensor],
}

/// Whether it was interrupted.
fn run(
    turns: &mut [Turn],
    schedule: &Schedule,
    stop: &AtomicBool,
    progress: &mut impl FnMut(Progress),
) -> Result<bool, RecordError> {
    for done in 0..schedule.warmup {
        let share = f64::from(done) / f64::from(schedule.warmup);
        progress(Progress { warming_up: true, measured: 0, share });
        round(turns, done, &[IterationKind::WarmUp])?;
        if stop.load(Ordering::Relaxed) {
            return Ok(true);
        }
    }
    if schedule.plain > 0 {
        for Turn { launch, inputs } in turns.iter_mut() {
            launch.warm_up_plain(inputs)?;
        }
    }
    let begun = Instant::now();
    let mut measured = 0;
    loop {
        let share = match schedule.length {
            Length::Iterations(count) => f64::from(measured) / f64::from(count.max(1)),
            Length::Duration(duration) => begun.elapsed().div_duration_f64(duration),
        };
        progress(Progress { warming_up: false, measured, share: share.min(1.0) });
        let enough = match schedule.length {
            Length::Iterations(count) => measured >= count,
            Length::Duration(_) => measured > 0 && share >= 1.0,
        };
        if enough {
            return Ok(false);
        }
        let kinds = [IterationKind::Measured, IterationKind::Plain];
        let with_plain = measured < schedule.plain;
        round(turns, measured, &kinds[..1 + usize::from(with_plain)])?;
        measured += 1;
        if stop.load(Ordering::Relaxed) {
            return Ok(true);
        }
    }
}

/// Runs iterations of these kinds of every participant, in the order of `turns` or,
/// every other time, in the reverse order.
fn round(turns: &mut [Turn], number: u32, kinds: &[IterationKind]) -> Result<(), RecordError> {
    let forward = number.is_multiple_of(2);
    let count = turns.len();
    for place in 0..count {
        let Turn { launch, inputs } = &mut turns[if forward { place } else { count - 1 - place }];
        for &kind in kinds {
            launch.run(inputs, kind)?;
        }
    }
    Ok(())
}

//! The recording loop: warm up, measure, and now and then run plainly.

use crate::error::RecordError;
use crate::launch::{Launch, LaunchOptions, Recorded};
use crate::model::Model;
use onnxray_format::IterationKind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tract_onnx::prelude::*;

/// When to stop measuring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Length {
    Iterations(u32),
    /// At least one iteration is measured, however short the duration.
    Duration(Duration),
}

/// What a launch runs.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    /// Instrumented iterations before the measured ones; kept and flagged.
    pub warmup: u32,
    pub length: Length,
    /// How many of the measured iterations are each followed by one without
    /// instrumentation: the yardstick for the overhead of recording.
    pub plain: u32,
}

/// How far a launch is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    pub warming_up: bool,
    pub measured: u32,
    /// From 0 to 1.
    pub share: f64,
}

/// How a launch ended.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub recorded: Recorded,
    /// Whether `stop` ended it before its schedule did.
    pub interrupted: bool,
}

/// Records one launch of `model` on `inputs`. `stop` is looked at after every
/// iteration; what was recorded until then is closed properly.
pub fn record(
    model: &Model,
    inputs: &[Tensor],
    options: &LaunchOptions,
    schedule: &Schedule,
    stop: &AtomicBool,
    mut progress: impl FnMut(Progress),
) -> Result<Outcome, RecordError> {
    let mut launch = Launch::begin(model, options)?;
    match run(&mut launch, inputs, schedule, stop, &mut progress) {
        Ok(interrupted) => Ok(Outcome { recorded: launch.finish()?, interrupted }),
        Err(error) => {
            launch.abandon();
            Err(error)
        }
    }
}

/// Whether it was interrupted.
fn run(
    launch: &mut Launch,
    inputs: &[Tensor],
    schedule: &Schedule,
    stop: &AtomicBool,
    progress: &mut impl FnMut(Progress),
) -> Result<bool, RecordError> {
    // Every iteration gets tensors of its own, as from a caller that hands its
    // inputs over; they are made outside of the measured time.
    let fresh = || inputs.iter().map(|input| input.clone().into_tvalue()).collect::<TVec<_>>();
    for done in 0..schedule.warmup {
        let share = f64::from(done) / f64::from(schedule.warmup);
        progress(Progress { warming_up: true, measured: 0, share });
        launch.run_recorded(fresh(), IterationKind::WarmUp)?;
        if stop.load(Ordering::Relaxed) {
            return Ok(true);
        }
    }
    if schedule.plain > 0 {
        launch.warm_up_plain(fresh())?;
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
        launch.run_recorded(fresh(), IterationKind::Measured)?;
        measured += 1;
        if measured <= schedule.plain {
            launch.run_plain(fresh())?;
        }
        if stop.load(Ordering::Relaxed) {
            return Ok(true);
        }
    }
}

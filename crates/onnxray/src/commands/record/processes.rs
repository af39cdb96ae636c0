//! Launches in processes of this program.

use super::messages::label;
use crate::commands::signals::Stop;
use crate::engine_process::{part, worker};
use crate::exit::Ended;
use crate::progress::Lines;
use anyhow::anyhow;
use onnxray_recorder::engine::EngineSpec;
use onnxray_recorder::engine::onnxruntime::OnnxRuntimeOptions;
use onnxray_recorder::study::{self, StudyError};
use onnxray_recorder::{LaunchError, LaunchSpec, Launches, Trial};
use onnxray_study::Left;
use onnxray_text::{counted, shown};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs launches in processes of this program, as many as planned or until `enough`.
pub(super) fn start(
    launches: &Launches,
    stop: &AtomicBool,
    mut enough: impl FnMut(u32) -> bool,
) -> anyhow::Result<Ended> {
    // Each launch draws a bar of its own; where there is none, nobody saw how many there are.
    let lines = Lines::new();
    let of_all = |done: u32| {
        let all = launches.specs().first().and_then(|spec| spec.options.launches);
        let share = all.map_or(0.0, |all| f64::from(done) / f64::from(all.max(1)));
        lines.say(&format!("{} recorded", of_launches(done, all)), share, Left::Unknown);
        enough(done)
    };
    match launches.run(launch_command()?, stop, of_all) {
        Ok(interrupted) => Ok(Ended::of_recording(interrupted)),
        // The only launch has said itself why it failed, if it could.
        Err(LaunchError::Failed { launches: Some(1), recording: Some(_), status, .. })
            if status.code().is_some_and(|code| code != 0) =>
        {
            Ok(Ended::Told)
        }
        Err(error @ LaunchError::Failed { recording: Some(recording), .. }) => {
            let spec = &launches.specs()[recording];
            Err(anyhow!("{}{error}{}", label(spec), library_of(spec)))
        }
        Err(error) => Err(error.into()),
    }
}

/// Launches that are done, of all if their number is known.
fn of_launches(done: u32, all: Option<u32>) -> String {
    match all {
        Some(all) => format!("{done} of {}", counted(all.into(), "launch", "launches")),
        None => counted(done.into(), "launch", "launches"),
    }
}

/// Makes processes that run launches.
pub(in crate::commands) fn launch_command() -> anyhow::Result<impl Fn() -> Command> {
    part("launch")
}

/// Tries a launch out; `None` if the user asked to end meanwhile, which no trial outlives.
pub(in crate::commands) fn try_out(
    spec: &LaunchSpec,
    stop: &Stop,
) -> anyhow::Result<Option<Trial>> {
    // Loading cannot be interrupted: `stop` tells that to a user who asks meanwhile.
    stop.set_loading(true);
    let tried = tried_apart(spec);
    stop.set_loading(false);
    // Before the trial's result: an interrupt makes it fail, and is why.
    if stop.asked().load(Ordering::Relaxed) {
        return Ok(None);
    }
    tried.map(Some)
}

/// In a process of its own: what an engine folds of a model may end it.
fn tried_apart(spec: &LaunchSpec) -> anyhow::Result<Trial> {
    study::try_out(spec, worker()?()).map_err(|error| match error {
        StudyError::Ended(status) => {
            let (label, library) = (label(spec), library_of(spec));
            anyhow!("{label}the engine ended its process: {status}{library}")
        }
        StudyError::Process(error) => anyhow!("cannot try a launch out: {error}"),
        error => error.into(),
    })
}

/// Which library ended a process, if one was named.
fn library_of(spec: &LaunchSpec) -> String {
    match &spec.engine {
        EngineSpec::OnnxRuntime(OnnxRuntimeOptions { library: Some(library), .. }) => {
            format!("\nhint: its library is {}", shown(Path::new(library)))
        }
        _ => String::new(),
    }
}

//! One launch, in this process.

use super::messages::{label, shown};
use super::signals::Stop;
use crate::exit::Ended;
use crate::progress::Progress;
use anyhow::anyhow;
use onnxray_recorder::{LaunchSpec, Outcome, RecordError};
use std::io;
use std::path::PathBuf;

/// `onnxray launch`: the launch that the process which started this one describes on
/// standard input. That process checks and reports.
pub(crate) fn run_described() -> anyhow::Result<Ended> {
    let stop = Stop::on_signals()?;
    let spec = LaunchSpec::read(io::stdin().lock())
        .map_err(|error| anyhow!("standard input describes no launch: {error}"))?;
    stop.at_end_of_input();
    run(&spec, &stop).map(|(_, ended)| ended)
}

/// Records one launch: its trace, and how it ended.
pub(super) fn run(spec: &LaunchSpec, stop: &Stop) -> anyhow::Result<(Vec<PathBuf>, Ended)> {
    let progress = Progress::new();
    let label = match &spec.options.place {
        Some(place) => {
            format!("{}launch {} of {}: ", label(spec), place.number + 1, spec.options.launches)
        }
        None => String::new(),
    };
    progress.show(format!("{label}loading"), 0.0);
    stop.set_loading(true);
    let outcome = spec.run(stop.asked(), |state| {
        stop.set_loading(false);
        let activity = if state.warming_up { "warming up" } else { "measuring" };
        progress.show(format!("{label}{activity}"), state.share);
    });
    stop.set_loading(false);
    progress.clear();
    let Outcome { recorded, interrupted } = outcome.map_err(|error| name_model(spec, error))?;
    let traces = recorded.into_iter().map(|recorded| recorded.trace).collect();
    Ok((traces, Ended::of_recording(interrupted)))
}

/// Where there are two models, says which one an error is about.
pub(super) fn name_model(spec: &LaunchSpec, error: RecordError) -> anyhow::Error {
    use RecordError::{InputFile, NotOnnx, ReadModel, Write};
    match error {
        _ if !spec.dimensions.for_several => error.into(),
        // They name a file already.
        ReadModel { .. } | NotOnnx { .. } | InputFile { .. } | Write { .. } => error.into(),
        error => anyhow!("{}: {error}", shown(spec)),
    }
}

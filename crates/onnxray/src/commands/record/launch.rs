//! One launch, or one of each of two recordings, in this process.

use super::messages::{label, shown};
use super::whole::Whole;
use crate::commands::signals::Stop;
use crate::exit::Ended;
use crate::message;
use crate::progress::Progress;
use anyhow::anyhow;
use onnxray_recorder::engine::Engines;
use onnxray_recorder::{
    Failure, LaunchHooks, LaunchOptions, LaunchSpec, Outcome, Peers, ProcessSpec,
    Progress as State, RecordError, nth_launch,
};
use onnxray_text::printable;
use std::io;
use std::path::PathBuf;

/// `onnxray launch`: runs the launches that its parent describes on standard input. The parent
/// checks and reports.
pub(crate) fn run_described(engines: &dyn Engines) -> anyhow::Result<Ended> {
    let stop = Stop::on_signals()?;
    let process = ProcessSpec::read(io::stdin().lock())
        .map_err(|error| anyhow!("standard input describes no launch: {error}"))?;
    // Bytes after the description mean `go`; the end of the input means stop.
    let go = stop.at_end_of_input()?;
    let is_alone = process.launches.iter().all(|launch| launch.options.instances == 1);
    let (_, ended) = match is_alone {
        true => run(&process, engines, &stop)?,
        // The process that started this one shows how far all are.
        false => {
            let peers = Peers::new(stop.asked(), engines.clock(), go, io::stdout());
            record(&process, engines, &stop, &launch_label(&process), peers)?
        }
    };
    Ok(ended.of_service())
}

/// Records launches and shows how far they are: their traces, and how they ended.
pub(super) fn run(
    process: &ProcessSpec,
    engines: &dyn Engines,
    stop: &Stop,
) -> anyhow::Result<(Vec<PathBuf>, Ended)> {
    let progress = Progress::new();
    let label = launch_label(process);
    let mut whole = Whole::of(process);
    progress.show(format!("{label}loading"), whole.begun_at(), None);
    stop.set_loading(true);
    let recorded = record(process, engines, stop, &label, |state: State| {
        stop.set_loading(false);
        let activity = if state.warming_up { "warming up" } else { "measuring" };
        let (share, left) = whole.at(state);
        progress.show(format!("{label}{activity}"), share, left);
    });
    stop.set_loading(false);
    progress.clear();
    recorded
}

/// Prefix of messages about launches.
fn launch_label(process: &ProcessSpec) -> String {
    let whose = match process.launches.as_slice() {
        [only] => label(only),
        _ => String::new(),
    };
    let options = process.launches.first().map(|launch| &launch.options);
    match options.and_then(|options| Some((options.place.as_ref()?, options))) {
        Some((place, LaunchOptions { instances: instances @ 2.., launches, .. })) => {
            // Launches are numbered over all rounds, instance by instance.
            let instance = format!("instance {} of {instances}", place.number % instances + 1);
            match launches {
                Some(launches) if launches == instances => format!("{instance}: "),
                _ => format!("round {}, {instance}: ", place.number / instances + 1),
            }
        }
        Some((place, options)) => {
            format!("{whose}launch {}: ", nth_launch(place.number, options.launches))
        }
        None => whose,
    }
}

fn record(
    process: &ProcessSpec,
    engines: &dyn Engines,
    stop: &Stop,
    label: &str,
    hooks: impl LaunchHooks,
) -> anyhow::Result<(Vec<PathBuf>, Ended)> {
    let outcome = process.run(engines, stop.asked(), hooks);
    let Outcome { recorded, interrupted } = outcome.map_err(|failure| {
        let Failure { participant, error } = failure;
        match process.launches.get(participant) {
            Some(spec) => name_model(spec, error),
            None => error.into(),
        }
    })?;
    for lost in recorded.iter().filter_map(|recorded| recorded.lost.as_ref()) {
        message::warning(format_args!(
            "{label}operators of some iterations are lost: {}",
            printable(lost)
        ));
    }
    let traces = recorded.into_iter().map(|recorded| recorded.trace).collect();
    Ok((traces, Ended::of_recording(interrupted)))
}

/// Prefixes an error with its model, if there are two.
pub(in crate::commands) fn name_model(spec: &LaunchSpec, error: RecordError) -> anyhow::Error {
    use RecordError::{InputFile, NotOnnx, OtherFile, ReadFile, Write};
    match error {
        _ if !spec.dimensions.for_several => error.into(),
        // They name a file already.
        ReadFile { .. } | OtherFile { .. } | NotOnnx { .. } | InputFile { .. } | Write { .. } => {
            error.into()
        }
        error => anyhow!("{}: {error}", shown(spec)),
    }
}

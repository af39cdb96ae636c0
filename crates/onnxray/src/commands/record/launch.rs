//! One launch, in this process.

use super::Recording;
use crate::args::{PlaceArguments, RecordArguments};
use crate::commands;
use crate::exit::Ended;
use crate::progress::Progress;
use anyhow::anyhow;
use onnxray_format::layout::Numbering;
use onnxray_format::{Interleaved, OperatorArguments};
use onnxray_recorder::{
    GivenDimensions, InputFiles, LaunchOptions, Length, Model, Outcome, RecordError, Schedule,
    Tensor, inputs, record,
};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Records one launch: its trace, and how it ended.
pub fn run(
    arguments: &RecordArguments,
    recording: &Recording,
    stop: &AtomicBool,
) -> anyhow::Result<(Vec<PathBuf>, Ended)> {
    let progress = Progress::new();
    let label = match arguments.place.launch {
        Some(launch) => {
            format!("{}launch {} of {}: ", recording.label, launch + 1, arguments.launches)
        }
        None => String::new(),
    };
    progress.show(format!("{label}loading"), 0.0);
    let (model, values) = load(arguments, recording)?;
    let schedule = Schedule {
        warmup: arguments.warmup,
        length: match arguments.duration {
            Some(seconds) => Length::Duration(Duration::from_secs_f64(seconds)),
            None => Length::Iterations(arguments.iterations),
        },
        plain: arguments.plain_iterations,
    };
    let options = LaunchOptions {
        folder: recording.folder.clone(),
        profile: recording.profile.clone(),
        threads: arguments.threads,
        numbering: numbering(&arguments.place),
        launches: arguments.launches,
        interleaved: interleaved(&arguments.place),
        warmup: arguments.warmup,
        inputs: Some(describe_inputs(&input_files(arguments), arguments.seed)),
        arguments: match arguments.full_args {
            true => OperatorArguments::Always,
            false => OperatorArguments::WhenChanged,
        },
    };
    let outcome = record(&model, &values, &options, &schedule, stop, |at| {
        let what = if at.warming_up { "warming up" } else { "measuring" };
        progress.show(format!("{label}{what}"), at.share);
    });
    progress.clear();
    let Outcome { recorded, interrupted } =
        outcome.map_err(|error| name_model(arguments, recording, error))?;
    let ended = if interrupted { Ended::Interrupted } else { Ended::Done };
    Ok((vec![recorded.trace], ended))
}

/// Loads the model, and makes values for its inputs.
pub fn load(
    arguments: &RecordArguments,
    recording: &Recording,
) -> anyhow::Result<(Model, Vec<Tensor>)> {
    let given = GivenDimensions {
        for_several: arguments.against.is_some(),
        ..commands::sizes(&arguments.model)
    };
    let load = || -> Result<(Model, Vec<Tensor>), RecordError> {
        let model = Model::load(&recording.model, &given)?;
        let values = inputs(&model, &input_files(arguments), arguments.seed)?;
        Ok((model, values))
    };
    load().map_err(|error| name_model(arguments, recording, error))
}

/// Where there are two models, says which one an error is about.
fn name_model(
    arguments: &RecordArguments,
    recording: &Recording,
    error: RecordError,
) -> anyhow::Error {
    use RecordError::{InputFile, NotOnnx, ReadModel, Write};
    match error {
        _ if arguments.against.is_none() => error.into(),
        // They name a file already.
        ReadModel { .. } | NotOnnx { .. } | InputFile { .. } | Write { .. } => error.into(),
        error => anyhow!("{}: {error}", recording.model.display()),
    }
}

fn input_files(arguments: &RecordArguments) -> InputFiles {
    arguments.inputs.iter().cloned().collect()
}

fn numbering(place: &PlaceArguments) -> Numbering {
    match (place.launch, &place.launch_time) {
        (Some(number), Some(time)) => Numbering::Planned { time: time.clone(), number },
        _ => LaunchOptions::default().numbering,
    }
}

fn interleaved(place: &PlaceArguments) -> Option<Interleaved> {
    Some(Interleaved { with: place.launch_with.clone()?, position: place.launch_position? })
}

fn describe_inputs(files: &InputFiles, seed: u64) -> String {
    let given = files.iter().map(|(name, path)| format!("{name}={}", path.display()));
    let given: Vec<String> = given.collect();
    match given.is_empty() {
        true => format!("random, seed {seed}"),
        false => format!("{}; others random, seed {seed}", given.join(", ")),
    }
}

//! Two models, or two configurations of one, in turns.

use super::messages::{label, shown, tell, tell_interrupted};
use super::processes::{self, start};
use super::until::Until;
use crate::args::Recordings;
use crate::commands::has_losses;
use crate::commands::signals::Stop;
use crate::exit::Ended;
use crate::message;
use crate::output;
use crate::progress::Progress;
use anyhow::bail;
use onnxray_analyzer::comparison::{ENOUGH_LAUNCHES, are_versions};
use onnxray_analyzer::statistics::FEWEST_UNITS;
use onnxray_format::{fold, printable};
use onnxray_recorder::engine::Engines;
use onnxray_recorder::{
    LaunchSpec, Launches, Schedule, Trial, Turns, check_memory, iterations_per_turn,
};
use std::path::{Path, PathBuf};

pub(super) fn run(
    recordings: &Recordings,
    engines: &dyn Engines,
    stop: &Stop,
) -> anyhow::Result<Ended> {
    let specs = recordings.specs.as_slice();
    stop.set_loading(true);
    let tried = try_out(specs, engines);
    stop.set_loading(false);
    let trials = tried?;
    warn_of_other_model(specs, &trials);
    let schedule = match recordings.turns {
        Turns::Launches => recordings.schedule,
        Turns::Iterations => {
            check_memory(&trials)?;
            in_turns(recordings, &trials)
        }
    };
    warn_of_few(specs);
    let launches = Launches::plan(specs.to_vec(), schedule, recordings.turns)?;
    let mut until = recordings.until.map(|goal| Until::begin(goal, specs, engines.clock()));
    let ended = start(&launches, stop.asked(), |recorded| {
        until.as_mut().is_some_and(|until| until.is_reached(recorded, &launches.traces()))
    });
    if let Some(until) = until.filter(|_| matches!(ended, Ok(Ended::Done))) {
        until.tell();
    }
    let lost = tell_both(recordings, &launches.traces(), &ended);
    let ended = ended?; // outranks a failed summary
    lost.map(|lost| ended.with_losses(lost))
}

/// The schedule, with turns that are long enough if the user did not say how long.
fn in_turns(recordings: &Recordings, trials: &[Trial]) -> Schedule {
    let schedule = recordings.schedule;
    let latencies = trials.iter().map(|trial| trial.latency);
    let turn = iterations_per_turn(latencies, schedule.length);
    Schedule { turn: recordings.turn.unwrap_or(turn), ..schedule }
}

fn warn_of_few(specs: &[LaunchSpec]) {
    let Some(launches) = specs.first().and_then(|spec| spec.options.launches) else { return };
    let (limit, missed) = match launches as usize {
        ..FEWEST_UNITS => (FEWEST_UNITS, "has to take blocks of iterations, which say less"),
        FEWEST_UNITS..ENOUGH_LAUNCHES => {
            (ENOUGH_LAUNCHES, "misses what changes in small layers alone")
        }
        _ => return,
    };
    message::note(format_args!(
        "with fewer than {limit} launches of each model, a comparison {missed}; --launches \
         {ENOUGH_LAUNCHES} does better"
    ));
}

/// Says at once that the models seem to be different ones, which `compare` would refuse.
fn warn_of_other_model(specs: &[LaunchSpec], trials: &[Trial]) {
    let ([a, b], [of_a, of_b]) = (specs, trials) else { return };
    let operators = [of_a, of_b].map(|trial| fold(trial.operators.clone()).0);
    if !are_versions(&operators[0], &operators[1]) {
        message::warning(format_args!(
            "{} and {} seem to be different models: by names, tensors and shapes, few of their \
             operators align; `onnxray compare` takes them with --allow-model-mismatch only",
            shown(a),
            shown(b)
        ));
    }
}

/// Loads both models and their inputs once and runs them, so that what one of them is
/// refused for costs no launch of the other.
fn try_out(specs: &[LaunchSpec], engines: &dyn Engines) -> anyhow::Result<Vec<Trial>> {
    let mut trials: Vec<Trial> = Vec::new();
    for spec in specs {
        let progress = Progress::working(format!("{}checking", label(spec)));
        let tried = processes::try_out(spec, engines);
        progress.clear();
        trials.push(tried?);
    }
    let mut given = specs.iter().flat_map(|spec| spec.dimensions.sizes.keys());
    let has = |trial: &Trial, name: &String| trial.dimensions.contains(name);
    if let Some(name) = given.find(|name| !trials.iter().any(|trial| has(trial, name))) {
        let lists =
            specs.iter().zip(&trials).map(|(spec, trial)| match trial.dimensions.as_slice() {
                [] => format!("{} has no free dimensions", shown(spec)),
                names => format!("those of {} are {}", shown(spec), printable(&names.join(", "))),
            });
        let lists: Vec<String> = lists.collect();
        let name = printable(name);
        bail!("neither model has a free dimension `{name}`\nhint: {}", lists.join("; "));
    }
    Ok(trials)
}

/// Says what there is now of both recordings, however the launches ended, and whether something
/// of it is lost.
fn tell_both(
    recordings: &Recordings,
    files: &[Vec<PathBuf>],
    ended: &anyhow::Result<Ended>,
) -> anyhow::Result<bool> {
    let specs = recordings.specs.as_slice();
    for file in files.iter().flatten() {
        output::say(file.display())?;
    }
    if matches!(ended, Ok(Ended::Interrupted)) {
        tell_interrupted(files.iter().any(|files| !files.is_empty()));
    }
    let mut lost = false;
    for (spec, files) in specs.iter().zip(files).filter(|(_, files)| !files.is_empty()) {
        match tell(spec, files) {
            // Nothing to tell yet is not a failure of its own.
            Err(error) if !matches!(ended, Ok(Ended::Done)) => {
                message::note(format_args!("{}{error}", label(spec)));
            }
            told => lost |= has_losses(&told?.0),
        }
    }
    let recorded = specs.iter().zip(files).filter(|(_, files)| !files.is_empty());
    let folders: Vec<String> =
        recorded.map(|(spec, _)| message::quoted(Path::new(&spec.options.folder))).collect();
    match folders.as_slice() {
        [] => {}
        [only] => message::hint(format_args!("onnxray summary {only}")),
        both => {
            let keys: Vec<&str> = recordings.differences.iter().map(|field| field.key()).collect();
            let expected = match keys.as_slice() {
                [] => String::new(),
                keys => format!(" --expect-different {}", keys.join(",")),
            };
            message::hint(format_args!("onnxray compare {}{expected}", both.join(" ")));
        }
    }
    Ok(lost)
}

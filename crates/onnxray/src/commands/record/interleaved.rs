//! Two models, or two configurations of one, in turns.

use super::costs::before_launches;
use super::messages::{examine, label, say_files, show, shown, tell_interrupted, tell_place, word};
use super::processes::{self, start};
use crate::args::Recordings;
use crate::commands::first_screen::checked;
use crate::commands::has_losses;
use crate::commands::signals::Stop;
use crate::destination::Destination;
use crate::exit::Ended;
use crate::message;
use crate::print;
use crate::progress::Progress;
use crate::study_host::Program;
use anyhow::bail;
use onnxray_analyzer::comparison::{ENOUGH_LAUNCHES, Options, Recording, are_versions, compare};
use onnxray_analyzer::statistics::FEWEST_UNITS;
use onnxray_format::fold;
use onnxray_recorder::engine::Engines;
use onnxray_recorder::{
    LaunchSpec, Launches, Schedule, Trial, Turns, check_memory, iterations_per_turn,
};
use onnxray_report::{ComparisonReport, ComparisonSelection, ComparisonView, Report};
use onnxray_study::until::Until;
use onnxray_text::printable;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

pub(super) fn run(
    mut recordings: Recordings,
    report: &Destination,
    engines: &dyn Engines,
    stop: &Stop,
) -> anyhow::Result<Ended> {
    let Some(trials) = try_out(&recordings.specs, stop)? else {
        tell_interrupted(false);
        return Ok(Ended::Interrupted);
    };
    note_equal(&recordings.specs);
    // After the trials: what a model is refused for costs no start of the other.
    let ends = before_launches(&mut recordings, engines, stop)?;
    let (recordings, specs) = (&recordings, recordings.specs.as_slice());
    warn_of_other_model(specs, &trials);
    let schedule = match recordings.turns {
        Turns::Launches => recordings.schedule,
        Turns::Iterations => {
            // Both models will be in the memory of one process.
            check_memory(&trials)?;
            in_turns(recordings, &trials)
        }
    };
    // Who asked to end wants no verdict.
    if !stop.asked().load(Ordering::Relaxed) {
        warn_of_few(specs);
    }
    let launches = Launches::plan(specs.to_vec(), schedule, recordings.turns)?;
    let program = Program::with(stop.clone())?;
    let host = program.host(engines.clock());
    let begin = |goal| Until::begin(goal, specs.iter().map(label).collect(), host);
    let mut until = recordings.until.map(begin);
    let ended = start(&launches, ends.asked(), |recorded| {
        until.as_mut().is_some_and(|until| until.is_reached(recorded, &launches.traces()))
    });
    let ended = ended.map(|ended| stop.outcome(ended));
    if let Some(until) = until.filter(|_| matches!(ended, Ok(Ended::Done))) {
        until.tell();
    }
    let lost = tell_both(recordings, report, &launches.traces(), &ended);
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
    // With --until, no number is given that could be too small.
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

/// Notes that both recordings are of the same: they differ by noise alone.
fn note_equal(specs: &[LaunchSpec]) {
    let [a, b] = specs else { return };
    let mut named = b.clone();
    if is_same_file(Path::new(&a.model), Path::new(&b.model)) {
        named.model.clone_from(&a.model);
    }
    named.options.folder.clone_from(&a.options.folder);
    named.options.profile.clone_from(&a.options.profile);
    if named == *a {
        message::note(
            "A and B are the same model with the same options: what differs is noise; \
             --against-options sets what B has of its own",
        );
    }
}

/// The same file, also by another path.
fn is_same_file(a: &Path, b: &Path) -> bool {
    let [a, b] = [a, b].map(Path::canonicalize);
    matches!((a, b), (Ok(a), Ok(b)) if a == b)
}

/// Warns early that the models seem to differ, which `compare` would refuse.
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
/// refused for costs no launch of the other; `None` if the user asked to end meanwhile.
fn try_out(specs: &[LaunchSpec], stop: &Stop) -> anyhow::Result<Option<Vec<Trial>>> {
    let mut trials: Vec<Trial> = Vec::new();
    for spec in specs {
        let progress = Progress::working(format!("{}checking", label(spec)));
        let tried = processes::try_out(spec, stop);
        progress.clear();
        let Some(trial) = tried? else { return Ok(None) };
        trials.push(trial);
    }
    // A size that one model lacks is for the other; one that both lack is a mistake.
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
    Ok(Some(trials))
}

/// Shows what there is of both recordings, however the launches ended; true if some of it is lost.
fn tell_both(
    recordings: &Recordings,
    report: &Destination,
    files: &[Vec<PathBuf>],
    ended: &anyhow::Result<Ended>,
) -> anyhow::Result<bool> {
    let specs = recordings.specs.as_slice();
    let recorded: Vec<(&LaunchSpec, &Vec<PathBuf>)> =
        specs.iter().zip(files).filter(|(_, files)| !files.is_empty()).collect();
    if matches!(ended, Ok(Ended::Interrupted)) {
        tell_interrupted(!recorded.is_empty());
    }
    let mut read = Vec::new();
    for (spec, files) in &recorded {
        match examine(spec, files) {
            Ok((recording, _)) => read.push(recording),
            // Nothing to tell yet is not a failure of its own.
            Err(error) if !matches!(ended, Ok(Ended::Done)) => {
                message::note(format_args!("{}{error}", label(spec)));
            }
            Err(error) => {
                files_of(&recorded).try_for_each(say_files)?;
                return Err(error);
            }
        }
    }
    match (read.as_slice(), recorded.as_slice()) {
        ([a, b], _) => verdict(a, b, recordings, report)?,
        ([only], [(_, files)]) => show(only, checked(only).as_ref(), files, BELOW),
        _ => {}
    }
    if !recorded.is_empty() {
        message::line("");
    }
    for (place, files) in files_of(&recorded).enumerate() {
        let name = match (place, recorded.len()) {
            (_, 1) => "Recording: ",
            (0, _) => "Recordings: ",
            _ => "            ",
        };
        tell_place(name, files);
    }
    files_of(&recorded).try_for_each(say_files)?;
    let folders: Vec<String> =
        recorded.iter().map(|(spec, _)| message::quoted(Path::new(&spec.options.folder))).collect();
    match recorded.as_slice() {
        [] => {}
        [(_, files)] => message::hint(format_args!("onnxray summary {}", word(files))),
        _ => {
            // Without these, `compare` would call the two not comparable.
            let keys: Vec<&str> = recordings.differences.iter().map(|field| field.key()).collect();
            let expected = match keys.as_slice() {
                [] => String::new(),
                keys => format!(" --expect-different {}", keys.join(",")),
            };
            message::hint(format_args!("onnxray compare {}{expected}", folders.join(" ")));
        }
    }
    Ok(read.iter().any(|recording| has_losses(&recording.summary)))
}

/// Lines of the recording and its hint, beyond those that hints take in a first screen.
const BELOW: usize = 1;

fn files_of<'a>(
    recorded: &[(&'a LaunchSpec, &'a Vec<PathBuf>)],
) -> impl Iterator<Item = &'a [PathBuf]> {
    recorded.iter().map(|(_, files)| files.as_slice())
}

/// Causes that are named below the verdict.
const CAUSES: usize = 4;

/// Columns of a cause on one line.
const SHOWN: [&str; 5] = ["cause", "a_ms", "b_ms", "difference_ms", "share_of_difference"];

/// Shows which of the two is faster, and what most of the difference is, and writes the report that
/// was asked for.
fn verdict(
    a: &Recording,
    b: &Recording,
    recordings: &Recordings,
    destination: &Destination,
) -> anyhow::Result<()> {
    let expected_differences = recordings.differences.clone();
    let options = Options { expected_differences, ..Options::default() };
    let comparison = match compare(a, b, &options) {
        Ok(comparison) => comparison,
        // Both recordings are whole all the same: this does not make `record` fail.
        Err(error) => {
            message::note(error);
            return Ok(());
        }
    };
    let selection = ComparisonSelection {
        views: vec![ComparisonView::Causes],
        rows: Some(CAUSES),
        totals: true,
        sure_causes: true,
        ..ComparisonSelection::default()
    };
    let report = ComparisonReport { baseline: a, versions: &[b], comparisons: &[comparison] };
    if let Some(path) = destination.report_file() {
        destination.check_rows(&[&a.summary, &b.summary])?;
        destination.write(&report)?;
        print::say(path.display())?;
    }
    let mut report = report.document(&selection);
    // `compare` says them; those of each recording stand above.
    report.take_notes();
    // Where layers explain nothing there are no causes; the headline says why.
    if report.table("causes").is_none() {
        print::show_report(&report);
        return Ok(());
    }
    match report.choosing(&SHOWN.map(str::to_string)) {
        Ok(report) => print::show_report(&report),
        Err(error) => message::note(error),
    }
    Ok(())
}

//! Records what is recommended next to the base, in launches that the search did not see.

use crate::args::InputArguments;
use crate::commands::input::Input;
use crate::commands::record::processes::launch_command;
use crate::commands::schedule::schedule;
use crate::commands::signals::Stop;
use crate::progress::Progress;
use anyhow::anyhow;
use onnxray_analyzer::comparison::{ENOUGH_LAUNCHES, Field, Options, Recording, compare};
use onnxray_analyzer::tune::Tuning;
use onnxray_format::{RuntimeChange, layout};
use onnxray_recorder::tune::{Survey, TuneEntry, TuneJournal, changed};
use onnxray_recorder::{
    Folders, LaunchOptions, LaunchSpec, Launches, Schedule, Turns, iterations_per_turn,
};
use onnxray_report::Verified;
use std::path::{Path, PathBuf};

/// Folders of the recordings, in that of the result.
pub(super) const FOLDERS: [&str; 2] = ["base", "tuned"];

/// What the recordings of the base and of what is recommended say, `Some(None)` if nothing is
/// recommended; `None` if it was interrupted.
pub(super) fn verify(
    tuning: &Tuning,
    base: &LaunchSpec,
    journal: &mut TuneJournal,
    survey: &Survey,
    stop: &Stop,
) -> anyhow::Result<Option<Option<Verified>>> {
    let Some(best) = &tuning.best else { return Ok(Some(None)) };
    let files = match recorded(journal, &best.changes) {
        Some(files) => files,
        None => {
            let specs = specs(base, &best.changes, journal.place());
            let Some(files) = record(specs, survey, stop)? else { return Ok(None) };
            let times = files.iter().filter_map(|files| layout::time_of(files.first()?));
            let times: Vec<String> = times.collect();
            if let Ok(recordings) = <[String; 2]>::try_from(times) {
                let changes = best.changes.clone();
                journal.keep(TuneEntry::Recorded { changes, recordings })?;
            }
            files
        }
    };
    compared(&files).map(|verified| Some(Some(verified)))
}

/// Launches of the base, and of the base with these changes.
fn specs(base: &LaunchSpec, changes: &[RuntimeChange], folder: &Path) -> Vec<LaunchSpec> {
    let changes = [&[], changes].into_iter();
    let spec = |(changes, name): (&[RuntimeChange], &str)| {
        let changed = changed(base, changes);
        let options = LaunchOptions {
            folder: folder.join(name).into(),
            profile: name.to_string(),
            launches: Some(ENOUGH_LAUNCHES as u32),
            ..changed.options.clone()
        };
        LaunchSpec { options, ..changed }
    };
    changes.zip(FOLDERS).map(spec).collect()
}

/// The traces of each; `None` if it was interrupted.
fn record(
    specs: Vec<LaunchSpec>,
    survey: &Survey,
    stop: &Stop,
) -> anyhow::Result<Option<Vec<Vec<PathBuf>>>> {
    let schedule = schedule(survey.latency, None);
    let turn = iterations_per_turn([survey.latency; 2], schedule.length);
    // Threads of one that wait in a busy loop would disturb the other.
    let is_alone = specs.iter().any(|spec| spec.options.threads > 1);
    let turns = if is_alone { Turns::Launches } else { Turns::Iterations };
    let _folders = Folders::prepare(specs.iter().map(|spec| Path::new(&spec.options.folder)))?;
    let planned = Launches::plan(specs, Schedule { turn, ..schedule }, turns)?;
    let progress = Progress::new();
    progress.show("verifying".to_string(), 0.0, None);
    let command = launch_command()?;
    let quiet = || {
        let mut command = command();
        command.arg("--quiet");
        command
    };
    let ended = planned.run(quiet, stop.asked(), |done| {
        let share = f64::from(done) / ENOUGH_LAUNCHES as f64;
        progress.show("verifying".to_string(), share, None);
        false
    });
    progress.clear();
    Ok((!ended?).then(|| planned.traces()))
}

/// The second recording next to the first.
fn compared(files: &[Vec<PathBuf>]) -> anyhow::Result<Verified> {
    let mut read = Vec::new();
    for (files, name) in files.iter().zip(FOLDERS) {
        let (summary, _, timeline) =
            Input::find(&InputArguments::files(files))?.examine_in_detail()?;
        read.push(Recording { label: name.to_string(), summary, timeline });
    }
    let [base, tuned] = <[Recording; 2]>::try_from(read)
        .map_err(|_| anyhow!("a recording of the result is missing"))?;
    let expected_differences = vec![Field::EngineOptions, Field::Threads];
    let options = Options { expected_differences, ..Options::default() };
    let comparison = compare(&base, &tuned, &options)?;
    Ok(Verified { base, tuned, comparison })
}

/// The traces of the recordings that the journal names for these changes, if they are still there.
fn recorded(journal: &TuneJournal, chosen: &[RuntimeChange]) -> Option<Vec<Vec<PathBuf>>> {
    let times = journal.entries().find_map(|entry| match entry {
        TuneEntry::Recorded { changes, recordings } if changes == chosen => Some(recordings),
        _ => None,
    })?;
    let files = |(name, time): (&str, &String)| -> Vec<PathBuf> {
        let traces = layout::list(&journal.place().join(name).join(layout::TRACE_FOLDER));
        let ours = traces.unwrap_or_default().into_iter().filter(|(_, own, _)| own == time);
        ours.map(|(path, _, _)| path).collect()
    };
    let files: Vec<Vec<PathBuf>> = FOLDERS.into_iter().zip(times).map(files).collect();
    files.iter().all(|files| !files.is_empty()).then_some(files)
}

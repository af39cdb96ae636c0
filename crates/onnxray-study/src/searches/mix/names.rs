//! Gives B the names of A, where a tool renamed its tensors.

use crate::host::{Host, WriteOwn};
use crate::journal::make_folder;
use anyhow::{anyhow, bail};
use onnxray_analyzer::study::corresponding;
use onnxray_format::MixRun;
use onnxray_recorder::OnnxNodes;
use onnxray_recorder::study::Worker;
use onnxray_recorder::study::mix::{MixSpec, MixSurvey, Renamed, is_renamed, with_names_of};
use onnxray_text::shown;
use std::fs;
use std::path::{Path, PathBuf};

/// Subfolder of the result for B with A's names.
const RENAMED: &str = "renamed";

/// Path of the renamed B in the folder of the result.
pub fn renamed(b: &Path, folder: &Path) -> PathBuf {
    folder.join(RENAMED).join(b.file_name().unwrap_or(b.as_os_str()))
}

/// Surveys both models, after renaming B if necessary: `spec` then refers to the copy in the folder
/// of the result. `None` if interrupted.
///
/// # Errors
///
/// If a model cannot be read or run, or if both do not compute the same.
pub fn survey(
    spec: &mut MixSpec,
    folder: &Path,
    write: WriteOwn,
    host: &Host,
) -> anyhow::Result<Option<MixSurvey>> {
    let (a, b) = (PathBuf::from(&spec.a.model), PathBuf::from(&spec.b));
    // Models with the same names need no guesses.
    if !is_renamed(&a, &b)? {
        return ask(spec, host);
    }
    // In a process of its own: what an engine folds of a model may end it.
    let read = |path: &Path| OnnxNodes::read_apart(path, &spec.a.dimensions, (host.worker)());
    let of_b = read(&b)?;
    let mut guesses = corresponding(&read(&a)?.model.nodes, &of_b.model.nodes);
    let file = renamed(&b, folder);
    let folder = folder.join(RENAMED);
    make_folder(&folder)?;
    let mut surveyed = renamed_survey([&a, &b], spec, &mut guesses, (&folder, &file), write, host);
    if let Ok(Some(survey)) = &mut surveyed {
        // The run is about B as the user has it: the copy changes with every guess.
        survey.run.b.sha256 = of_b.sha256;
    } else {
        let _ = fs::remove_file(&file); // what did not begin leaves nothing
        let _ = fs::remove_dir(&folder);
    }
    surveyed
}

fn renamed_survey(
    [a, b]: [&Path; 2],
    spec: &mut MixSpec,
    guesses: &mut Vec<[String; 2]>,
    (folder, file): (&Path, &Path),
    write: WriteOwn,
    host: &Host,
) -> anyhow::Result<Option<MixSurvey>> {
    loop {
        let Renamed { bytes, guessed } = with_names_of(a, b, guesses, folder)?;
        write(file, &bytes)?;
        spec.b = file.into();
        spec.guessed = guessed;
        let asked = ask(spec, host).map_err(|error| of_given(&error, file, b));
        let Some(survey) = asked? else { return Ok(None) };
        if survey.apart.is_empty() {
            return Ok(Some(survey));
        }
        // What only looked alike is not the same tensor.
        let before = guesses.len();
        guesses.retain(|[_, to]| !survey.apart.contains(to));
        // Nothing was guessed for these, so that the next attempt would be the same.
        if guesses.len() == before {
            bail!(
                "{}: its outputs have other names than those of {}, and other values\n\
                 hint: give both models the same names of outputs",
                shown(b),
                shown(a)
            );
        }
    }
}

fn ask(spec: &MixSpec, host: &Host) -> anyhow::Result<Option<MixSurvey>> {
    Ok(Worker::<MixRun> { spec, command: host.worker, stop: host.stop }.survey()?)
}

/// An error about the copy, as one about the file that was given.
fn of_given(error: &anyhow::Error, renamed: &Path, given: &Path) -> anyhow::Error {
    anyhow!(error.to_string().replace(&shown(renamed).to_string(), &shown(given).to_string()))
}

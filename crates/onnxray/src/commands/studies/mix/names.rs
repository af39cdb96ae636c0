//! Gives B the names of A, where a tool renamed its tensors.

use crate::args::MixArguments;
use crate::commands::nodes::nodes;
use crate::output_files::{OutputFiles, make_folder};
use anyhow::{anyhow, bail};
use onnxray_analyzer::study::corresponding;
use onnxray_recorder::study::mix::{MixSpec, MixSurvey, Renamed, is_renamed, with_names_of};
use onnxray_text::shown;
use std::fs;
use std::path::{Path, PathBuf};

/// Subfolder of the result for B with A's names.
const RENAMED: &str = "renamed";

/// Path of the renamed B.
pub(super) fn renamed(arguments: &MixArguments) -> PathBuf {
    let b = &arguments.b;
    arguments.out.join(RENAMED).join(b.file_name().unwrap_or(b.as_os_str()))
}

/// Surveys both models, after renaming B if necessary: `spec` then refers to the copy in the folder
/// of the result. `None` if interrupted.
pub(super) fn survey(
    arguments: &MixArguments,
    spec: &mut MixSpec,
    outputs: &OutputFiles,
    ask: impl Fn(&MixSpec) -> anyhow::Result<Option<MixSurvey>>,
) -> anyhow::Result<Option<MixSurvey>> {
    let (a, b) = (&arguments.a, &arguments.b);
    // Models with the same names need no guesses.
    if !is_renamed(a, b)? {
        return ask(spec);
    }
    let read = |path: &Path| nodes(path, &spec.a.dimensions);
    let of_b = read(b)?;
    let mut guesses = corresponding(&read(a)?.model.nodes, &of_b.model.nodes);
    let (folder, file) = (arguments.out.join(RENAMED), renamed(arguments));
    make_folder(&folder)?;
    let write = |bytes: &[u8]| outputs.write_own(&file, bytes);
    let mut surveyed = renamed_survey(arguments, spec, &mut guesses, (&folder, &file), write, ask);
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
    arguments: &MixArguments,
    spec: &mut MixSpec,
    guesses: &mut Vec<[String; 2]>,
    (folder, file): (&Path, &Path),
    write: impl Fn(&[u8]) -> anyhow::Result<()>,
    ask: impl Fn(&MixSpec) -> anyhow::Result<Option<MixSurvey>>,
) -> anyhow::Result<Option<MixSurvey>> {
    loop {
        let Renamed { bytes, guessed } =
            with_names_of(&arguments.a, &arguments.b, guesses, folder)?;
        write(&bytes)?;
        spec.b = file.into();
        spec.guessed = guessed;
        let asked = ask(spec).map_err(|error| of_given(&error, file, &arguments.b));
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
                shown(&arguments.b),
                shown(&arguments.a)
            );
        }
    }
}

/// An error about the copy, as one about the file that was given.
fn of_given(error: &anyhow::Error, renamed: &Path, given: &Path) -> anyhow::Error {
    anyhow!(error.to_string().replace(&shown(renamed).to_string(), &shown(given).to_string()))
}

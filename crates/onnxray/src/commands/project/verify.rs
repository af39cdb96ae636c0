//! A projection next to what a sparse recording took.

use super::overridden::{overridden, say_not_taken, set_ratios};
use crate::args::ProjectArguments;
use crate::commands::settings_files::SettingsFiles;
use crate::commands::sources::input::Input;
use crate::commands::sources::sides::{read, sides};
use crate::commands::warn;
use crate::destination::Destination;
use crate::exit::Ended;
use anyhow::{anyhow, bail};
use onnxray_analyzer::projection::Settings;
use onnxray_analyzer::verification::{Verification, verify};
use onnxray_analyzer::{Needs, Summary};
use onnxray_import::Reading;
use onnxray_report::VerificationReport;
use onnxray_text::shown;
use std::path::{Path, PathBuf};

pub(super) fn run(arguments: &ProjectArguments, sparse: &PathBuf) -> anyhow::Result<Ended> {
    let input = Input::find(&arguments.input)?;
    let other = sides(&[sparse], &[])?;
    let files = input.files().into_iter().chain(arguments.files.iter().cloned());
    let files = files.chain(other.iter().flat_map(|side| side.sources.all_files().cloned()));
    let output = Destination::of(files, arguments.force, &arguments.output, &arguments.shown)?;
    output.check_several("-o")?;
    output.check_columns("project")?;
    let given = SettingsFiles::read(&arguments.files)?;
    let mut settings = overridden(given.settings(), arguments)?;
    say_not_taken(input.files(), arguments);
    let name = input.name();
    let dense = input.examined(Needs::Measured, |examined| examined.summary)?;
    warn(&dense);
    let [measured] = &summaries(&[sparse])?[..] else {
        bail!("{}: it has no recording", shown(sparse));
    };
    set_ratios(&mut settings, arguments, &dense)?;
    let verification = verified(&dense, measured, &settings, sparse)?;
    let report =
        VerificationReport { name: &name, verification: &verification, block: settings.block };
    output.deliver(&report, &arguments.rows.most(arguments.shown.format))?;
    Ok(Ended::Done)
}

/// Verifies a projection by two recordings of its own.
pub(super) fn of_recordings(
    [dense, sparse]: [&PathBuf; 2],
    settings: &Settings,
) -> anyhow::Result<Verification> {
    let [before, after] = &summaries(&[dense, sparse])?[..] else {
        bail!("{}: it has no recording", shown(sparse));
    };
    verified(before, after, settings, sparse)
}

/// Recordings of our own: what is said of how to read the input is not of them.
fn summaries(words: &[&PathBuf]) -> anyhow::Result<Vec<Summary>> {
    let recordings = read(sides(words, &[])?, &Reading::default())?;
    let summaries = recordings.into_iter().map(|recording| recording.summary);
    Ok(summaries.inspect(warn).collect())
}

fn verified(
    dense: &Summary,
    measured: &Summary,
    settings: &Settings,
    sparse: &Path,
) -> anyhow::Result<Verification> {
    verify(dense, measured, settings).map_err(|reason| {
        anyhow!(
            "{}: {reason}\nhint: record the pruned model with `onnxray record PRUNED.onnx --sparse`",
            shown(sparse)
        )
    })
}

//! A projection next to what a sparse recording took.

use crate::args::ProjectArguments;
use crate::commands::settings_files::SettingsFiles;
use crate::commands::sources::input::Input;
use crate::commands::sources::sides::{read, sides};
use crate::destination::Destination;
use crate::exit::Ended;
use anyhow::{anyhow, bail};
use onnxray_analyzer::Needs;
use onnxray_analyzer::settings::{measured_ratios, read_loss};
use onnxray_analyzer::verification::verify;
use onnxray_report::VerificationReport;
use onnxray_text::shown;
use std::path::{Path, PathBuf};

pub(super) fn run(arguments: &ProjectArguments, sparse: &PathBuf) -> anyhow::Result<Ended> {
    let input = Input::find(&arguments.input)?;
    let other = sides(&[sparse], &[])?;
    let files = input.files().into_iter().chain(arguments.files.iter().cloned());
    let files = files.chain(other.iter().flat_map(|side| side.sources.all_files().cloned()));
    let files = files.chain(arguments.sensitivity.clone());
    let output = Destination::of(files, arguments.force, &arguments.output, &arguments.shown)?;
    let given = SettingsFiles::read(&arguments.files)?;
    let mut settings = super::settings(given.settings(), arguments)?;
    if let Some(path) = &arguments.sensitivity {
        measured_ratios(&read_loss(path)?).apply(&mut settings);
    }
    super::say_not_taken(input.files(), arguments);
    let name = input.name();
    let dense = input.examined(Needs::Measured, |examined| examined.summary)?;
    crate::commands::warn(&dense);
    let reading = arguments.input.reading.reading();
    let Some(measured) = read(other, &reading)?.pop() else {
        bail!("{}: it has no recording", shown(Path::new(sparse)));
    };
    crate::commands::warn(&measured.summary);
    super::set_ratios(&mut settings, arguments, &dense)?;
    let verification = verify(&dense, &measured.summary, &settings).map_err(|reason| {
        anyhow!(
            "{}: {reason}\nhint: record the pruned model with `onnxray record PRUNED.onnx --sparse`",
            shown(Path::new(sparse))
        )
    })?;
    let block = settings.block;
    let report = VerificationReport { name: &name, verification: &verification, block };
    output.deliver(&report, &arguments.rows.most(arguments.shown.format))?;
    Ok(Ended::Done)
}

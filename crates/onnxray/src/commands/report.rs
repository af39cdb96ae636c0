//! `onnxray report`: a recording's workbook or page, and node data for its graph.

use super::settings_files::SettingsFiles;
use super::sources::input::{Input, named};
use crate::args::{Arguments, ReportArguments};
use crate::destination::Destination;
use crate::exit::Ended;
use crate::output;
use crate::output_files::OutputFiles;
use onnxray_analyzer::profiles::folder_of;
use onnxray_analyzer::projection::{Planned, Settings};
use onnxray_report::{RecordingReport, Report, write_times_for_graph};
use std::path::PathBuf;

pub(crate) fn run(arguments: ReportArguments) -> anyhow::Result<Ended> {
    let named = named(&arguments.input.recordings)?;
    let input = Input::find(&arguments.input)?;
    let read = input.files().into_iter().chain(arguments.ratios.iter().cloned());
    let outputs = OutputFiles::new(read, arguments.force);
    let output = arguments.output.clone();
    let output = output.or_else(|| arguments.graph.is_none().then(|| page_of(&input)));
    let destination =
        output.as_deref().map(|path| Destination::file(path, &outputs)).transpose()?;
    if let Some(graph) = &arguments.graph {
        outputs.check_json(graph)?;
    }
    let settings = settings(&arguments, destination.as_ref())?;
    let name = input.name();
    let (summary, details) = input.analyze_in_detail()?;
    super::warn(&summary);
    let planned = settings.map(|settings| Planned::of(&summary, settings));
    let report = RecordingReport {
        name: &name,
        summary: &summary,
        details: &details,
        planned: planned.as_ref(),
        profile: named.as_ref(),
    };
    let mut written = None;
    if let Some(destination) = &destination {
        destination.check_rows(&[&summary])?;
        written = destination.write(&report)?;
    }
    if let Some(graph) = &arguments.graph {
        outputs.write(graph, |file| write_times_for_graph(&summary, file))?;
    }
    if arguments.format.is_some() {
        // A page takes long to make: the one that was written is printed, if there is one.
        output::print_json(&written.unwrap_or_else(|| report.page()).report)?;
        return Ok(Ended::Done);
    }
    for file in output.iter().chain(&arguments.graph) {
        output::say(file.display())?;
    }
    Ok(Ended::Done)
}

/// The page that is named after the recording.
fn page_of(input: &Input) -> PathBuf {
    format!("{}.html", folder_of(&input.name())).into()
}

/// Settings of a page's projection; `None` without --ratios.
fn settings(
    arguments: &ReportArguments,
    destination: Option<&Destination>,
) -> anyhow::Result<Option<Settings>> {
    match &arguments.ratios[..] {
        [] => Ok(None),
        files if destination.is_some_and(Destination::is_page) => {
            Ok(Some(SettingsFiles::read(files)?.settings()))
        }
        _ => Arguments::refuse(
            "--ratios needs a page, -o FILE.html; `onnxray project` writes the workbook of a \
             projection",
        ),
    }
}

//! `onnxray report`: a recording's workbook or page, and node data for its graph.

use super::settings_files::SettingsFiles;
use super::sources::input::{Input, named};
use crate::args::{Arguments, ReportArguments};
use crate::exit::Ended;
use crate::output;
use crate::output_files::{OutputFiles, ReportFile};
use onnxray_analyzer::profiles::folder_of;
use onnxray_analyzer::projection::{Planned, Settings};
use onnxray_report::{recording_page, write_times_for_graph, write_workbook};
use std::path::PathBuf;

pub(crate) fn run(arguments: ReportArguments) -> anyhow::Result<Ended> {
    let named = named(&arguments.input.recordings)?;
    let input = Input::find(&arguments.input)?;
    let read = input.files().into_iter().chain(arguments.ratios.iter().cloned());
    let outputs = OutputFiles::new(read, arguments.force);
    let output = arguments.output.clone();
    let output = output.or_else(|| arguments.graph.is_none().then(|| page_of(&input)));
    let report = output.as_deref().map(|path| outputs.check_report(path)).transpose()?;
    if let Some(graph) = &arguments.graph {
        outputs.check_json(graph)?;
    }
    let settings = settings(&arguments, report)?;
    let name = input.name();
    let (summary, details) = input.analyze_in_detail()?;
    super::warn(&summary);
    if let Some(report) = report {
        report.check_rows(&[&summary])?;
    }
    let planned = settings.map(|settings| Planned::of(&summary, settings));
    let page = || recording_page(&name, &summary, &details, planned.as_ref(), named.as_ref());
    let written = match report {
        Some(report) => {
            report.write(&outputs, |file| write_workbook(&summary, named.as_ref(), file), page)?
        }
        None => None,
    };
    if let Some(graph) = &arguments.graph {
        write_times_for_graph(&summary, outputs.file(graph))?;
    }
    if arguments.format.is_some() {
        // A page takes long to make: the one that was written is printed, if there is one.
        output::print_json(&written.unwrap_or_else(page).report)?;
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
    report: Option<ReportFile>,
) -> anyhow::Result<Option<Settings>> {
    match (&arguments.ratios[..], report) {
        ([], _) => Ok(None),
        (files, Some(ReportFile::Page(_))) => Ok(Some(SettingsFiles::read(files)?.settings())),
        _ => Arguments::refuse(
            "--ratios needs a page, -o FILE.html; `onnxray project` writes the workbook of a \
             projection",
        ),
    }
}

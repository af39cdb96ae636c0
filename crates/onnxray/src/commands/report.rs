//! `onnxray report`: a recording's workbook or page, and node data for its graph.

use super::first_screen;
use super::settings_files::SettingsFiles;
use super::sources::input::{Input, named};
use crate::args::{Arguments, ReportArguments};
use crate::destination::Destination;
use crate::exit::Ended;
use crate::print;
use onnxray_analyzer::comparison::Recording;
use onnxray_analyzer::profiles::folder_of;
use onnxray_analyzer::projection::{Planned, Settings};
use onnxray_analyzer::{Examined, Needs};
use onnxray_report::{RecordingReport, Report, write_times_for_graph};
use std::path::PathBuf;

pub(crate) fn run(arguments: ReportArguments) -> anyhow::Result<Ended> {
    let named = named(&arguments.input.recordings)?;
    let input = Input::find(&arguments.input)?;
    let read = input.files().into_iter().chain(arguments.ratios.iter().cloned());
    let path = arguments.output.clone();
    let is_elsewhere = arguments.graph.is_some() || arguments.format.is_some();
    let path = path.or_else(|| (!is_elsewhere).then(|| page_of(&input)));
    let output = Destination::file(read, arguments.force, path.as_deref())?;
    if let Some(graph) = &arguments.graph {
        output.files.check_json(graph)?;
    }
    let has_page = output.is_page() || (path.is_none() && arguments.format.is_some());
    let settings = settings(&arguments.ratios, has_page)?;
    let name = input.name();
    let both = |examined: Examined| (examined.details(), examined.into_timeline());
    let (details, (summary, timeline)) = input.examined(Needs::Measured, both)?;
    super::warn(&summary);
    let recording = Recording { label: name.clone(), summary, timeline };
    let check = first_screen::checked(&recording);
    let summary = recording.summary;
    let planned = settings.map(|settings| Planned::of(&summary, settings));
    let report = RecordingReport {
        name: &name,
        summary: &summary,
        details: &details,
        planned: planned.as_ref(),
        profile: named.as_ref(),
        check: check.as_ref(),
        sensitivity: None,
    };
    output.check_rows(&[&summary])?;
    let written = output.write(&report)?;
    if let Some(graph) = &arguments.graph {
        output.files.write(graph, |file| write_times_for_graph(&summary, file))?;
    }
    if arguments.format.is_some() {
        // A page takes long to make: the one that was written is printed, if there is one.
        print::print_json(&written.unwrap_or_else(|| report.page()).report)?;
        return Ok(Ended::Done);
    }
    for file in path.iter().chain(&arguments.graph) {
        print::say(file.display())?;
    }
    Ok(Ended::Done)
}

/// The page that is named after the recording.
fn page_of(input: &Input) -> PathBuf {
    format!("{}.html", folder_of(&input.name())).into()
}

/// Settings of a page's projection; `None` without --ratios.
fn settings(ratios: &[PathBuf], has_page: bool) -> anyhow::Result<Option<Settings>> {
    match ratios {
        [] => Ok(None),
        files if has_page => Ok(Some(SettingsFiles::read(files)?.settings())),
        _ => Arguments::refuse(
            "--ratios needs a page, -o FILE.html; `onnxray project` writes the workbook of a \
             projection",
        ),
    }
}

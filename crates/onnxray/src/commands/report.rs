//! `onnxray report`: a recording's workbook or page.

use super::input::{Input, named};
use crate::args::ReportArguments;
use crate::exit::Ended;
use crate::output;
use crate::output_files::OutputFiles;
use onnxray_analyzer::profiles::Named;
use onnxray_analyzer::projection::{Planned, Settings};
use onnxray_analyzer::{Details, Summary};
use onnxray_report::{Page, recording_page, write_workbook};

pub(crate) fn run(arguments: ReportArguments) -> anyhow::Result<Ended> {
    let named = named(&arguments.input.recordings)?;
    let input = Input::find(&arguments.input)?;
    let outputs = OutputFiles::new(input.files(), arguments.force);
    let report = outputs.check_report(&arguments.output)?;
    let (summary, details) = input.analyze_in_detail()?;
    super::warn(&summary);
    report.check_rows(&[&summary])?;
    let page = || page(&summary, &details, named.as_ref());
    let written =
        report.write(&outputs, |file| write_workbook(&summary, named.as_ref(), file), page)?;
    match arguments.format {
        Some(_) => output::print_json(&written.unwrap_or_else(page).report)?,
        None => output::say(arguments.output.display())?,
    }
    Ok(Ended::Done)
}

/// The page of a recording, with what sparse weights would bring by the usual settings.
pub(super) fn page(summary: &Summary, details: &Details, profile: Option<&Named>) -> Page {
    let planned = Planned::of(summary, Settings::default());
    recording_page(summary, details, Some(&planned), profile)
}

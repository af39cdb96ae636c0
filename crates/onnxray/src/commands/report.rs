//! `onnxray report`: a recording's workbook or page.

use super::input::{Input, named};
use super::project::from_files;
use crate::args::{Arguments, ReportArguments};
use crate::exit::Ended;
use crate::output;
use crate::output_files::{OutputFiles, ReportFile};
use onnxray_analyzer::projection::Planned;
use onnxray_report::{recording_page, write_workbook};

pub(crate) fn run(arguments: ReportArguments) -> anyhow::Result<Ended> {
    let named = named(&arguments.input.recordings)?;
    let input = Input::find(&arguments.input)?;
    let read = input.files().into_iter().chain(arguments.ratios.iter().cloned());
    let outputs = OutputFiles::new(read, arguments.force);
    let report = outputs.check_report(&arguments.output)?;
    if !arguments.ratios.is_empty() && matches!(report, ReportFile::Workbook(_)) {
        Arguments::refuse(
            "--ratios is for pages; `onnxray project` writes the workbook of a projection",
        );
    }
    let settings = match &arguments.ratios[..] {
        [] => None,
        files => Some(from_files(files)?),
    };
    let name = input.name();
    let (summary, details) = input.analyze_in_detail()?;
    super::warn(&summary);
    report.check_rows(&[&summary])?;
    let planned = settings.map(|settings| Planned::of(&summary, settings));
    let page = || recording_page(&name, &summary, &details, planned.as_ref(), named.as_ref());
    let written =
        report.write(&outputs, |file| write_workbook(&summary, named.as_ref(), file), page)?;
    match arguments.format {
        Some(_) => output::print_json(&written.unwrap_or_else(page).report)?,
        None => output::say(arguments.output.display())?,
    }
    Ok(Ended::Done)
}

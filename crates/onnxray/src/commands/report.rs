//! `onnxray report`: a recording's workbook or page.

use super::input::{Input, named};
use crate::args::ReportArguments;
use crate::exit::Ended;
use crate::output;
use crate::output_files::{OutputFiles, ReportFile};
use onnxray_analyzer::Summary;
use onnxray_analyzer::profiles::Named;
use onnxray_analyzer::report::{recording_page, write_page, write_workbook};

pub(crate) fn run(arguments: ReportArguments) -> anyhow::Result<Ended> {
    let named = named(&arguments.input.recordings)?;
    let input = Input::find(&arguments.input)?;
    let outputs = OutputFiles::new(input.files(), arguments.force);
    let file = outputs.check_report(&arguments.output)?;
    let summary = input.analyze()?;
    super::warn(&summary);
    write(&summary, named.as_ref(), file, &outputs)?;
    match arguments.format {
        Some(_) => output::print_json(&recording_page(&summary, named.as_ref()).report)?,
        None => output::say(arguments.output.display())?,
    }
    Ok(Ended::Done)
}

/// Writes the report that its name asks for.
pub(super) fn write(
    summary: &Summary,
    named: Option<&Named>,
    file: ReportFile,
    outputs: &OutputFiles,
) -> anyhow::Result<()> {
    match file {
        ReportFile::Workbook(path) => write_workbook(summary, named, outputs.file(path))?,
        ReportFile::Page(path) => {
            write_page(&recording_page(summary, named), outputs.file(path))?;
        }
    }
    Ok(())
}

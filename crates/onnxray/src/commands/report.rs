//! `onnxray report`: a recording's workbook.

use crate::args::ReportArguments;
use crate::exit::Ended;
use crate::output;
use onnxray_analyzer::report::write_workbook;

pub(crate) fn run(arguments: ReportArguments) -> anyhow::Result<Ended> {
    output::check_workbook(&arguments.output)?;
    let summary = super::analyze(&arguments.input)?;
    super::warn(&summary);
    write_workbook(&summary, &arguments.output)?;
    output::say(arguments.output.display())?;
    Ok(Ended::Done)
}

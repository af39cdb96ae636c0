//! `onnxray report`: a recording's workbook.

use super::input::{Input, named};
use crate::args::ReportArguments;
use crate::exit::Ended;
use crate::output;
use crate::output_files::OutputFiles;
use onnxray_analyzer::report::write_workbook;

pub(crate) fn run(arguments: ReportArguments) -> anyhow::Result<Ended> {
    let named = named(&arguments.input.recordings)?;
    let input = Input::find(&arguments.input)?;
    let outputs = OutputFiles::new(input.files(), arguments.force);
    outputs.check_workbook(&arguments.output)?;
    let summary = input.analyze()?;
    super::warn(&summary);
    write_workbook(&summary, named.as_ref(), outputs.file(&arguments.output))?;
    output::say(arguments.output.display())?;
    Ok(Ended::Done)
}

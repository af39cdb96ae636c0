//! `onnxray report`: a recording's workbook.

use crate::args::ReportArguments;
use crate::exit::Ended;
use crate::output;
use onnxray_analyzer::report::write_workbook;

pub fn run(arguments: ReportArguments) -> anyhow::Result<Ended> {
    output::check_workbook(&arguments.output)?;
    let summary = super::analyze(&arguments.recordings)?;
    summary.warnings.iter().for_each(|warning| eprintln!("warning: {warning}"));
    write_workbook(&summary, &arguments.output)?;
    println!("{}", arguments.output.display());
    Ok(Ended::Done)
}

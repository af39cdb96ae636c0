//! `onnxray summary`: where the time of a recording goes.

use crate::args::SummaryArguments;
use crate::exit::Ended;
use crate::output;
use onnxray_analyzer::report::summary_report;

pub(crate) fn run(arguments: SummaryArguments) -> anyhow::Result<Ended> {
    let summary = super::analyze(&arguments.input)?;
    let mut report = summary_report(&summary, &arguments.view.selection());
    if !arguments.view.level.is_empty() {
        // Who names levels wants these alone.
        output::print_notes(&mut report);
    }
    output::print(report, arguments.view.format)?;
    Ok(Ended::Done)
}

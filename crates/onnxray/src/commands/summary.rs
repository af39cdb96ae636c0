//! `onnxray summary`: where the time of a recording goes.

use crate::args::SummaryArguments;
use crate::exit::Ended;
use crate::output;
use onnxray_analyzer::report::{Selection, summary_report};

pub(crate) fn run(arguments: SummaryArguments) -> anyhow::Result<Ended> {
    let selection = Selection { modules: arguments.group, ..arguments.view.selection() };
    let summary = super::analyze(&arguments.input)?;
    let mut report = summary_report(&summary, &selection);
    if !arguments.view.level.is_empty() {
        // Who names levels wants these alone.
        output::print_notes(&mut report);
    }
    output::print(report, &arguments.view.table)?;
    Ok(Ended::Done)
}

//! `onnxray summary`: where the time of a recording goes.

use crate::args::SummaryArguments;
use crate::exit::Ended;
use crate::output::{self, Format};
use onnxray_analyzer::report::{Level, summary_report};

pub fn run(arguments: SummaryArguments) -> anyhow::Result<Ended> {
    let summary = super::analyze(&arguments.input)?;
    let mut selection = arguments.view.selection();
    if arguments.view.format == Format::Csv {
        // Sentences among the figures would be in the way of a program.
        selection.levels.retain(|&level| level != Level::Notes);
    }
    if !selection.levels.contains(&Level::Notes) {
        super::warn(&summary);
        super::note(&summary);
    }
    output::print(summary_report(&summary, &selection), arguments.view.format)?;
    Ok(Ended::Done)
}

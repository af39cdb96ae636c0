//! `onnxray regressions`: which differences of many comparisons hold together.

use crate::args::RegressionsArguments;
use crate::destination::Destination;
use crate::exit::Ended;
use crate::message;
use crate::progress::Progress;
use anyhow::{anyhow, bail};
use onnxray_analyzer::comparison::Fleet;
use onnxray_import::Source;
use onnxray_report::regressions_report;

pub(crate) fn run(arguments: RegressionsArguments) -> anyhow::Result<Ended> {
    let RegressionsArguments { files, alpha, strict, shown, tables } = &arguments;
    let output = Destination::tables(files.iter().cloned(), tables, shown)?;
    let progress = Progress::working("reading comparisons".to_string());
    let mut fleet = Fleet::default();
    for file in files {
        let source = Source::open(file).map_err(|error| match file.is_dir() {
            true => anyhow!("{error}; {READS}"),
            false => error.into(),
        });
        fleet.read(source?)?;
    }
    progress.clear();
    // Where nothing could be read, what was lost is the reason.
    if (*strict || fleet.comparisons.is_empty())
        && let Some((last, others)) = fleet.losses.split_last()
    {
        others.iter().take(MOST_NAMED).for_each(message::warning);
        bail!("{last}");
    }
    output.print(regressions_report(&fleet, *alpha))?;
    Ok(Ended::Done)
}

/// What to name in place of a folder.
const READS: &str = "regressions reads what `onnxray compare A B --format json` prints";

/// Losses that are named beside the one that ends the command.
const MOST_NAMED: usize = 9;

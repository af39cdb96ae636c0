//! `onnxray check`: whether recordings can be trusted.

use super::sources::sides;
use crate::args::CheckArguments;
use crate::destination::Destination;
use crate::exit::Ended;
use crate::progress::Progress;
use onnxray_analyzer::comparison::{Check, check};
use onnxray_report::check_report;
use std::path::PathBuf;

pub(crate) fn run(arguments: CheckArguments) -> anyhow::Result<Ended> {
    let all: Vec<&PathBuf> = arguments.recordings.iter().collect();
    let sides = sides::sides(&all, &[])?;
    let files = sides.iter().flat_map(|side| side.sources.all_files()).cloned();
    let output = Destination::tables(files, &arguments.tables, &arguments.shown)?;
    let reading = arguments.reading.reading();
    let recordings = match arguments.per_recording {
        true => sides::read_each(sides, &reading)?,
        false => sides::read(sides, &reading)?,
    };
    // A check has no gate whose limits would count.
    let options = arguments.test.options([None; 2]);
    let progress = Progress::working("comparing parts of it with each other".to_string());
    let checks: Vec<Check> =
        recordings.iter().map(|recording| check(recording, &options)).collect();
    progress.clear();
    for recording in &recordings {
        super::warn(&recording.summary);
    }
    output.print(check_report(&checks))?;
    Ok(Ended::Done)
}

//! `onnxray check`: whether recordings can be trusted.

use super::compare::recordings;
use crate::args::{CheckArguments, RecordingArgument};
use crate::exit::Ended;
use crate::output;
use crate::progress::Progress;
use onnxray_analyzer::comparison::{Check, check};
use onnxray_analyzer::report::check_report;

pub(crate) fn run(arguments: CheckArguments) -> anyhow::Result<Ended> {
    let all: Vec<&RecordingArgument> = arguments.recordings.iter().collect();
    let recordings = recordings(&all, &arguments.reading.reading())?;
    let options = arguments.test.options();
    let progress = Progress::working("comparing parts of it with each other".to_string());
    let checks: Vec<Check> =
        recordings.iter().map(|recording| check(recording, &options)).collect();
    progress.clear();
    for recording in &recordings {
        super::warn(&recording.summary);
    }
    output::print(check_report(&checks), &arguments.table)?;
    Ok(Ended::Done)
}

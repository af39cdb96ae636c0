//! A profile as it is read, before its events have their runs.

use super::devices;
use super::profile::{OF_NODES, OF_PROVIDERS, Profile, fact, is_node};
use crate::ImportError;
use crate::chrome::{EventTrace, Label, Mark, Options, read_events};
use crate::source::Source;
use onnxray_format::Warning;
use std::path::{Path, PathBuf};

/// The runtime stops recording at this many events.
const EVENT_CAP: u64 = 1_000_000;

/// A profile, or several of one session, and what is doubtful about them.
#[derive(Default)]
pub(super) struct Opened {
    pub(super) trace: EventTrace,
    pub(super) files: Vec<PathBuf>,
    pub(super) warnings: Vec<Warning>,
}

/// Reads a profile.
///
/// # Errors
///
/// If it is not one.
pub(super) fn open(source: Source, options: &Options) -> Result<Opened, ImportError> {
    let mut trace = read_events::<Profile>(source, options)?;
    trace.count_lacking(&OF_NODES, |label| is_node(label).then(String::new));
    let provider = |label: &Label| label.fact_text(fact::PROVIDER).filter(|_| is_node(label));
    trace.count_lacking(&OF_PROVIDERS, provider);
    let doubts = devices::find(&mut trace);
    let mut warnings = trace.damage.warnings(&trace.file, "events");
    warnings.extend(doubts);
    warnings.extend(left_out(&trace, &trace.file));
    Ok(Opened { files: vec![trace.file.clone()], trace, warnings })
}

/// What the runtime or this reader leaves out of a profile that is whole.
fn left_out(trace: &EventTrace, file: &Path) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let read: u64 = trace.chunks.iter().map(|rows| rows.label.len() as u64).sum::<u64>()
        + trace.marks.len() as u64
        + trace.ignored.values().sum::<u64>();
    if read >= EVENT_CAP {
        let message = format!(
            "{read} events: the runtime stops recording at {EVENT_CAP}, so what ran later is \
             missing; profile fewer runs"
        );
        warnings.push(Warning { loss: true, ..Warning::note(file, message) });
    }
    warnings
}

/// Whether a mark has this name.
pub(super) fn named(trace: &EventTrace, mark: &Mark, name: &str) -> bool {
    trace.labels.get(mark.label as usize).is_some_and(|label| label.raw_name() == name.as_bytes())
}

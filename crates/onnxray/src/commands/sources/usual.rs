//! The recording of commands that are given none: the newest that `record` made here.

use crate::args::Arguments;
use crate::message;
use onnxray_format::layout;
use onnxray_import::{Sources, literal};
use onnxray_text::shown;
use std::path::{Path, PathBuf};

/// Where `record` writes unless it is told otherwise.
const USUAL: &str = "engine_profiling";

/// The usual folder, of which `all` recordings are read or the newest one, which is said then.
pub(crate) fn usual_recording(all: bool) -> anyhow::Result<PathBuf> {
    let folder = PathBuf::from(USUAL);
    if !folder.is_dir() {
        Arguments::refuse(
            "name a recording: this folder lacks engine_profiling, which `onnxray record MODEL.onnx` \
             makes",
        );
    }
    let sources = Sources::find(std::slice::from_ref(&folder))?;
    // Of several recordings, reading tells which one is the newest.
    match sources.files.as_slice() {
        _ if all || !sources.notes.is_empty() => {}
        [only] => message::note(format_args!("{} is read", shown(only))),
        [first, ..] => message::note(format_args!("{} is read", recording(first))),
        [] => {}
    }
    Ok(folder)
}

/// The recordings in the usual folder, or in another one, as words that name them, the newest first;
/// none if there is no such folder.
pub(crate) fn recordings_in(folder: Option<&Path>) -> Vec<PathBuf> {
    let folder = folder.unwrap_or(Path::new(USUAL));
    if !folder.is_dir() {
        return Vec::new();
    }
    let Ok(sources) = Sources::find(&[folder.to_path_buf()]) else { return Vec::new() };
    let first: Vec<&PathBuf> = sources.recordings().filter_map(|files| files.first()).collect();
    let word = |file: &PathBuf| {
        let traces = file.parent()?;
        let is_only = first.iter().filter(|other| other.parent() == Some(traces)).count() == 1;
        match traces.file_name().is_some_and(|name| name == layout::TRACE_FOLDER) {
            true if is_only => Some(traces.parent()?.to_path_buf()),
            _ => {
                let stamp = layout::time_of(file)?;
                Some(literal(traces).join(format!("profiling_{stamp}_*.json")))
            }
        }
    };
    first.iter().filter_map(|file| word(file)).collect()
}

/// The files of a recording, as a pattern, by one of them.
fn recording(trace: &Path) -> String {
    let pattern = layout::time_of(trace).map(|stamp| format!("profiling_{stamp}_*.json"));
    let named = pattern.map_or(trace.to_path_buf(), |pattern| trace.with_file_name(pattern));
    shown(&named).to_string()
}

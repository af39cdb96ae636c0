//! What the first screen of a recording needs, with which `summary` begins and `record` ends.

use crate::message;
use onnxray_analyzer::comparison::{Check, Options, Recording, check};
use std::path::{Path, PathBuf};

/// Words of a command line that are longer than this are named by the first of them.
const LONGEST: usize = 60;

/// What a check finds, which is of profiled iterations.
pub(super) fn checked(recording: &Recording) -> Option<Check> {
    (!recording.summary.is_unprofiled()).then(|| check(recording, &Options::default()))
}

/// Words that name files on a command line again; `None` if nothing can.
pub(super) fn words(paths: &[PathBuf]) -> Option<String> {
    // Standard input can be read once only: no later command could name it.
    if paths.iter().any(|path| path == Path::new("-")) {
        return None;
    }
    let words: Vec<String> = paths.iter().map(|path| message::quoted(path)).collect();
    let all = words.join(" ");
    Some(match words.as_slice() {
        [first, _, ..] if all.chars().count() > LONGEST => format!("{first} …"),
        _ => all,
    })
}

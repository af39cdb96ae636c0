//! The first screen of a recording: how `summary` begins, and how `record` ends.

use crate::message;
use onnxray_analyzer::comparison::{Check, Options, Recording, check};
use onnxray_report::{Document, FirstScreenSelection, first_screen};
use std::path::{Path, PathBuf};

/// Words of a command line that are longer than this are named by the first of them.
const LONGEST: usize = 60;

/// The first screen of a recording, with what a check of it finds.
pub(super) fn screen(recording: &Recording, selection: &FirstScreenSelection) -> Document {
    first_screen(&recording.summary, checked(recording).as_ref(), selection)
}

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

//! Why nothing could be read.

use onnxray_format::{Position, Warning};
use std::path::PathBuf;

/// Why an input could not be read. Its text names the file first.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // the message of each says what it is
pub enum ImportError {
    #[error("{}: {source}", file.display())]
    Io { file: PathBuf, source: std::io::Error },

    #[error("{}: the file is empty", file.display())]
    Empty { file: PathBuf },

    #[error(
        "{}: no format that onnxray knows; it begins with {found}\n\
         hint: `onnxray import --list` names the formats, `--from FORMAT` reads the file as one of them",
        file.display()
    )]
    Unrecognized { file: PathBuf, found: String },

    #[error("{}: {position}: expected {expected}, found {found}", file.display())]
    Unexpected { file: PathBuf, position: Position, expected: String, found: String },

    #[error(
        "{}: more than {} MiB, the most that a file of this format may have\n\
         hint: is this the right file?",
        file.display(), limit >> 20
    )]
    TooLarge { file: PathBuf, limit: u64 },

    #[error(
        "{} is {first_format} and {} is {second_format}: they cannot be read together\n\
         hint: read them one after the other",
        first.display(), second.display()
    )]
    DifferentFormats {
        first: PathBuf,
        first_format: &'static str,
        second: PathBuf,
        second_format: &'static str,
    },

    #[error(
        "{} and {} are not launches of one recording: {difference}\n\
         hint: read them one after the other",
        first.display(), second.display()
    )]
    DifferentRecordings { first: PathBuf, second: PathBuf, difference: String },

    #[error(
        "{}: the recording has format version {found}; this onnxray reads up to version {known}\n\
         hint: read it with the onnxray that wrote it, {producer}",
        file.display()
    )]
    NewerFormat { file: PathBuf, found: u64, known: u32, producer: String },

    #[error(
        "{}: no recordings in this folder\n\
         hint: it should hold profiling_trace/profiling_*.json, as `onnxray record` writes them",
        path.display()
    )]
    NoRecordings { path: PathBuf },

    #[error("{warning}{}\nhint: without --strict the rest is read", more(*others))]
    Strict { warning: Warning, others: usize },
}

fn more(others: usize) -> String {
    match others {
        0 => String::new(),
        others => format!(" (and {others} other kinds of damage)"),
    }
}

/// The first bytes of something, for messages.
pub(crate) fn beginning(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "the end of the file".to_string();
    }
    let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(24)]);
    format!("{:?}", shown.trim_end_matches('\u{fffd}'))
}

//! Why nothing could be read.

use onnxray_format::{Position, Warning};
use onnxray_text::{FileKind, file_failure, shown};
use std::path::{Path, PathBuf};

/// Why an input could not be read. Its text names the file first.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // the message of each says what it is
pub enum ImportError {
    #[error("{}", file_failure(file, source))]
    Io { file: PathBuf, source: std::io::Error },

    #[error("{}: the file is empty", shown(file))]
    Empty { file: PathBuf },

    #[error("{}: {}", shown(file), unrecognized(file, found, kind.as_ref()))]
    Unrecognized {
        file: PathBuf,
        /// Its first bytes.
        found: String,
        /// What it is instead, if that is known.
        kind: Option<FileKind>,
    },

    #[error(
        "{}: a ZIP archive {reason}\n\
         hint: unpack it and name the file of a trace; an archive is read if one trace is in it",
        shown(file)
    )]
    Archive { file: PathBuf, reason: String },

    #[error("{}: {position}: expected {expected}, found {found}", shown(file))]
    Unexpected { file: PathBuf, position: Position, expected: String, found: String },

    #[error(
        "{}: more than {} MiB, the most that a file of this format may have\n\
         hint: is this the right file?",
        shown(file), limit >> 20
    )]
    TooLarge { file: PathBuf, limit: u64 },

    #[error(
        "{}: {fields} fields, more than the {limit} that a file of this format may have\n\
         hint: is this the right file?",
        shown(file)
    )]
    TooManyFields { file: PathBuf, fields: usize, limit: usize },

    #[error(
        "{}: the times add up to {years} years; the clock of the recording was wrong",
        shown(file)
    )]
    TooLong { file: PathBuf, years: u64 },

    #[error(
        "the files are of {} different runtimes or models:\n  {}\n\
         hint: name the files of one of them; `onnxray summary --per-recording` shows each on its own",
        kinds.len(), kinds.join("\n  ")
    )]
    Mixed { kinds: Vec<String> },

    #[error(
        "{} and {} are not launches of one recording: {difference}\n\
         hint: `onnxray compare A B -o FILE.html` compares two recordings; `onnxray summary \
         --per-recording` shows each on its own",
        shown(first),
        shown(second)
    )]
    DifferentRecordings { first: PathBuf, second: PathBuf, difference: String },

    #[error(
        "{}: the recording has format version {found}; this onnxray reads up to version {known}\n\
         hint: read it with the onnxray that wrote it, {producer}",
        shown(file)
    )]
    NewerFormat { file: PathBuf, found: u64, known: u32, producer: String },

    #[error(
        "{}: no recordings in this folder; {holds}\n\
         hint: it should hold profiling_trace/profiling_*.json, as `onnxray record` writes them, or \
         profiles of another runtime (`onnxray inspect --list`)",
        shown(path)
    )]
    NoRecordings { path: PathBuf, holds: String },

    #[error("{}: nothing matches this pattern in {}; {holds}", shown(pattern), shown(folder))]
    NoMatch { pattern: PathBuf, folder: PathBuf, holds: String },

    #[error("{}: --warmup {warmup} leaves nothing to measure: {}", shown(file), at_most(*iterations))]
    AllWarmUp { file: PathBuf, warmup: u32, iterations: usize },

    #[error("{warning}{}\nhint: without --strict the rest is read", more(*others))]
    Strict { warning: Warning, others: usize },
}

/// How many iterations there are, and how many of them can be warm-up.
fn at_most(iterations: usize) -> String {
    match iterations {
        0 => "the trace has no iterations\nhint: leave --warmup out".to_string(),
        1 => "the trace has 1 iteration, which is measured\nhint: leave --warmup out".to_string(),
        several => format!(
            "the trace has {several} iterations\nhint: --warmup {} is the most",
            several - 1
        ),
    }
}

/// What a file without a known format is, and what to do with it.
fn unrecognized(file: &Path, found: &str, kind: Option<&FileKind>) -> String {
    let way_out = match kind {
        Some(FileKind::Workbook) => Some(
            "give the recording that it was made from; `onnxray project RECORDING --ratios \
             FILE.xlsx` reads the settings in it",
        ),
        Some(FileKind::Report(name)) if name == "summary" => Some(
            "give the recording that it was made from; `onnxray convert RECORDING --compact -o \
             base.json` makes a small one of it, to be kept as a baseline",
        ),
        Some(FileKind::Page | FileKind::Report(_)) => {
            Some("give the recording that it was made from")
        }
        Some(FileKind::Saved(_)) => {
            Some("`onnxray project RECORDING` takes it with --ratios or --loss")
        }
        Some(FileKind::Parquet | FileKind::Arrow) => {
            Some("give the recording or the trace that `onnxray convert` made it from")
        }
        _ => None,
    };
    if let Some((kind, way_out)) = kind.zip(way_out) {
        return format!("not a recording but {kind}\nhint: {way_out}");
    }
    match file.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("onnx") => {
            "this is a model, not a trace\n\
             hint: record it, `onnxray record MODEL.onnx`, or count its operations, `onnxray flops \
             MODEL.onnx`"
                .to_string()
        }
        _ => format!(
            "no format that onnxray knows; it begins with {found}\n\
             looked for: {}\n\
             hint: `onnxray inspect --list` names the formats, `--from FORMAT` reads the file as one of \
             them",
            looked_for(kind)
        ),
    }
}

/// What would have told the format of a file of a kind.
fn looked_for(kind: Option<&FileKind>) -> &'static str {
    match kind {
        Some(FileKind::Json) => {
            "events (`traceEvents`, or an array of objects with `ph`), layers or iterations of \
             trtexec, counters of benchmark_app, nodes of tract"
        }
        _ => {
            "JSON; a table of trtexec --dumpProfile, benchmark_app -pc or benchmark_model in a log; a \
             CSV of benchmark_app, DL Workbench, benchmark_model or the Neural Engine; an execution \
             graph (XML); any of these in gzip, Zstandard or ZIP"
        }
    }
}

impl ImportError {
    /// The file, if the error is that nothing of it can be read.
    pub(crate) fn unreadable(&self) -> Option<&Path> {
        match self {
            ImportError::Io { file, .. }
            | ImportError::Empty { file }
            | ImportError::Archive { file, .. }
            | ImportError::Unrecognized { file, .. }
            | ImportError::TooLarge { file, .. }
            | ImportError::TooManyFields { file, .. }
            | ImportError::TooLong { file, .. }
            | ImportError::Unexpected { file, .. } => Some(file),
            _ => None,
        }
    }

    /// The message without the name of the file and without hints.
    pub(crate) fn reason(&self) -> String {
        let message = self.to_string();
        let file = self.unreadable().map(|file| format!("{}: ", shown(file)));
        let reason = file.and_then(|file| message.strip_prefix(&file)).unwrap_or(&message);
        reason.lines().next().unwrap_or_default().to_string()
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_does_not_pass_for_a_line_of_the_message() {
        let file = PathBuf::from("a.json\nhint: rm -r /\u{1b}[2J");
        let message = ImportError::Empty { file: file.clone() }.to_string();
        assert_eq!(message, "a.json\\nhint: rm -r /\\u{1b}[2J: the file is empty");
        let error = ImportError::Empty { file: file.clone() };
        assert_eq!(error.reason(), "the file is empty");
        assert!(!Warning::note(&file, "is old").to_string().contains('\n'));
    }
}

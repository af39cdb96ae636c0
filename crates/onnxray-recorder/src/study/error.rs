//! Why a study cannot go on.

use crate::error::RecordError;
use onnxray_text::shown;
use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

/// Why a study cannot go on.
///
/// The first line of a message says where and what; a line that begins with `hint:` says what
/// to do next.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // fields are what their message calls them
pub enum StudyError {
    /// The journal cannot be read or written.
    #[error("{}: {source}", shown(path))]
    Journal { path: PathBuf, source: io::Error },

    /// Another process has the journal open.
    #[error("{0}")]
    Locked(String),

    /// The journal is something else.
    #[error(
        "{} line 1: is in the place of the journal, and is none: {reason}\nhint: {hint}",
        shown(path)
    )]
    NotOurs { path: PathBuf, reason: String, hint: &'static str },

    /// The journal is of another run.
    #[error(
        "{}: is the journal of a run that differs in: {}\n\
         hint: repeat that run to go on with it, or begin anew with {anew}",
        shown(path),
        differences.join(", ")
    )]
    OtherRun { path: PathBuf, differences: Vec<String>, anew: &'static str },

    /// A result is not in the journal, as where a disk is full.
    #[error("{}: cannot keep a result: {source}", shown(path))]
    NotKept { path: PathBuf, source: io::Error },

    /// A model cannot be read or pruned, or a folder not be written to.
    #[error(transparent)]
    Record(#[from] RecordError),

    /// The processes of a variant could not be started or waited for.
    #[error("cannot run `{name}`: {source}")]
    Run { name: String, source: io::Error },

    /// A process could not be started or talked to.
    #[error("{0}")]
    Process(#[from] io::Error),

    /// A process says that it cannot run the model as it is.
    #[error("{0}")]
    Refused(String),

    /// A process ended before it had run the model as it is.
    #[error("the engine ended its process before it had run the unchanged model: {0}")]
    Ended(ExitStatus),
}

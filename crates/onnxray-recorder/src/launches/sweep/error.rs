//! Why a sweep cannot go on.

use crate::error::RecordError;
use onnxray_format::shown;
use std::io;
use std::path::PathBuf;

/// Why a sweep cannot go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // fields are what their message calls them
pub enum SweepError {
    /// The journal cannot be read or written.
    #[error("{}: {source}", shown(path))]
    Journal { path: PathBuf, source: io::Error },

    /// Another process has the journal open.
    #[error("{}: another sweep runs in this folder", shown(folder))]
    Running { folder: PathBuf },

    /// The first line of the journal is no plan.
    #[error("{} line 1: {reason}\nhint: --anew begins a new one in its place", shown(path))]
    Damaged { path: PathBuf, reason: String },

    /// A folder of a point cannot be made or written to.
    #[error(transparent)]
    Folder(#[from] RecordError),

    /// A process could not be started or waited for.
    #[error("cannot run `{name}`: {source}")]
    Run { name: String, source: io::Error },
}

//! Why a recording could not be converted.

use crate::statistics::StatisticsError;
use onnxray_text::shown;
use std::io;
use std::path::PathBuf;

/// What kept launches from being written for other tools.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each variant's message says it")]
pub enum ConvertError {
    #[error("{}: {source}", shown(path))]
    Io { path: PathBuf, source: io::Error },

    #[error("{}: expected a name that ends in .json, .csv, .parquet or .arrow", shown(path))]
    UnknownTarget { path: PathBuf },

    #[error("{}: its trace marks no iterations, whose times --compact keeps", shown(path))]
    NoIterations { path: PathBuf },

    #[error(transparent)]
    Statistics(#[from] StatisticsError),
}

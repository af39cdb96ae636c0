//! Why an analysis could not be made.

use onnxray_format::shown;
use std::path::PathBuf;

/// What kept an analysis from being made or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each variant's message says it")]
pub enum AnalyzeError {
    #[error("{}: {source}", shown(path))]
    Io { path: PathBuf, source: std::io::Error },

    #[error("{}: expected a name that ends in .json, .csv, .parquet or .arrow", shown(path))]
    UnknownTarget { path: PathBuf },

    #[error(
        "{}: no measured iteration was recorded ({warmup} warm-up){}",
        shown(path),
        of_other_phases(*others)
    )]
    NoIterations { path: PathBuf, warmup: usize, others: usize },

    #[error("cannot compute: {0}")]
    Compute(#[from] polars::error::PolarsError),

    #[error("{}: {source}", shown(path))]
    Workbook { path: PathBuf, source: rust_xlsxwriter::XlsxError },

    #[error("cannot write: {0}")]
    Write(std::io::Error),
}

fn of_other_phases(iterations: usize) -> String {
    match iterations {
        0 => String::new(),
        count => format!("; {count} are of another phase, which --phase chooses"),
    }
}

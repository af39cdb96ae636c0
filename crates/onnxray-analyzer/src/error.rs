//! Why an analysis could not be made.

use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AnalyzeError {
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: std::io::Error },

    #[error(
        "{}: no recordings in this folder\n\
         hint: it should hold profiling_trace/profiling_*.json, as `onnxray record` writes them",
        path.display()
    )]
    NoRecordings { path: PathBuf },

    #[error(transparent)]
    Read(#[from] onnxray_format::ReadError),

    #[error(
        "{} and {} are not launches of one recording: {difference}\n\
         hint: summarize them one after the other",
        first.display(), second.display()
    )]
    DifferentRecordings { first: PathBuf, second: PathBuf, difference: String },

    #[error("{}: no measured iteration was recorded ({warmup} warm-up)", path.display())]
    NoIterations { path: PathBuf, warmup: usize },

    #[error("cannot compute: {0}")]
    Compute(#[from] polars::error::PolarsError),

    #[error("{}: {source}", path.display())]
    Workbook { path: PathBuf, source: rust_xlsxwriter::XlsxError },

    #[error("cannot write: {0}")]
    Write(std::io::Error),
}

//! Why a report could not be written.

use onnxray_text::shown;
use std::io;
use std::path::PathBuf;

/// What kept a page or a workbook from being written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each variant's message says it")]
pub enum ReportError {
    #[error("{}: {source}", shown(path))]
    Io { path: PathBuf, source: io::Error },

    #[error("{}: {source}", shown(path))]
    Workbook { path: PathBuf, source: rust_xlsxwriter::XlsxError },
}

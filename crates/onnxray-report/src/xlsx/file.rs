//! A workbook as a file that appears whole or not at all.

use crate::error::ReportError;
use onnxray_failsafe::{OutputFile, WholeFile};
use rust_xlsxwriter::{Workbook, XlsxError};

/// Builds a workbook and writes it.
///
/// # Errors
/// If it cannot be built, or if the file cannot be written.
pub(crate) fn write_file(
    file: OutputFile,
    build: impl FnOnce() -> Result<Workbook, XlsxError>,
) -> Result<(), ReportError> {
    let path = file.path;
    let workbook_error = |source| ReportError::Workbook { path: path.to_path_buf(), source };
    let io_error = |source| ReportError::Io { path: path.to_path_buf(), source };
    let mut workbook = build().map_err(workbook_error)?;
    // Only once the workbook is built: what cannot be built leaves no file.
    let mut file = WholeFile::create(file).map_err(io_error)?;
    workbook.save_to_writer(&mut file).map_err(workbook_error)?;
    file.finish().map_err(io_error)
}

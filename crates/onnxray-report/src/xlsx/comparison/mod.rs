//! The workbook of comparisons with a baseline: for each version a set of sheets,
//! whose figures are formulas that carry the values the analyzer computed.
//!
//! What the sheets say is what reports say: they are written from the same tables.
//! Names from traces are written as strings: none becomes a formula, the name of a
//! sheet or a link.

mod causes;
mod details;
mod formulas;
mod inference;
mod layers;
mod notes;
mod placed;
mod summary;
mod types;
mod version;
mod wholes;

use super::page::{Numbers, Page, Written};
use super::places::Places;
use super::sheet::Styles;
use crate::error::ReportError;
use crate::xlsx::whole::write_whole;
use onnxray_analyzer::comparison::{Comparison, Recording};
use onnxray_failsafe::OutputFile;
use rust_xlsxwriter::Workbook;
use version::Version;

/// Writes comparisons as a workbook. An existing file is replaced once the new one
/// is whole.
///
/// # Errors
///
/// If the file cannot be written, or the workbook not be made.
pub fn write_comparison<'a>(
    baseline: &Recording,
    versions: &[&Recording],
    comparisons: &[Comparison],
    file: impl Into<OutputFile<'a>>,
) -> Result<(), ReportError> {
    write_whole(file.into(), || {
        let mut workbook = Workbook::new();
        let styles = Styles::new();
        let numbers = Numbers::new(&styles);
        let several = comparisons.len() > 1;
        for (number, (recording, comparison)) in versions.iter().zip(comparisons).enumerate() {
            let letter = several.then_some(number as u16 + 1);
            let version = Version::new(baseline, recording, comparison, letter);
            write_version(&mut workbook, &styles, &numbers, &version)?;
        }
        Ok(workbook)
    })
}

/// Writes a sheet of a version.
type WriteSheet = fn(&mut Page, &Version) -> Written;

fn write_version(
    workbook: &mut Workbook,
    styles: &Styles,
    numbers: &Numbers,
    version: &Version,
) -> Written {
    let places = Places::default();
    let sheets: [(&str, WriteSheet); 7] = [
        (version::SUMMARY, summary::write),
        (version::INFERENCE, inference::write),
        (version::TYPES, types::write),
        (version::LAYERS, layers::write),
        (version::CAUSES, causes::write),
        (version::DETAILS, details::write),
        (version::NOTES, notes::write),
    ];
    for (name, write) in sheets {
        let mut page = Page::new(workbook, &version.sheet(name), (styles, numbers), &places)?;
        write(&mut page, version)?;
        page.finish()?;
    }
    Ok(())
}

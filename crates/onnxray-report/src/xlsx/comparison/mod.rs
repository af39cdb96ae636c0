//! The workbook of comparisons with a baseline: for each version a set of sheets,
//! whose figures are formulas that carry the values the analyzer computed.
//!
//! Sheets and reports agree: they are written from the same columns.
//! Names from traces are written as strings: none becomes a formula, the name of a
//! sheet or a link.

mod causes;
mod details;
mod inference;
mod layers;
mod notes;
mod summary;
mod types;
mod version;

use super::places::address::column;
use super::sheet::{SheetWriter, Styles, Written};
use crate::content::comparison::{ComparisonReport, Pair, comparison_tables};
use rust_xlsxwriter::{Workbook, XlsxError};
use version::Version;

pub(super) fn build(report: &ComparisonReport) -> Result<Workbook, XlsxError> {
    let ComparisonReport { baseline, versions, comparisons } = *report;
    let mut workbook = Workbook::new();
    let styles = Styles::new();
    let several = comparisons.len() > 1;
    for (number, (recording, comparison)) in (1..).zip(versions.iter().zip(comparisons)) {
        // Letters of columns: 0 is A, the baseline, and 1 is B.
        let letter = column(if several { number } else { 1 });
        let recordings = [baseline, recording];
        let pair = Pair { comparison, recordings, letter: &letter };
        let version = Version::new(pair, several);
        write_version(&mut workbook, &styles, &version)?;
    }
    Ok(workbook)
}

/// Writes a sheet of a version.
type WriteSheet = fn(&mut SheetWriter, &Version) -> Written;

fn write_version(workbook: &mut Workbook, styles: &Styles, version: &Version) -> Written {
    let sheets: [(&str, WriteSheet); 8] = [
        (version::SUMMARY, summary::write),
        (version::INFERENCE, inference::write),
        (version::TYPES, types::write),
        (version::PATTERNS, layers::write_patterns),
        (version::LAYERS, layers::write),
        (version::CAUSES, causes::write),
        (version::DETAILS, details::write),
        (version::NOTES, notes::write),
    ];
    let tables = comparison_tables(version.pair);
    let labels = version.chart_table(&tables[0]);
    let places = version.places(&tables, &labels);
    let repeats = !version.comparison.folded.is_empty();
    for (name, write) in sheets {
        if name == version::PATTERNS && !repeats {
            continue;
        }
        let mut writer = SheetWriter::new(workbook, &version.sheet(name), styles, &places)?;
        write(&mut writer, version)?;
        writer.finish()?;
    }
    Ok(())
}

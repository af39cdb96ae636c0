//! A version in the workbook: its report, its letter, and the names of its sheets.

use crate::content::comparison::{
    ComparisonSelection, ComparisonView, complete_report, has_one_unit,
};
use crate::document::{Document, Table};
use crate::xlsx::address::column;
use onnxray_analyzer::comparison::{Comparison, Recording};
use rust_xlsxwriter::Color;

/// Names of the sheets, in front of the version's letter.
pub(super) const SUMMARY: &str = "Summary";
pub(super) const INFERENCE: &str = "Inference time";
pub(super) const TYPES: &str = "Layer types";
pub(super) const LAYERS: &str = "Layers";
pub(super) const CAUSES: &str = "Causes";
pub(super) const DETAILS: &str = "Details";
pub(super) const NOTES: &str = "Notes";

/// Colours of the sides, and of changes, the same in all charts.
pub(super) const SIDE_COLOURS: [Color; 2] = [Color::RGB(0x5B7FA6), Color::RGB(0xE08E3C)];
pub(super) const FASTER: Color = Color::RGB(0x5AAE61);
pub(super) const SLOWER: Color = Color::RGB(0xD6604D);
/// The same behind numbers, which have to stay readable.
pub(super) const PALE_FASTER: Color = Color::RGB(0xA9D8AC);
pub(super) const PALE_SLOWER: Color = Color::RGB(0xF2B5AA);

/// A version, and everything that a report says of it.
pub(super) struct Version<'a> {
    pub(super) comparison: &'a Comparison,
    pub(super) document: Document,
    /// `B` for the first.
    letter: String,
    /// Whether the workbook has others, too.
    pub(super) several: bool,
}

impl<'a> Version<'a> {
    /// `number` counts versions from 1 where there are several.
    pub(super) fn new(
        baseline: &Recording,
        recording: &Recording,
        comparison: &'a Comparison,
        number: Option<u16>,
    ) -> Version<'a> {
        let views = ComparisonView::ALL.to_vec();
        let selection = ComparisonSelection { views, rows: None, layer: None, totals: false };
        let comparisons = std::slice::from_ref(comparison);
        Version {
            comparison,
            document: complete_report(baseline, &[recording], comparisons, &selection),
            letter: column(number.unwrap_or(1)),
            several: number.is_some(),
        }
    }

    /// A table of the report.
    ///
    /// # Panics
    ///
    /// If reports have no such table, which is a mistake in the program and in no
    /// input.
    pub(super) fn table(&self, key: &str) -> &Table {
        self.document.table(key).unwrap_or_else(|| panic!("no table {key}"))
    }

    /// The name of a sheet of this version.
    pub(super) fn sheet(&self, name: &str) -> String {
        match self.several {
            true => format!("{name} {}", self.letter),
            false => name.to_string(),
        }
    }

    /// What A and B are.
    pub(super) fn labels(&self) -> [String; 2] {
        let [a, b] = &self.comparison.labels;
        [format!("A: {a}"), format!("{}: {b}", self.letter)]
    }

    /// A text of ours, not of a trace, with this version's letter for B.
    pub(super) fn named(&self, text: &str) -> String {
        let words = text.split(' ').map(|word| if word == "B" { &self.letter } else { word });
        words.collect::<Vec<_>>().join(" ")
    }

    /// Whether times of both sides are of the same.
    pub(super) fn has_one_unit(&self) -> bool {
        has_one_unit(self.comparison)
    }
}

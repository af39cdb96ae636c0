//! A version in the workbook: its report, its tables, and the names of its sheets.

use crate::content::comparison::{
    ComparisonSelection, ComparisonSheets, ComparisonView, WholeFigure, complete_report,
    has_one_unit,
};
use crate::document::{Document, Entry, Look, SheetColumn, SheetTable};
use crate::xlsx::address::fixed;
use crate::xlsx::places::Places;
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

/// Where the reader chooses what the chart of types shows.
pub(super) const CHOICE: (u32, u16) = (1, 1);

/// A version, and everything that a report says of it.
pub(super) struct Version<'a> {
    pub(super) comparison: &'a Comparison,
    pub(super) document: Document,
    pub(super) tables: &'a ComparisonSheets<'a>,
    /// Of the charts of the whole; its headings are the labels that charts name their bars by: a
    /// text in a chart would be looked at.
    pub(super) labels: SheetTable<'a>,
    /// What stands for B, if the workbook has others, too.
    pub(super) letter: Option<&'a str>,
}

impl<'a> Version<'a> {
    pub(super) fn new(
        [baseline, recording]: [&Recording; 2],
        comparison: &'a Comparison,
        tables: &'a ComparisonSheets<'a>,
        letter: Option<&'a str>,
    ) -> Version<'a> {
        let views = ComparisonView::ALL.to_vec();
        let selection = ComparisonSelection { views, rows: None, layer: None, totals: false };
        let comparisons = std::slice::from_ref(comparison);
        let document = complete_report(baseline, &[recording], comparisons, &selection);
        let labels = labels(comparison, tables);
        Version { comparison, document, tables, labels, letter }
    }

    /// Where the tables lie.
    pub(super) fn places(&self) -> Places {
        let mut places = Places::default();
        let tables = self.tables;
        let summary = self.sheet(SUMMARY);
        let figures = places.put(&tables.inference, &summary, (self.facts() + 6, 0)).header();
        let below = figures + tables.inference.length as u32 + 3;
        places.put(&tables.configuration, &summary, (below, 0));
        let below = below + tables.configuration.length.max(1) as u32 + 3;
        places.put(&tables.conservation, &summary, (below, 0));
        places.put(&self.labels, &self.sheet(INFERENCE), (2, 0));
        places.put(&tables.types, &self.sheet(TYPES), (4, 0));
        places.put(&tables.layers, &self.sheet(LAYERS), (2, 0));
        places.put(&tables.causes, &self.sheet(CAUSES), (2, 0));
        places.put(&tables.details, &self.sheet(DETAILS), (2, 0));
        places.name("choice", fixed(CHOICE.0, CHOICE.1));
        places
    }

    /// Row of the first fact of the summary, behind the headline.
    pub(super) fn facts(&self) -> u32 {
        self.document.headline.len() as u32 + 2
    }

    /// The name of a sheet of this version.
    pub(super) fn sheet(&self, name: &str) -> String {
        self.letter.map_or(name.to_string(), |letter| format!("{name} {letter}"))
    }

    /// Whether times of both sides are of the same.
    pub(super) fn has_one_unit(&self) -> bool {
        has_one_unit(self.comparison)
    }
}

/// Figures of the whole; those of its parts, which stand behind them, are no charts.
pub(super) fn charted(comparison: &Comparison) -> &'static [WholeFigure] {
    let figures = WholeFigure::of(comparison);
    let parts = [
        WholeFigure::ProfiledTypical,
        WholeFigure::ProfiledMean,
        WholeFigure::OperatorsMean,
        WholeFigure::OverheadMean,
    ];
    let part = figures.iter().position(|kind| parts.contains(kind));
    &figures[..part.unwrap_or(figures.len())]
}

fn labels<'a>(comparison: &Comparison, tables: &'a ComparisonSheets<'a>) -> SheetTable<'a> {
    let (shown, figures) = (charted(comparison), &tables.inference);
    let [a, b] = &comparison.labels;
    let b_name = tables.named("B");
    let name = SheetColumn::new("figure", figures.heading("figure"), Look::Label, |row| {
        Some(figures.value("figure", row).into())
    });
    let live = |key, heading, look: fn(WholeFigure) -> Look| {
        SheetColumn::new(key, heading, Look::Ratio, move |row| {
            let formula = format!("=[!inference.{key}:{row}]");
            Some(Entry::live(figures.value(key, row), formula).look(look(shown[row])))
        })
    };
    let columns = vec![
        name,
        live("a", format!("A: {a}"), WholeFigure::look),
        live("b", format!("{b_name}: {b}"), WholeFigure::look),
        live("ratio", figures.heading("ratio"), |_| Look::Ratio),
    ];
    SheetTable::of("labels", columns, shown.len())
}

/// What the numbers of a column add up to; words count for nothing.
pub(super) fn sum(table: &SheetTable, key: &str) -> f64 {
    (0..table.length).filter_map(|row| table.value(key, row).as_number()).sum()
}

//! A version in the workbook: its report, its tables, and the names of its sheets.

use crate::content::comparison::{ComparisonReport, ComparisonSelection, EndToEndFigure, Pair};
use crate::document::{CellStyle, Document, Entry, Table, TableColumn};
use crate::xlsx::places::Places;
use crate::xlsx::places::address::fixed;
use crate::xlsx::sheet::SheetWriter;
use onnxray_analyzer::comparison::Comparison;
use rust_xlsxwriter::{Color, XlsxError};

/// Names of the sheets, in front of the version's letter.
pub(super) const SUMMARY: &str = "Summary";
pub(super) const INFERENCE: &str = "Inference time";
pub(super) const TYPES: &str = "By type";
pub(super) const LAYERS: &str = "Layers";
pub(super) const PATTERNS: &str = "Layer patterns";
pub(super) const CAUSES: &str = "Causes";
pub(super) const DETAILS: &str = "Details";
pub(super) const NOTES: &str = "Notes";

/// Colours of the sides, and of changes, the same in all charts.
pub(super) const SIDE_COLOURS: [Color; 2] = [Color::RGB(0x5B7FA6), Color::RGB(0xE08E3C)];
pub(super) const FASTER: Color = Color::RGB(0x5AAE61);
pub(super) const SLOWER: Color = Color::RGB(0xD6604D);
/// Paler, as background of numbers.
pub(super) const PALE_FASTER: Color = Color::RGB(0xA9D8AC);
pub(super) const PALE_SLOWER: Color = Color::RGB(0xF2B5AA);

/// Cell that chooses the figures of the chart of types.
pub(super) const CHOICE: (u32, u16) = (1, 1);

/// A version and its report.
pub(super) struct Version<'a> {
    pub(super) pair: Pair<'a>,
    pub(super) comparison: &'a Comparison,
    pub(super) document: Document,
    /// The workbook has several versions.
    pub(super) several: bool,
}

impl<'a> Version<'a> {
    pub(super) fn new(pair: Pair<'a>, several: bool) -> Version<'a> {
        let Pair { comparison, recordings: [baseline, recording], .. } = pair;
        let comparisons = std::slice::from_ref(comparison);
        let report = ComparisonReport { baseline, versions: &[recording], comparisons };
        let document = report.complete(&ComparisonSelection::everything());
        Version { pair, comparison, document, several }
    }

    /// Places of the tables, and of the labels of charts of the whole.
    pub(super) fn places<'t>(&self, tables: &'t [Table; 8], labels: &'t Table) -> Places<'t> {
        let [inference, configuration, conservation, types, layers, causes, details, patterns] =
            tables;
        let mut places = Places::default();
        let summary = self.sheet(SUMMARY);
        // Below four facts. A blank row and a title come before each heading.
        let below = places.put(inference, &summary, (self.facts() + 6, 0)) + 3;
        let below = places.put(configuration, &summary, (below, 0)) + 3;
        places.put(conservation, &summary, (below, 0));
        places.put(labels, &self.sheet(INFERENCE), (2, 0));
        places.put(types, &self.sheet(TYPES), (4, 0));
        places.put(layers, &self.sheet(LAYERS), (2, 0));
        places.put(patterns, &self.sheet(PATTERNS), (2, 0));
        places.put(causes, &self.sheet(CAUSES), (2, 0));
        places.put(details, &self.sheet(DETAILS), (2, 0));
        places.name("choice", fixed(CHOICE.0, CHOICE.1));
        places
    }

    /// Row of the first fact of the summary, after the headline.
    pub(super) fn facts(&self) -> u32 {
        self.document.headline.len() as u32 + 2
    }

    /// The name of a sheet of this version.
    pub(super) fn sheet(&self, name: &str) -> String {
        if self.several { format!("{name} {}", self.pair.letter) } else { name.to_string() }
    }

    /// Labels of A and B.
    pub(super) fn labels(&self) -> [String; 2] {
        let [a, b] = &self.comparison.labels;
        [format!("A: {a}"), format!("{}: {b}", self.pair.letter)]
    }

    /// Figures of both sides and their ratio for charts. The headings are the labels that these
    /// name their bars by: a text in a chart would be looked at.
    pub(super) fn chart_table(&self, figures: &Table) -> Table {
        let shown = charted(self.comparison);
        let names = (0..shown.len()).map(|row| Entry::from(figures.value("figure", row).clone()));
        let name = figures.heading("figure").to_string();
        let live = |key, heading, style: fn(EndToEndFigure) -> CellStyle| {
            let entries = shown.iter().enumerate().map(|(row, figure)| {
                let formula = format!("=[!inference.{key}:{row}]");
                Entry::live(figures.value(key, row).clone(), formula).style(style(*figure))
            });
            TableColumn::live(key, heading, CellStyle::RATIO, entries)
        };
        let [a, b] = self.labels();
        let columns = vec![
            TableColumn::live("figure", name, CellStyle::Label, names),
            live("a", a, EndToEndFigure::style),
            live("b", b, EndToEndFigure::style),
            live("ratio", figures.heading("ratio").to_string(), |_| CellStyle::RATIO),
        ];
        Table::made("labels", columns, shown.len())
    }
}

/// End-to-end figures with a chart: those before the first figure of a part.
pub(super) fn charted(comparison: &Comparison) -> &'static [EndToEndFigure] {
    let figures = EndToEndFigure::of(comparison);
    let parts = [
        EndToEndFigure::ProfiledTypical,
        EndToEndFigure::ProfiledMean,
        EndToEndFigure::OperatorsMean,
        EndToEndFigure::OverheadMean,
    ];
    let part = figures.iter().position(|kind| parts.contains(kind));
    &figures[..part.unwrap_or(figures.len())]
}

/// Value of the whole in a row of [`Pair`].
pub(super) fn whole_value(
    writer: &SheetWriter,
    key: &str,
    row: usize,
) -> Result<Option<f64>, XlsxError> {
    Ok(writer.places.get("inference")?.0.value(key, row).as_number())
}

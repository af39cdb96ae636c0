//! Comparisons as tables, as a page and as a workbook.

use super::metrics::metrics;
use super::{ComparisonReport, ComparisonSelection, ComparisonView, Folding};
use crate::content::first_screen::run;
use crate::content::report::{Report, Sheets, Workbook};
use crate::document::{Block, Document, Measured, Page, View, view};
use onnxray_analyzer::comparison::Recording;

const VIEWS: &[View] = &[
    view("performance-summary", "Performance summary"),
    view("inference-time", "Inference time"),
    view("layers", "Layers"),
    view("graph", "Graph"),
    view("causes", "Causes"),
    view("not-aligned", "Not aligned"),
    view("notes", "Notes"),
];

/// Rows of what differs most where no script shows all of them.
const NOSCRIPT_ROWS: usize = 50;

impl Report for ComparisonReport<'_> {
    type Selection = ComparisonSelection;

    fn document(&self, selection: &ComparisonSelection) -> Document {
        let mut document = self.complete(selection);
        document.blocks.retain(|block| !matches!(block, Block::Table(table) if table.is_empty()));
        document.metrics = metrics(self, selection.layer.as_deref());
        document
    }

    fn page(&self) -> Page {
        let noscript = ComparisonSelection {
            views: vec![
                ComparisonView::Inference,
                ComparisonView::Causes,
                ComparisonView::Types,
                ComparisonView::Layers,
            ],
            rows: Some(NOSCRIPT_ROWS),
            totals: true,
            folding: Folding::Patterns,
            ..ComparisonSelection::everything()
        };
        // Without totals: the script has all rows, and adds them up itself.
        let mut report = self.document(&ComparisonSelection::everything());
        report.extend(self.ladders());
        let labels: Vec<&str> =
            self.versions.iter().map(|version| version.label.as_str()).collect();
        let title = format!("{} and {}", self.baseline.label, labels.join(", "));
        Page::new(title, VIEWS, report, self.document(&noscript))
            .of(measured(self.baseline, self.versions))
    }

    fn workbook(&self) -> Workbook<'_> {
        Workbook(Sheets::Comparison(*self))
    }
}

/// Lines about what was measured, for A and each B; several versions are told apart by their
/// labels.
fn measured(baseline: &Recording, versions: &[&Recording]) -> Vec<Measured> {
    let of = |side: String, recording: &Recording| Measured {
        side,
        parts: run(&recording.summary).texts(),
    };
    let side = |version: &Recording| match versions {
        [_] => "B".to_string(),
        _ => format!("B, {}", version.label),
    };
    let versions = versions.iter().map(|version| of(side(version), version));
    std::iter::once(of("A".to_string(), baseline)).chain(versions).collect()
}

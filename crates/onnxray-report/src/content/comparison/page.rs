//! Comparisons as a page.

use super::{ComparisonSelection, ComparisonView, comparison_report};
use crate::content::first_screen::run;
use crate::document::{Measured, Page, View, view};
use onnxray_analyzer::comparison::{Comparison, Recording};

const VIEWS: &[View] = &[
    view("performance-summary", "Performance summary"),
    view("inference-time", "Inference time"),
    view("layers", "Layers"),
    view("causes", "Causes"),
    view("not-aligned", "Not aligned"),
    view("notes", "Notes"),
];

/// Rows of what differs most where no script shows all of them.
const NOSCRIPT_ROWS: usize = 50;

/// The page of several versions, each compared to the baseline. `versions` are the
/// recordings of the comparisons, in their order.
pub fn comparison_page(
    baseline: &Recording,
    versions: &[&Recording],
    comparisons: &[Comparison],
) -> Page {
    let report = |views: &[ComparisonView], rows, totals| {
        let selection = ComparisonSelection {
            views: views.to_vec(),
            rows,
            layer: None,
            totals,
            sure_causes: false,
        };
        comparison_report(baseline, versions, comparisons, &selection)
    };
    let labels: Vec<&str> = versions.iter().map(|version| version.label.as_str()).collect();
    let title = format!("{} and {}", baseline.label, labels.join(", "));
    let noscript = [
        ComparisonView::Inference,
        ComparisonView::Causes,
        ComparisonView::Types,
        ComparisonView::Layers,
    ];
    let noscript = report(&noscript, Some(NOSCRIPT_ROWS), true);
    // Without totals: the script has all rows, and adds them up itself.
    Page::new(title, VIEWS, report(&ComparisonView::ALL, None, false), noscript)
        .of(measured(baseline, versions))
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

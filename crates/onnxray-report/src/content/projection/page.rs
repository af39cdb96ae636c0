//! A projection as a page.

use super::{ProjectionSelection, projection_inputs, projection_report};
use crate::content::first_screen::setup;
use crate::content::recording::model::title;
use crate::document::{Block, Measured, Page, View, view};
use onnxray_analyzer::projection::{Plan, Projection, Settings};
use onnxray_analyzer::statistics::Summary;

const VIEWS: &[View] = &[
    view("projection", "Projection"),
    view("levels", "Sparsities"),
    view("plan", "Plan"),
    view("notes", "Notes"),
];

/// Operators and layers where no script shows all of them.
const NOSCRIPT_ROWS: usize = 50;

/// The page of a projection of the recording of a name.
pub fn projection_page(
    name: &str,
    summary: &Summary,
    projection: &Projection,
    plan: &Plan,
    settings: &Settings,
) -> Page {
    let everything =
        ProjectionSelection { operators: None, levels_table: true, plan: true, details: true };
    let noscript =
        ProjectionSelection { operators: Some(NOSCRIPT_ROWS), details: false, ..everything };
    let mut report = projection_report(summary, projection, plan, everything);
    report.push(Block::Projection(projection_inputs(summary, projection, plan, settings)));
    let noscript = projection_report(summary, projection, plan, noscript);
    Page::new(title(name, summary), VIEWS, report, noscript)
        .of(vec![Measured { side: String::new(), parts: setup(summary).texts() }])
}

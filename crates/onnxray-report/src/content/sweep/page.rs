//! A sweep as a page.

use super::sweep_report;
use crate::document::{Page, View, view};
use onnxray_analyzer::sweep::Sweep;

const VIEWS: &[View] = &[view("sweep", "Sweep"), view("points", "Points"), view("notes", "Notes")];

/// The page of a sweep.
pub fn sweep_page(sweep: &Sweep) -> Page {
    let report = sweep_report(sweep);
    let models: Vec<&str> = sweep.models.iter().filter_map(|of| of.model.as_deref()).collect();
    Page::new(models.join(", "), VIEWS, report.clone(), report)
}

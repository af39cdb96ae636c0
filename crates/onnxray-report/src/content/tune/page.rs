//! A tuning as a page.

use super::result::TuneResult;
use super::tune_report;
use crate::document::{Page, View, view};

const VIEWS: &[View] = &[view("tune", "Tuning"), view("notes", "Notes")];

/// With what the recordings say that verify it.
const VERIFIED: &[View] = &[
    view("tune", "Tuning"),
    view("causes", "Where the difference comes from"),
    view("layers", "Layers"),
    view("notes", "Notes"),
];

/// Rows where no script shows all of them.
const NOSCRIPT_ROWS: usize = 50;

/// The page of a tuning.
pub fn tune_page(result: &TuneResult) -> Page {
    let noscript = tune_report(result, Some(NOSCRIPT_ROWS));
    let views = if result.verified.is_some() { VERIFIED } else { VIEWS };
    Page::new(result.tuning.run.file.model.clone(), views, tune_report(result, None), noscript)
}

//! A tuning as a page.

use super::{TuneResult, tune_report};
use crate::document::{Page, View, view};

const VIEWS: &[View] = &[
    view("tune", "Tuning"),
    view("tune-changes", "Changes"),
    view("tune-combinations", "Combinations"),
    view("causes", "Causes"),
    view("layers", "Layers"),
    view("notes", "Notes"),
];

/// Rows where no script shows all of them.
const STILL_ROWS: usize = 50;

/// The page of a tuning.
pub fn tune_page(result: &TuneResult) -> Page {
    let still = tune_report(result, Some(STILL_ROWS));
    Page::new(result.tuning.run.model.clone(), VIEWS, tune_report(result, None), still)
}

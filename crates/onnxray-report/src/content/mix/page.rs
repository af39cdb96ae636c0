//! A mix as a page.

use super::result::MixResult;
use super::{mix_report, words};
use crate::document::{Page, View, view};

const VIEWS: &[View] = &[view("mix", "Mix"), view("notes", "Notes")];

/// With what the recordings say that verify it.
const VERIFIED: &[View] = &[
    view("mix", "Mix"),
    view("causes", "Where the difference comes from"),
    view("layers", "Layers"),
    view("notes", "Notes"),
];

/// Rows where no script shows all of them.
const NOSCRIPT_ROWS: usize = 50;

/// The page of a mix.
pub fn mix_page(result: &MixResult) -> Page {
    let noscript = mix_report(result, Some(NOSCRIPT_ROWS));
    let views = if result.verified.is_some() { VERIFIED } else { VIEWS };
    let title = words::models(&result.mixing.run).join(" + ");
    Page::new(title, views, mix_report(result, None), noscript)
}

//! A loss profile as a page.

use super::loss_report;
use crate::document::{Page, View, view};
use onnxray_format::LossProfile;

const VIEWS: &[View] =
    &[view("sensitivity", "Sensitivity"), view("layers", "Layers"), view("notes", "Notes")];

/// Layers where no script shows all of them.
const NOSCRIPT_ROWS: usize = 50;

/// The page of a loss profile.
pub fn loss_page(profile: &LossProfile) -> Page {
    let noscript = loss_report(profile, Some(NOSCRIPT_ROWS));
    Page::new(profile.run.file.model.clone(), VIEWS, loss_report(profile, None), noscript)
}

//! A tuning as tables, as a page and as a workbook.

use super::result::TuneResult;
use super::tune_report;
use crate::content::report::{Arrangement, Report, TableSheet, Workbook};
use crate::document::{Document, Page, View, view};

const VIEWS: &[View] = &[view("tune", "Tuning"), view("notes", "Notes")];

/// With what the recordings say that verify it.
const VERIFIED: &[View] = &[
    view("tune", "Tuning"),
    view("causes", "Where the difference comes from"),
    view("layers", "Layers"),
    view("notes", "Notes"),
];

const ARRANGEMENT: Arrangement = Arrangement {
    title: "onnxray: tuning",
    sheets: &[
        TableSheet {
            bars: &["ratio"],
            in_front: true,
            ..TableSheet::new("tune_changes", "Changes")
        },
        TableSheet::on_summary("tune_combinations"),
        TableSheet { filter: false, ..TableSheet::new("causes", "Causes") },
        TableSheet::new("layers", "Layers"),
    ],
};

/// Rows where no script shows all of them.
const NOSCRIPT_ROWS: usize = 50;

impl Report for TuneResult {
    /// Rows of long tables, at most; `None` for all.
    type Selection = Option<usize>;

    fn document(&self, most: &Option<usize>) -> Document {
        tune_report(self, *most)
    }

    fn page(&self) -> Page {
        let noscript = tune_report(self, Some(NOSCRIPT_ROWS));
        let views = if self.verified.is_some() { VERIFIED } else { VIEWS };
        Page::new(self.tuning.run.file.model.clone(), views, tune_report(self, None), noscript)
    }

    fn workbook(&self) -> Workbook<'_> {
        Workbook::arranged(tune_report(self, None), &ARRANGEMENT)
    }
}

//! A mix as tables, as a page and as a workbook.

use super::result::MixResult;
use super::{mix_report, words};
use crate::content::report::{Arrangement, Report, TableSheet, Workbook};
use crate::document::{Document, Page, View, view};

const VIEWS: &[View] = &[view("mix", "Mix"), view("notes", "Notes")];

/// With what the recordings say that verify it.
const VERIFIED: &[View] = &[
    view("mix", "Mix"),
    view("causes", "Where the difference comes from"),
    view("layers", "Layers"),
    view("notes", "Notes"),
];

const ARRANGEMENT: Arrangement = Arrangement {
    title: "onnxray: mix",
    sheets: &[
        TableSheet::on_summary("mix_models"),
        TableSheet { fold: true, ..TableSheet::new("mix_changes", "Changes") },
        TableSheet::new("mix_front", "Front"),
        TableSheet::new("mixes", "Mixes"),
        TableSheet { filter: false, ..TableSheet::new("causes", "Causes") },
        TableSheet::new("layers", "Layers"),
    ],
};

/// Rows where no script shows all of them.
const NOSCRIPT_ROWS: usize = 50;

impl Report for MixResult {
    /// Rows of long tables, at most; `None` for all.
    type Selection = Option<usize>;

    fn document(&self, most: &Option<usize>) -> Document {
        mix_report(self, *most)
    }

    fn page(&self) -> Page {
        let noscript = mix_report(self, Some(NOSCRIPT_ROWS));
        let views = if self.verified.is_some() { VERIFIED } else { VIEWS };
        let title = words::models(&self.mixing.run).join(" + ");
        Page::new(title, views, mix_report(self, None), noscript)
    }

    fn workbook(&self) -> Workbook<'_> {
        Workbook::arranged(mix_report(self, None), &ARRANGEMENT)
    }
}

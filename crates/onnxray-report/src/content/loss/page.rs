//! A sensitivity profile as tables, as a page and as a workbook.

use super::loss_report;
use crate::content::report::{Arrangement, Report, TableSheet, Workbook};
use crate::document::{Document, Page, View, view};
use onnxray_analyzer::workbook_words::title;
use onnxray_format::LossProfile;

const VIEWS: &[View] =
    &[view("sensitivity", "Sensitivity"), view("layers", "Layers"), view("notes", "Notes")];

const ARRANGEMENT: Arrangement = Arrangement {
    title: title::LOSS,
    sheets: &[
        TableSheet::on_summary("loss_outputs"),
        TableSheet {
            frozen: 2,
            fold: true,
            bars: &["sensitivity"],
            ..TableSheet::new("loss_layers", "Layers")
        },
        TableSheet {
            frozen: 3,
            fold: true,
            in_front: true,
            ..TableSheet::new("loss_points", "Sparsities")
        },
    ],
};

/// Layers where no script shows all of them.
const NOSCRIPT_ROWS: usize = 50;

impl Report for LossProfile {
    /// Layers, at most; `None` for all, and their points.
    type Selection = Option<usize>;

    fn document(&self, most: &Option<usize>) -> Document {
        loss_report(self, *most)
    }

    fn page(&self) -> Page {
        let noscript = loss_report(self, Some(NOSCRIPT_ROWS));
        Page::new(self.run.file.model.clone(), VIEWS, loss_report(self, None), noscript)
    }

    fn workbook(&self) -> Workbook<'_> {
        Workbook::arranged(loss_report(self, None), &ARRANGEMENT)
    }
}

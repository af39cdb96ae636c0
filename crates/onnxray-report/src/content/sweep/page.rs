//! A sweep as tables, as a page and as a workbook.

use super::sweep_report;
use crate::content::report::{Report, Sheets, Workbook};
use crate::document::{Document, Page, View, view};
use onnxray_analyzer::sweep::Sweep;

const VIEWS: &[View] = &[view("sweep", "Sweep"), view("points", "Points"), view("notes", "Notes")];

impl Report for Sweep {
    type Selection = ();

    fn document(&self, (): &()) -> Document {
        sweep_report(self)
    }

    fn page(&self) -> Page {
        let report = sweep_report(self);
        let models: Vec<&str> = self.models.iter().filter_map(|of| of.model.as_deref()).collect();
        Page::new(models.join(", "), VIEWS, report.clone(), report)
    }

    fn workbook(&self) -> Workbook<'_> {
        Workbook(Sheets::Sweep(self))
    }
}

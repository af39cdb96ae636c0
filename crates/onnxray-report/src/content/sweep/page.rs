//! A sweep as tables, as a page and as a workbook.

use super::{compared, sweep_report};
use crate::content::report::{Report, Sheets, Workbook};
use crate::document::{Document, Page, View, view};
use onnxray_analyzer::comparison::Recording;
use onnxray_analyzer::sweep::{ComparedPoints, Sweep};

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

/// A sweep whose page has points compared with each other, layer by layer.
pub struct SweepReport<'a> {
    pub sweep: &'a Sweep,
    /// Recordings of points, by their positions in the sweep.
    pub recordings: &'a [(usize, Recording)],
    /// Comparisons of these.
    pub compared: &'a [ComparedPoints],
}

impl Report for SweepReport<'_> {
    type Selection = ();

    fn document(&self, (): &()) -> Document {
        sweep_report(self.sweep)
    }

    fn page(&self) -> Page {
        let mut page = self.sweep.page();
        // Without scripts nothing is picked.
        if !self.compared.is_empty() {
            for table in compared::tables(self.sweep, self.recordings, self.compared) {
                page.report.push(table);
            }
        }
        page
    }

    fn workbook(&self) -> Workbook<'_> {
        self.sweep.workbook()
    }
}

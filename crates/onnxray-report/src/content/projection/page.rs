//! A projection as tables, as a page and as a workbook.

use super::{ProjectionReport, ProjectionSelection, projection_inputs, projection_report};
use crate::content::first_screen::setup;
use crate::content::profiles::with_profile;
use crate::content::recording::model::title;
use crate::content::report::{Report, Sheets, Workbook};
use crate::document::{Block, Document, Measured, Page, View, view};

const VIEWS: &[View] = &[
    view("projection", "Projection"),
    view("levels", "Sparsities"),
    view("plan", "Plan"),
    view("notes", "Notes"),
];

/// Operators and layers where no script shows all of them.
const NOSCRIPT_ROWS: usize = 50;

impl Report for ProjectionReport<'_> {
    type Selection = ProjectionSelection;

    fn document(&self, selection: &ProjectionSelection) -> Document {
        let document = projection_report(self.summary, self.projection, self.plan, *selection);
        match self.profile {
            Some(named) => with_profile(document, named),
            None => document,
        }
    }

    fn page(&self) -> Page {
        let ProjectionReport { name, summary, projection, plan, settings, .. } = *self;
        let everything =
            ProjectionSelection { operators: None, levels_table: true, plan: true, details: true };
        let noscript =
            ProjectionSelection { operators: Some(NOSCRIPT_ROWS), details: false, ..everything };
        let mut report = projection_report(summary, projection, plan, everything);
        // What is set in the page changes what it says.
        report.headline.clear();
        report.push(Block::Projection(projection_inputs(summary, projection, plan, settings)));
        let noscript = projection_report(summary, projection, plan, noscript);
        Page::new(title(name, summary), VIEWS, report, noscript)
            .of(vec![Measured { side: String::new(), parts: setup(summary).texts() }])
    }

    fn workbook(&self) -> Workbook<'_> {
        Workbook(Sheets::Projection(*self))
    }
}

//! A projection as tables, as a page and as a workbook.

use super::{ProjectionSelection, projection_inputs, projection_report};
use crate::content::first_screen::setup;
use crate::content::profiles::with_profile;
use crate::content::recording::model::title;
use crate::content::report::{Report, Sheets, Workbook};
use crate::document::{Block, Document, Measured, Page, View, view};
use onnxray_analyzer::profiles::Named;
use onnxray_analyzer::projection::{Plan, Projection, Settings};
use onnxray_analyzer::statistics::Summary;

const VIEWS: &[View] = &[
    view("projection", "Projection"),
    view("levels", "Sparsities"),
    view("plan", "Plan"),
    view("notes", "Notes"),
];

/// Operators and layers where no script shows all of them.
const NOSCRIPT_ROWS: usize = 50;

/// A projection of a recording, and the plan of its budget.
#[derive(Clone, Copy)]
pub struct ProjectionReport<'a> {
    /// Name of the recording.
    pub name: &'a str,
    /// Its figures.
    pub summary: &'a Summary,
    /// What it would cost.
    pub projection: &'a Projection,
    /// The budget spread over its layers.
    pub plan: &'a Plan,
    /// What the projection was made with.
    pub settings: &'a Settings,
    /// The profile of a project that it is of, which is printed in front.
    pub profile: Option<&'a Named>,
}

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
        report.push(Block::Projection(projection_inputs(summary, projection, plan, settings)));
        let noscript = projection_report(summary, projection, plan, noscript);
        Page::new(title(name, summary), VIEWS, report, noscript)
            .of(vec![Measured { side: String::new(), parts: setup(summary).texts() }])
    }

    fn workbook(&self) -> Workbook<'_> {
        Workbook(Sheets::Projection(*self))
    }
}

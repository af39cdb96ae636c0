//! A recording as a page.

use super::model::title;
use super::slowest::slowest_on_page;
use super::summary::{detailed_report, summary_report};
use crate::content::first_screen::{headline, left_out, setup};
use crate::content::profiles::with_profile;
use crate::content::projection::{ProjectionSelection, projection_inputs, projection_report};
use crate::content::selection::{Level, Selection};
use crate::document::{Block, Document, Measured, Notes, Page, View, view};
use onnxray_analyzer::profiles::Named;
use onnxray_analyzer::projection::Planned;
use onnxray_analyzer::statistics::{Details, Summary};

const VIEWS: &[View] = &[
    view("summary", "Summary"),
    view("layer-summaries", "Layer summaries"),
    view("layer-results", "Layer results"),
    view("iterations", "Iterations"),
    view("timeline", "Timeline"),
    view("roofline", "Roofline"),
    view("notes", "Notes"),
];

/// Operators where no script shows all of them.
const NOSCRIPT_ROWS: usize = 50;
/// Operators that the first view has room for.
const SLOWEST: usize = 8;

/// Tables of the projection that the page has.
const PROJECTED: [&str; 4] = ["projection", "levels", "level_types", "plan"];

/// The page of the recording of a name, with what sparse weights would bring, if that was
/// projected. A profile of a project is in front.
pub fn recording_page(
    name: &str,
    summary: &Summary,
    details: &Details,
    planned: Option<&Planned>,
    profile: Option<&Named>,
) -> Page {
    let mut report = detailed_report(summary, details);
    report.headline = headline(summary);
    report.headline.extend(left_out(summary));
    report.extend(slowest_on_page(&summary.operators, SLOWEST));
    // Notes stay last, after what is projected.
    let notes = report.take_notes();
    report.extend(planned.into_iter().flat_map(|planned| projected(summary, planned)));
    report.extend((!notes.is_empty()).then_some(Notes { notes }));
    // As where scripts run: where the time goes, then what ran.
    let levels = vec![Level::Type, Level::Operator, Level::Model];
    let selection = Selection { levels, rows: Some(NOSCRIPT_ROWS), ..Selection::default() };
    let mut noscript = summary_report(summary, &selection);
    noscript.headline.clone_from(&report.headline);
    let in_front = |document: Document| match profile {
        Some(named) => with_profile(document, named),
        None => document,
    };
    Page::new(title(name, summary), VIEWS, in_front(report), in_front(noscript))
        .of(vec![Measured { side: String::new(), parts: setup(summary).texts() }])
        .reading_later(&["operators", "iterations"])
}

fn projected(summary: &Summary, planned: &Planned) -> Vec<Block> {
    let Planned { settings, projection, plan } = planned;
    let everything =
        ProjectionSelection { operators: None, levels_table: true, plan: true, details: true };
    let report = projection_report(summary, projection, plan, everything);
    let is_shown =
        |block: &Block| matches!(block, Block::Table(table) if PROJECTED.contains(&table.key));
    let inputs = projection_inputs(summary, projection, plan, settings);
    report.blocks.into_iter().filter(is_shown).chain([Block::Projection(inputs)]).collect()
}

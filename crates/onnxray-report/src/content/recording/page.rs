//! A recording as tables, as a page and as a workbook.

use super::model::title;
use super::patterns::live;
use super::slowest::slowest_on_page;
use super::summary::{OPERATORS, detailed_report, recording_report, summary_report};
use crate::content::first_screen::{front, headline, left_out, sentence, sentences, setup};
use crate::content::profiles::with_profile;
use crate::content::projection::{ProjectionSelection, projection_inputs, projection_report};
use crate::content::report::{Arrangement, Report, Sheets, TableSheet, Tables, Workbook};
use crate::content::selection::{Level, Selection};
use crate::content::study::sensitivity::MeasuredSensitivity;
use crate::document::{Block, Document, Measured, Notes, Page, View, view};
use onnxray_analyzer::comparison::Check;
use onnxray_analyzer::profiles::Named;
use onnxray_analyzer::projection::Planned;
use onnxray_analyzer::statistics::{Details, Summary};
use onnxray_analyzer::workbook_words;

const VIEWS: &[View] = &[
    view("summary", "Summary"),
    view("layer-summaries", "By type"),
    view("layer-results", "Operators"),
    view("graph", "Graph"),
    view("iterations", "Iterations"),
    view("timeline", "Timeline"),
    view("roofline", "Roofline"),
    view("notes", "Notes"),
];

const ARRANGEMENT: Arrangement = Arrangement {
    title: workbook_words::title::RECORDING,
    sheets: &[
        TableSheet::on_summary("profiles"),
        TableSheet::on_summary("pace"),
        TableSheet::on_summary("roofs"),
        TableSheet::on_summary("phases"),
        TableSheet::on_summary("launches"),
        TableSheet {
            filter: false,
            bars: &["share"],
            ..TableSheet::new("operator_types", "By type")
        },
        TableSheet {
            fold: true,
            bars: &["share", "time_ms"],
            ..TableSheet::new("patterns", "Patterns")
        },
        TableSheet {
            frozen: 2,
            fold: true,
            totals: &["total_ms", "time_ms", "share", "flops", "bytes", "to_gain_ms"],
            bars: &["share", "time_ms"],
            ..TableSheet::new("operators", "Operators")
        },
        TableSheet { frozen: 2, fold: true, ..TableSheet::new("resources", "Resources") },
        TableSheet { bars: &["share"], ..TableSheet::new("tensors", "Tensors") },
        TableSheet { frozen: 0, printed: Some(30), ..TableSheet::new("iterations", "Iterations") },
    ],
};

/// Operators where no script shows all of them.
const NOSCRIPT_ROWS: usize = 50;
/// Operators that the first view has room for.
const SLOWEST: usize = 8;
/// Types and operators on the first sheet.
const SHOWN: usize = 10;

/// Tables of the projection that the page has.
const PROJECTED: [&str; 4] = ["projection", "levels", "level_types", "plan"];

/// A recording, with what sparse weights would bring, if that was projected.
#[derive(Clone, Copy)]
pub struct RecordingReport<'a> {
    pub name: &'a str,
    pub summary: &'a Summary,
    /// Single executions, and how times of operators are spread.
    pub details: &'a Details,
    /// What the page projects.
    pub planned: Option<&'a Planned>,
    /// The profile of a project that it is, which is in front.
    pub profile: Option<&'a Named>,
    /// Whether it can be trusted; `None` where nothing was checked.
    pub check: Option<&'a Check>,
    /// The sensitivity that was measured with it.
    pub sensitivity: Option<&'a MeasuredSensitivity<'a>>,
}

impl RecordingReport<'_> {
    fn behind_profile(&self, document: Document) -> Document {
        match self.profile {
            Some(named) => with_profile(document, named),
            None => document,
        }
    }

    /// Whether it can be trusted, and which iterations its times leave out.
    fn doubts(&self) -> Vec<String> {
        self.check.map(sentence).into_iter().chain(left_out(self.summary)).collect()
    }

    /// What is said of the sensitivity that was measured with it.
    fn sensitivity(&self) -> Vec<String> {
        self.sensitivity.map(MeasuredSensitivity::sentences).unwrap_or_default()
    }
}

impl Report for RecordingReport<'_> {
    type Selection = Selection;

    fn document(&self, selection: &Selection) -> Document {
        self.behind_profile(summary_report(self.summary, selection))
    }

    fn page(&self) -> Page {
        let RecordingReport { name, summary, details, planned, .. } = *self;
        let mut report = detailed_report(summary, details);
        report.headline = headline(summary);
        report.headline.extend(sentences(summary));
        report.headline.extend(self.doubts());
        report.headline.extend(self.sensitivity());
        report.extend(slowest_on_page(summary, SLOWEST));
        // Notes stay last, after what is projected.
        let notes = report.take_notes();
        report.extend(planned.into_iter().flat_map(|planned| projected(summary, planned)));
        report.extend((!notes.is_empty()).then_some(Notes { notes }));
        // As where scripts run: where the time goes, then what ran.
        let levels = vec![Level::Type, Level::Operator, Level::Model];
        let selection = Selection { levels, rows: Some(NOSCRIPT_ROWS), ..Selection::default() };
        let mut noscript = self.document(&selection);
        noscript.headline.clone_from(&report.headline);
        Page::new(title(name, summary), VIEWS, self.behind_profile(report), noscript)
            .of(vec![Measured { side: String::new(), parts: setup(summary).texts() }])
            .reading_later(&["patterns", "operators", "iterations"])
    }

    /// Of a profile of a project, the profile is on the first sheet.
    fn workbook(&self) -> Workbook<'_> {
        let mut document = recording_report(self.summary);
        live::compute(&mut document, OPERATORS.0);
        let mut front = front(self.summary, SHOWN);
        front.headline.extend(self.check.map(sentence));
        front.headline.extend(self.sensitivity());
        Workbook(Sheets::Tables(Box::new(Tables {
            document: self.behind_profile(document),
            arrangement: &ARRANGEMENT,
            front: Some(front),
        })))
    }
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

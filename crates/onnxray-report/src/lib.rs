//! Reports: `content` decides what they say, `write`, `html` and `xlsx` only how that looks.
//!
//! ```text
//! document ◀ content ◀ write ◀ html, xlsx
//! ```

mod content;
mod document;
mod html;
mod write;
mod xlsx;

pub use content::check::check_report;
pub use content::comparison::{
    ComparisonReport, ComparisonSelection, ComparisonView, Folding, models_report, models_table,
};
pub use content::first_screen::{FirstScreenSelection, Rows, first_screen};
pub use content::flops::FlopsReport;
pub use content::inputs::{FoundLibrary, engines_report, formats_report, inputs_report};
pub use content::profiles::{profiles_report, with_profile};
pub use content::projection::{
    ProjectionReport, ProjectionSelection, no_faster_at_targets, pruned_report,
};
pub use content::recording::modules::has_module;
pub use content::recording::page::RecordingReport;
pub use content::recording::summary::summary_report;
pub use content::regressions::regressions_report;
pub use content::report::{Report, Workbook};
pub use content::schema::{commands_with_json, json_schema};
pub use content::selection::{Level, Order, Repeats, Selection};
pub use content::study::*;
pub use content::sweep::SweepReport;
pub use content::tables::check_columns;
pub use content::verification::VerificationReport;
pub use document::{
    Block, Cell, Chart, ChartKind, Column, Document, Figure, Figures, Graph, Heading, Histograms,
    Importance, Ladder, Line, Lines, Measure, Measured, Metric, NoSuchColumn, Note, NoteKind,
    Notes, Page, Part, Rung, RungFigures, SCHEMA_VERSION, Scatter, Series, SpanColumns, Table,
    TableColumn, Timeline, TimelineIteration, Tone, Unit, View, column,
};
pub use html::{MOST_PAGE_ROWS, write_page};
pub use write::csv::{CsvTable, csv_tables};
pub use write::json::write_json;
pub use write::markdown::write_markdown;
pub use write::metrics::{write_bencher, write_benchmark_action};
pub use write::model_explorer::{write_ratios_for_graph, write_times_for_graph};
pub use write::signature::shorten_signatures;
pub use write::text::{TextStyle, write_text};
pub use xlsx::{MOST_WORKBOOK_ROWS, XlsxError, write_workbook};

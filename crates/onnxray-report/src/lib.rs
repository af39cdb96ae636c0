//! Reports: `content` decides what they say, `write`, `html` and `xlsx` only how that looks.
//!
//! ```text
//! document, error ◀ content ◀ write ◀ html, xlsx
//! ```

mod content;
mod document;
mod error;
mod html;
mod write;
mod xlsx;

pub use content::check::check_report;
pub use content::comparison::{
    ComparisonSelection, ComparisonView, comparison_metrics, comparison_page, comparison_report,
    models_report, models_table,
};
pub use content::first_screen::{FirstScreenSelection, Rows, first_screen};
pub use content::flops::{flops_page, flops_report};
pub use content::inputs::{formats_report, inputs_report};
pub use content::loss::{loss_notes, loss_page, loss_report, mixed_sensitivities};
pub use content::mix::{MixResult, MixVerified, Pair, mix_page, mix_report};
pub use content::profiles::{profiles_report, with_profile};
pub use content::projection::{
    ProjectionSelection, flops_plan, projection_inputs, projection_page, projection_report,
};
pub use content::recording::modules::has_module;
pub use content::recording::page::recording_page;
pub use content::recording::summary::summary_report;
pub use content::regressions::regressions_report;
pub use content::schema::{commands_with_json, json_schema};
pub use content::selection::{Level, Order, Selection};
pub use content::sweep::{sweep_page, sweep_report};
pub use content::tune::{TuneResult, Verified, tune_page, tune_report};
pub use document::{
    Block, Cell, Chart, ChartKind, Column, Document, Figure, Figures, Graph, Heading, Histograms,
    Importance, Line, Lines, Measure, Measured, Metric, NoSuchColumn, Note, NoteKind, Notes, Page,
    Part, SCHEMA_VERSION, Scatter, Series, SpanColumns, Table, TableColumn, Timeline,
    TimelineIteration, Tone, Unit, View, column,
};
pub use error::ReportError;
pub use html::{MOST_PAGE_ROWS, write_page};
pub use write::csv::{CsvTable, csv_tables};
pub use write::json::write_json;
pub use write::markdown::write_markdown;
pub use write::metrics::{write_bencher, write_benchmark_action};
pub use write::model_explorer::{write_ratios_for_graph, write_times_for_graph};
pub use write::signature::shorten_signatures;
pub use write::text::{TextStyle, write_text};
pub use xlsx::comparison::write_comparison;
pub use xlsx::document::{MOST_WORKBOOK_ROWS, write_xlsx};
pub use xlsx::flops::write_flops;
pub use xlsx::loss::write_loss;
pub use xlsx::mix::write_mix;
pub use xlsx::projection::write_projection;
pub use xlsx::recording::write_workbook;
pub use xlsx::sweep::write_sweep;
pub use xlsx::tune::write_tune;

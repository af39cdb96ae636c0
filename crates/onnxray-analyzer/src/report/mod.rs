//! Reports: their content is decided in `build`, once; writers know syntax only.

mod build;
mod build_check;
mod build_comparison;
mod build_projection;
mod comparison;
mod csv;
mod inputs;
mod json;
mod markdown;
mod operators;
mod page;
mod projection;
mod sheet;
mod table;
mod text;
mod xlsx;

pub use build::{Level, Order, Selection, flops_report, summary_report};
pub use build_check::check_report;
pub use build_comparison::{ComparisonSelection, ComparisonView, comparison_report};
pub use build_projection::{ProjectionSelection, projection_report};
pub use comparison::write_comparison;
pub use csv::write_csv;
pub use inputs::{formats_report, inputs_report};
pub use json::write_json;
pub use markdown::write_markdown;
pub use projection::write_projection;
pub use table::{Cell, Report, Table};
pub use text::write_text;
pub use xlsx::write_workbook;

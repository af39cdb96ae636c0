//! Comma-separated values with all columns, for programs and spreadsheets.

use crate::report::table::{Cell, Report};
use onnxray_format::profile_csv::{io_error, text};
use std::io::{self, Write};

/// Writes the tables one after the other; before each but a single one stands
/// a line `# title`, and between them an empty one.
pub fn write_csv(report: &Report, mut out: impl Write) -> io::Result<()> {
    for (index, table) in report.tables.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        if report.tables.len() > 1 {
            writeln!(out, "# {}", table.schema.title)?;
        }
        let mut csv = csv::Writer::from_writer(&mut out);
        csv.write_record(table.schema.columns.iter().map(|column| column.key)).map_err(io_error)?;
        for row in &table.rows {
            csv.write_record(row.iter().map(value)).map_err(io_error)?;
        }
        csv.flush()?;
    }
    Ok(())
}

fn value(cell: &Cell) -> String {
    match cell {
        Cell::Text(value) => text(value),
        Cell::Number(value) => value.to_string(),
        Cell::Whole(value) => value.to_string(),
        Cell::Unknown => "unknown".to_string(),
        Cell::None => String::new(),
    }
}

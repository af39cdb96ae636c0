//! CSV: what is unknown is an empty field.

use crate::schema::export::ExportTable;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type, UInt32Type, UInt64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use onnxray_format::profile_csv::{io_error, text};
use std::io::{self, Write};

/// Writes batches as CSV with a header. Names are data: one that a spreadsheet
/// would take for a formula gets an apostrophe in front.
pub(crate) fn write(
    out: impl Write,
    table: &ExportTable,
    batches: impl Iterator<Item = io::Result<RecordBatch>>,
) -> io::Result<()> {
    let mut csv = ::csv::Writer::from_writer(out);
    csv.write_record(table.columns.iter().map(|column| column.name)).map_err(io_error)?;
    for batch in batches {
        let batch = batch?;
        for row in 0..batch.num_rows() {
            let fields = batch.columns().iter().map(|column| field(column.as_ref(), row));
            csv.write_record(fields).map_err(io_error)?;
        }
    }
    csv.flush()
}

fn field(column: &dyn Array, row: usize) -> String {
    if column.is_null(row) {
        return String::new();
    }
    match column.data_type() {
        DataType::UInt32 => column.as_primitive::<UInt32Type>().value(row).to_string(),
        DataType::UInt64 => column.as_primitive::<UInt64Type>().value(row).to_string(),
        DataType::Int64 => column.as_primitive::<Int64Type>().value(row).to_string(),
        DataType::Float64 => column.as_primitive::<Float64Type>().value(row).to_string(),
        DataType::Boolean => column.as_boolean().value(row).to_string(),
        _ => text(column.as_string::<i32>().value(row)),
    }
}

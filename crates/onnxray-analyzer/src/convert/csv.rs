//! CSV: what is unknown is an empty field.

use crate::schema::export::ExportTable;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type, UInt32Type, UInt64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use onnxray_text::csv_text::{marked, write_record};
use std::borrow::Cow;
use std::io::{self, Write};

/// Writes batches as CSV with a header, without the columns that are called `left_out`. Names are
/// data: one that a spreadsheet would take for a formula gets an apostrophe in front.
pub(crate) fn write(
    mut out: impl Write,
    table: &ExportTable,
    batches: impl Iterator<Item = io::Result<RecordBatch>>,
    left_out: &[&str],
) -> io::Result<()> {
    let names = table.columns.iter().map(|column| column.name);
    let kept: Vec<bool> = names.clone().map(|name| !left_out.contains(&name)).collect();
    write_record(&mut out, names.zip(&kept).filter(|(_, kept)| **kept).map(|(name, _)| name))?;
    for batch in batches {
        let batch = batch?;
        for row in 0..batch.num_rows() {
            let columns = batch.columns().iter().zip(&kept).filter(|(_, kept)| **kept);
            write_record(&mut out, columns.map(|(column, _)| field(column.as_ref(), row)))?;
        }
    }
    out.flush()
}

fn field(column: &dyn Array, row: usize) -> Cow<'_, str> {
    if column.is_null(row) {
        return Cow::Borrowed("");
    }
    let number = match column.data_type() {
        DataType::UInt32 => column.as_primitive::<UInt32Type>().value(row).to_string(),
        DataType::UInt64 => column.as_primitive::<UInt64Type>().value(row).to_string(),
        DataType::Int64 => column.as_primitive::<Int64Type>().value(row).to_string(),
        DataType::Float64 => column.as_primitive::<Float64Type>().value(row).to_string(),
        DataType::Boolean => column.as_boolean().value(row).to_string(),
        _ => return marked(column.as_string::<i32>().value(row)),
    };
    Cow::Owned(number)
}

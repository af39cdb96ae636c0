//! Parquet and Arrow, in files and streams.

use super::batches::schema_of;
use crate::schema::export::ExportTable;
use arrow_array::{RecordBatch, RecordBatchWriter};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use std::io::{self, Write};

/// Writes batches as Parquet, compressed with Zstandard.
pub(crate) fn write_parquet(
    out: impl Write + Send,
    table: &ExportTable,
    batches: impl Iterator<Item = io::Result<RecordBatch>>,
) -> io::Result<()> {
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .build();
    let writer = ArrowWriter::try_new(out, schema_of(table), Some(properties));
    write_all(writer.map_err(io::Error::other)?, batches)
}

/// Writes batches as an Arrow file (IPC, also known as Feather version 2).
pub(crate) fn write_ipc(
    out: impl Write,
    table: &ExportTable,
    batches: impl Iterator<Item = io::Result<RecordBatch>>,
) -> io::Result<()> {
    let writer = arrow_ipc::writer::FileWriter::try_new(out, &schema_of(table));
    write_all(writer.map_err(io::Error::other)?, batches)
}

/// Writes batches as an Arrow IPC stream, which ends with its end-of-stream marker.
pub(crate) fn write_stream(
    out: impl Write,
    table: &ExportTable,
    batches: impl Iterator<Item = io::Result<RecordBatch>>,
) -> io::Result<()> {
    let writer = arrow_ipc::writer::StreamWriter::try_new(out, &schema_of(table));
    write_all(writer.map_err(io::Error::other)?, batches)
}

fn write_all(
    mut writer: impl RecordBatchWriter,
    batches: impl Iterator<Item = io::Result<RecordBatch>>,
) -> io::Result<()> {
    for batch in batches {
        writer.write(&batch?).map_err(io::Error::other)?;
    }
    writer.close().map_err(io::Error::other)
}

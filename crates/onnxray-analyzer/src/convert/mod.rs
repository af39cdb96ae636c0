//! Launches as files for other tools: our own recording, CSV, Parquet, Arrow.
//!
//! The tables are those of [`export::tables`]; `docs/format.md` lists their columns.

mod arrow;
mod batches;
mod compact;
mod csv;
mod error;
mod executions;
mod profile_csv;
mod recording;

use crate::schema::export::ExportTable;
use onnxray_failsafe::WholeFile;
use onnxray_import::Launch;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub use compact::convert_compact;
pub use error::ConvertError;
pub use executions::Executions;
pub use profile_csv::{profile_csv, profile_csv_of};
pub use recording::write_recording;

/// A kind of file to convert to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Our own recording: everything, and it reads back.
    Recording,
    /// Text, one file per table; what is unknown is an empty field.
    Csv,
    /// One file per table, compressed with Zstandard.
    Parquet,
    /// One Arrow file (IPC, Feather version 2) per table.
    Arrow,
}

impl Target {
    /// The target that a file's name asks for.
    pub fn of(path: &Path) -> Option<Target> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "json" => Some(Target::Recording),
            "csv" => Some(Target::Csv),
            "parquet" => Some(Target::Parquet),
            "arrow" | "feather" | "ipc" => Some(Target::Arrow),
            _ => None,
        }
    }
}

/// The files that this many launches take: one per launch for recordings, otherwise one for each
/// of these tables: `output` itself for the events, or for the only one. None if the name of
/// `output` asks for no [`Target`].
pub fn files(output: &Path, tables: &[&ExportTable], launches: usize) -> Vec<PathBuf> {
    match (Target::of(output), tables) {
        (None, _) => Vec::new(),
        (Some(Target::Recording), _) if launches == 1 => vec![output.to_path_buf()],
        (Some(Target::Recording), _) => {
            (0..launches).map(|number| beside(output, &format!("_{number}"))).collect()
        }
        (Some(_), [_]) => vec![output.to_path_buf()],
        (Some(_), _) => tables.iter().map(|table| table_file(output, table)).collect(),
    }
}

fn table_file(output: &Path, table: &ExportTable) -> PathBuf {
    match table.key {
        "events" => output.to_path_buf(),
        key => beside(output, &format!(".{key}")),
    }
}

/// Writes these tables of launches, with the events of these executions, as Arrow IPC streams, one
/// after the other.
///
/// # Errors
///
/// If they cannot be written.
pub fn stream(
    launches: &[Launch],
    tables: &[&'static ExportTable],
    executions: Executions,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut each = tables.iter();
    each.try_for_each(|table| {
        arrow::write_stream(&mut *out, table, batches::of(table, launches, executions))
    })
}

/// Writes launches, or these tables of them, with the events of these executions, to `output`, and
/// says which [`files`] that took. Existing ones are kept unless it `replaces` them.
///
/// # Errors
///
/// If the name of `output` asks for no [`Target`], or if a file cannot be written.
pub fn convert(
    launches: &[Launch],
    tables: &[&'static ExportTable],
    executions: Executions,
    output: &Path,
    replaces: bool,
) -> Result<Vec<PathBuf>, ConvertError> {
    let Some(target) = Target::of(output) else {
        return Err(ConvertError::UnknownTarget { path: output.to_path_buf() });
    };
    let files = files(output, tables, launches.len());
    if target == Target::Recording {
        for (path, launch) in files.iter().zip(launches) {
            whole(path, replaces, |file| write_recording(file, launch))?;
        }
        return Ok(files);
    }
    for (path, table) in files.iter().zip(tables) {
        let batches = batches::of(table, launches, executions);
        whole(path, replaces, |file| match target {
            Target::Csv => csv::write(file, table, batches, averages_left_out(launches)),
            Target::Parquet => arrow::write_parquet(file, table, batches),
            _ => arrow::write_ipc(file, table, batches),
        })?;
    }
    Ok(files)
}

/// Columns of averages that nobody states: only compact recordings and formats without executions
/// do. Empty, they would pass for times that are lost; Parquet and Arrow keep one schema.
fn averages_left_out(launches: &[Launch]) -> &'static [&'static str] {
    match have_averages(launches) {
        true => &[],
        false => &["mean_ns", "median_ns", "min_ns", "max_ns"],
    }
}

/// Whether a launch has averages of its operators, in place of executions.
pub fn have_averages(launches: &[Launch]) -> bool {
    launches.iter().any(|launch| !launch.averages.is_empty())
}

/// `a.csv` and `.operators` make `a.operators.csv`.
fn beside(path: &Path, addition: &str) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}{addition}.{extension}"))
}

/// Writes a file that appears whole or not at all.
fn whole(
    path: &Path,
    replaces: bool,
    write: impl FnOnce(&mut WholeFile) -> io::Result<()>,
) -> Result<(), ConvertError> {
    let failed = |source| ConvertError::Io { path: path.to_path_buf(), source };
    let mut file = WholeFile::create(path, replaces).map_err(failed)?;
    write(&mut file).and_then(|()| file.finish()).map_err(failed)
}

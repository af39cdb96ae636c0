//! Launches as files for other tools: our own recording, CSV, Parquet, Arrow.
//!
//! The tables' columns are [`EVENTS`](export::EVENT_TABLE),
//! [`OPERATORS`](export::OPERATOR_TABLE) and
//! [`ITERATIONS`](export::ITERATION_TABLE), which `docs/format.md` lists.

mod arrow;
mod batches;
mod csv;
mod error;
mod recording;

use crate::schema::export::{self, ExportTable};
use onnxray_failsafe::{OutputFile, WholeFile};
use onnxray_import::Launch;
use std::io;
use std::path::{Path, PathBuf};

pub use error::ConvertError;
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

/// The files that this many launches take: one per launch for recordings, otherwise one
/// for each table, the events in `output` itself. None if the name of `output` asks for
/// no [`Target`].
pub fn files(output: &Path, launches: usize) -> Vec<PathBuf> {
    match Target::of(output) {
        None => Vec::new(),
        Some(Target::Recording) if launches == 1 => vec![output.to_path_buf()],
        Some(Target::Recording) => {
            (0..launches).map(|number| beside(output, &format!("_{number}"))).collect()
        }
        Some(_) => tables().map(|table| table_file(output, table)).to_vec(),
    }
}

/// The tables that have a file each.
fn tables() -> [&'static ExportTable; 3] {
    [&export::EVENT_TABLE, &export::ITERATION_TABLE, &export::OPERATOR_TABLE]
}

fn table_file(output: &Path, table: &ExportTable) -> PathBuf {
    match table.key {
        "events" => output.to_path_buf(),
        key => beside(output, &format!(".{key}")),
    }
}

/// Writes launches to `output`, and says which [`files`] that took.
///
/// # Errors
///
/// If the name of `output` asks for no [`Target`], or if a file cannot be written.
pub fn convert<'a>(
    launches: &[Launch],
    output: impl Into<OutputFile<'a>>,
) -> Result<Vec<PathBuf>, ConvertError> {
    let OutputFile { path: output, replaces } = output.into();
    let Some(target) = Target::of(output) else {
        return Err(ConvertError::UnknownTarget { path: output.to_path_buf() });
    };
    let files = files(output, launches.len());
    if target == Target::Recording {
        for (path, launch) in files.iter().zip(launches) {
            whole(OutputFile { path, replaces }, |file| write_recording(file, launch))?;
        }
        return Ok(files);
    }
    for (path, table) in files.iter().zip(tables()) {
        let batches = batches::of(table, launches);
        whole(OutputFile { path, replaces }, |file| match target {
            Target::Csv => csv::write(file, table, batches),
            Target::Parquet => arrow::write_parquet(file, table, batches),
            _ => arrow::write_ipc(file, table, batches),
        })?;
    }
    Ok(files)
}

/// The path with something between its stem and its extension.
fn beside(path: &Path, addition: &str) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}{addition}.{extension}"))
}

/// Writes a file that appears whole or not at all.
fn whole(
    file: OutputFile,
    write: impl FnOnce(&mut WholeFile) -> io::Result<()>,
) -> Result<(), ConvertError> {
    let failed = |source| ConvertError::Io { path: file.path.to_path_buf(), source };
    let mut file = WholeFile::create(file).map_err(failed)?;
    write(&mut file).and_then(|()| file.finish()).map_err(failed)
}

//! Finds recordings and reads them into a trace.
//!
//! Each format is one module here and one line in [`import`].

mod onnxray;

use crate::error::AnalyzeError;
use crate::trace::{Trace, TraceBuilder};
use ::onnxray_format::layout::{self, TRACE_FOLDER};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The files of one recording, and what was passed over to choose them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sources {
    pub files: Vec<PathBuf>,
    /// Older recordings in the same folder, by the time in their names.
    pub older: Vec<String>,
}

impl Sources {
    /// Files stand for themselves; a folder stands for its newest recording.
    pub fn find(paths: &[PathBuf]) -> Result<Sources, AnalyzeError> {
        let mut sources = Sources { files: Vec::new(), older: Vec::new() };
        for path in paths {
            if path.is_dir() {
                sources.add_folder(path)?;
            } else {
                sources.files.push(path.clone());
            }
        }
        // A launch that is named twice ran once.
        let mut seen = HashSet::new();
        sources.files.retain(|file| seen.insert(file.canonicalize().unwrap_or(file.clone())));
        Ok(sources)
    }

    fn add_folder(&mut self, folder: &Path) -> Result<(), AnalyzeError> {
        let inner = folder.join(TRACE_FOLDER);
        let traces = if inner.is_dir() { inner.as_path() } else { folder };
        let found = layout::list(traces)
            .map_err(|source| AnalyzeError::Io { path: traces.to_path_buf(), source })?;
        let Some((_, newest, _)) = found.last().cloned() else {
            return Err(AnalyzeError::NoRecordings { path: folder.to_path_buf() });
        };
        for (path, time, _) in found {
            if time == newest {
                self.files.push(path);
            } else if self.older.last() != Some(&time) {
                self.older.push(time);
            }
        }
        Ok(())
    }
}

/// Reads the launches in `files` into one trace. They must be launches of one
/// recording: the same model in the same configuration.
pub fn import(files: &[PathBuf]) -> Result<Trace, AnalyzeError> {
    let mut builder = TraceBuilder::default();
    onnxray::read(files, &mut builder)?;
    Ok(builder.finish()?)
}

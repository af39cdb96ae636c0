//! From the paths that a user names to launches.

use crate::detect::detect;
use crate::source::{STANDARD_INPUT, Source};
use crate::{ImportError, Importer, Launch, Options};
use onnxray_format::layout::{self, TRACE_FOLDER};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The files of one recording, and what was passed over to choose them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sources {
    /// In the order in which they are read.
    pub files: Vec<PathBuf>,
    /// Older recordings in the same folder, by the time in their names.
    pub older: Vec<String>,
}

impl Sources {
    /// Files stand for themselves; a folder stands for its newest recording.
    ///
    /// # Errors
    ///
    /// If a folder cannot be read, or holds no recording.
    pub fn find(paths: &[PathBuf]) -> Result<Sources, ImportError> {
        let mut sources = Sources { files: Vec::new(), older: Vec::new() };
        for path in paths {
            if path.is_dir() && path.as_os_str() != STANDARD_INPUT {
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

    fn add_folder(&mut self, folder: &Path) -> Result<(), ImportError> {
        let inner = folder.join(TRACE_FOLDER);
        let traces = if inner.is_dir() { inner.as_path() } else { folder };
        let launches = layout::list(traces)
            .map_err(|source| ImportError::Io { file: traces.to_path_buf(), source })?;
        let Some((_, newest, _)) = launches.last().cloned() else {
            return Err(ImportError::NoRecordings { path: folder.to_path_buf() });
        };
        for (path, time, _) in launches {
            if time == newest {
                self.files.push(path);
            } else if self.older.last() != Some(&time) {
                self.older.push(time);
            }
        }
        Ok(())
    }
}

/// How files are to be read.
#[derive(Clone, Copy, Default)]
pub struct Reading {
    /// The format, if the content is not to decide.
    pub format: Option<&'static Importer>,
    /// Whether a loss is an error.
    pub strict: bool,
    /// How Chrome traces are cut for the workers.
    pub options: Options,
}

/// Reads the launches in `files`, which are of one format.
///
/// # Errors
///
/// If a file cannot be read or understood, if the files do not belong together, or,
/// with `strict`, if anything of them is lost.
pub fn import(files: &[PathBuf], reading: &Reading) -> Result<Vec<Launch>, ImportError> {
    let mut sources: Vec<Source> = Vec::with_capacity(files.len());
    let mut first: Option<&Importer> = None;
    for file in files {
        let mut source = Source::open(file)?;
        let importer = match reading.format {
            Some(importer) => importer,
            None => detect(&mut source)?,
        };
        match first {
            Some(first) if first.format != importer.format => {
                return Err(ImportError::DifferentFormats {
                    first: sources[0].path().to_path_buf(),
                    first_format: first.format.title,
                    second: source.path().to_path_buf(),
                    second_format: importer.format.title,
                });
            }
            _ => first = Some(importer),
        }
        sources.push(source);
    }
    let Some(importer) = first else { return Ok(Vec::new()) };
    let launches = importer.read(sources, &reading.options)?;
    if reading.strict {
        let mut losses = launches.iter().flat_map(|l| &l.warnings).filter(|warning| warning.loss);
        if let Some(warning) = losses.next() {
            return Err(ImportError::Strict { warning: warning.clone(), others: losses.count() });
        }
    }
    Ok(launches)
}

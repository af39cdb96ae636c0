//! The folders of recordings, made and tried before a model is loaded.

use crate::error::RecordError;
use onnxray_failsafe::try_folder;
use onnxray_format::layout;
use std::cmp::Reverse;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Folders of recordings. Dropping this removes those that it created and that are still empty, so
/// that a failed run leaves nothing.
pub struct Folders {
    /// Folders that this run created, inner ones first.
    made: Vec<PathBuf>,
}

impl Folders {
    /// Makes what a recording in each of these folders needs.
    ///
    /// # Errors
    ///
    /// If a folder cannot be made or written to.
    pub fn prepare<'a>(
        recordings: impl IntoIterator<Item = &'a Path>,
    ) -> Result<Folders, RecordError> {
        let parts = [layout::TRACE_FOLDER, layout::CSV_FOLDER];
        let folders: Vec<PathBuf> =
            recordings.into_iter().flat_map(|folder| parts.map(|part| folder.join(part))).collect();
        let missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
        let ancestors = folders.iter().flat_map(|folder| folder.ancestors());
        let mut made: Vec<PathBuf> = ancestors.filter(missing).map(Path::to_path_buf).collect();
        // Only an empty folder can be removed: inner ones go first.
        made.sort_by_key(|folder| Reverse(folder.components().count()));
        // Before anything is made: what fails half way is removed when this is dropped.
        let prepared = Folders { made };
        for folder in folders {
            if let Some(file) = folder.ancestors().find(|part| part.is_file()) {
                let source = io::Error::other("it is a file, and a folder is needed here");
                return Err(RecordError::CreateFolder { path: file.to_path_buf(), source });
            }
            if let Err(source) = layout::make_folder(&folder) {
                return Err(RecordError::CreateFolder { path: folder, source });
            }
            if let Err(source) = try_folder(&folder) {
                return Err(RecordError::WriteFolder { path: folder, source });
            }
        }
        Ok(prepared)
    }
}

impl Drop for Folders {
    fn drop(&mut self) {
        for folder in &self.made {
            let _ = fs::remove_dir(folder); // fails if it holds something
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_made_and_is_empty_is_removed() {
        let place = tempfile::tempdir().unwrap();
        let [first, second] = ["a/first", "a/second"].map(|name| place.path().join(name));
        let folders = Folders::prepare([first.as_path(), second.as_path()]).unwrap();
        fs::write(first.join(layout::TRACE_FOLDER).join("trace"), "").unwrap();
        drop(folders);
        assert!(first.join(layout::TRACE_FOLDER).exists());
        assert!(!first.join(layout::CSV_FOLDER).exists() && !second.exists());
        drop(Folders::prepare([place.path()]).unwrap());
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1, "{first:?} stays");
    }
}

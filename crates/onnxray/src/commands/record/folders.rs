//! The folders of recordings, made and tried before a model is loaded.

use super::Recording;
use crate::output;
use anyhow::anyhow;
use onnxray_format::layout;
use std::cmp::Reverse;
use std::path::{Path, PathBuf};

/// Removes, in the end, those that were made and hold nothing: a failed run leaves
/// nothing behind.
pub struct Folders {
    /// Those that were not there before, inner ones first.
    made: Vec<PathBuf>,
}

impl Folders {
    pub fn prepare(recordings: &[&Recording]) -> anyhow::Result<Folders> {
        let folders: Vec<PathBuf> = recordings
            .iter()
            .flat_map(|recording| {
                [layout::TRACE_FOLDER, layout::CSV_FOLDER].map(|name| recording.folder.join(name))
            })
            .collect();
        let missing = |folder: &Path| !folder.as_os_str().is_empty() && !folder.exists();
        let ancestors = folders.iter().flat_map(|folder| folder.ancestors());
        let mut made: Vec<PathBuf> =
            ancestors.filter(|folder| missing(folder)).map(Path::to_path_buf).collect();
        made.sort_by_key(|folder| Reverse(folder.components().count()));
        let prepared = Folders { made };
        for folder in &folders {
            std::fs::create_dir_all(folder).map_err(|error| {
                anyhow!("{}: cannot create the folder: {error}", folder.display())
            })?;
            output::check_folder(folder)?;
        }
        Ok(prepared)
    }
}

impl Drop for Folders {
    fn drop(&mut self) {
        for folder in &self.made {
            let _ = std::fs::remove_dir(folder); // fails if it holds something
        }
    }
}

//! The last report of a study: the same command replaces it, unless somebody has changed it since.

use crate::output_files::OutputFiles;
use onnxray_failsafe::read_regular;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Beside the journal, the report's place, size and time.
const NOTED: &str = ".last-report";
/// More than any path has.
const MOST_BYTES: u64 = 64 << 10;

/// Whether a file is the report that this study wrote last, as it was written.
pub(in crate::commands) fn is_own(folder: &Path, report: &Path) -> bool {
    let noted = read_regular(&folder.join(NOTED), MOST_BYTES).ok();
    noted.is_some() && noted == described(report)
}

/// Notes the report that was written, in the folder of the study. Without the note, the next run
/// only asks for --force.
pub(in crate::commands) fn note(folder: &Path, report: &Option<PathBuf>, files: &OutputFiles) {
    let noted = report.as_deref().and_then(described);
    if let Some(noted) = noted.filter(|_| folder.is_dir()) {
        let _ = files.write_own(&folder.join(NOTED), &noted);
    }
}

/// `None` for folders of tables, in which other files may lie.
fn described(report: &Path) -> Option<Vec<u8>> {
    let metadata = report.symlink_metadata().ok().filter(fs::Metadata::is_file)?;
    let time = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    let place = report.canonicalize().ok()?;
    let mut text = format!("{} {} ", metadata.len(), time.as_nanos()).into_bytes();
    text.extend_from_slice(place.as_os_str().as_encoded_bytes());
    Some(text)
}

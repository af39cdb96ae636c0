//! What reports call a recording, by the words that name it.

use onnxray_analyzer::profiles::Named;
use onnxray_import::Sources;
use std::path::Path;

/// The name of a profile, or the last part of a path.
pub(in crate::commands) fn short_label(word: &Path, sources: &Sources) -> String {
    if let Some(Ok(named)) = Named::of(word) {
        return named.profile.name;
    }
    if word.is_dir() {
        return folder_label(word);
    }
    sources.files.first().map_or(word.display().to_string(), |file| stem(file))
}

/// A folder's name; `.` and `..` are resolved.
pub(in crate::commands) fn folder_label(folder: &Path) -> String {
    let whole = folder.canonicalize().unwrap_or(folder.to_path_buf());
    let name = folder.file_name().or(whole.file_name());
    name.unwrap_or(folder.as_os_str()).to_string_lossy().into_owned()
}

/// A file's name without what says its format.
pub(in crate::commands) fn stem(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or(file.as_os_str()).to_string_lossy();
    // Of `profile.json.gz`, only the last part is off.
    stem.strip_suffix(".json").unwrap_or(&stem).to_string()
}

//! Loss profiles, which `onnxray sensitivity` writes.

use super::SettingsError;
use onnxray_format::{LOSS_FORMAT, LOSS_VERSION, LossProfile};
use serde::Deserialize;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Levels that a profile may have.
const MOST_LEVELS: usize = 1000;

/// First members of a loss profile.
#[derive(Deserialize)]
struct Kind {
    format: String,
    version: u32,
}

/// Reads a loss profile.
///
/// # Errors
///
/// If the file is unreadable, not a loss profile, or has invalid levels.
pub fn read_loss(path: &Path) -> Result<LossProfile, SettingsError> {
    read_loss_bytes(&super::bytes::of(path)?, path)
}

/// Whether a document says that it is a loss profile.
pub(super) fn is_loss(text: &[u8]) -> bool {
    serde_json::from_slice::<Kind>(text).is_ok_and(|kind| kind.format == LOSS_FORMAT)
}

/// As [`read_loss`]; `path` is for messages.
pub(super) fn read_loss_bytes(text: &[u8], path: &Path) -> Result<LossProfile, SettingsError> {
    let refuse = |found: String| SettingsError::NotLoss { path: path.to_path_buf(), found };
    let damaged = |error: serde_json::Error| match error.is_eof() {
        true => refuse(format!("one that was cut off: {error}")),
        false => refuse(format!("something else: {error}")),
    };
    // First, so that another kind of document is named and not its first unknown member.
    let kind: Kind = serde_json::from_slice(text).map_err(damaged)?;
    if kind.format != LOSS_FORMAT {
        return Err(refuse(crate::printable::quoted(&kind.format)));
    }
    if kind.version != LOSS_VERSION {
        return Err(refuse(format!("version {} of it; {LOSS_VERSION} is known", kind.version)));
    }
    let profile: LossProfile = serde_json::from_slice(text).map_err(damaged)?;
    let rises = |levels: &[f64]| {
        levels.iter().zip(levels.iter().skip(1)).all(|(one, next)| one < next)
            && levels.iter().all(|level| *level > 0.0 && *level < 1.0)
    };
    if profile.run.levels.len() > MOST_LEVELS || !rises(&profile.run.levels) {
        return Err(refuse(format!(
            "levels that do not rise from 0 to 1, or more than {MOST_LEVELS}"
        )));
    }
    let is_time = |time: f64| time.is_finite() && time > 0.0;
    for layer in &profile.layers {
        let mut times = layer.points.iter().flat_map(|point| &point.times);
        if !times.all(|times| is_time(times.dense_ns) && is_time(times.sparse_ns)) {
            let name = crate::printable::quoted(&layer.name);
            return Err(refuse(format!("times of layer {name} that are not above 0")));
        }
        let levels: Vec<f64> = layer.points.iter().map(|point| point.level).collect();
        if !rises(&levels) {
            let name = crate::printable::quoted(&layer.name);
            return Err(refuse(format!("levels of layer {name} that do not rise from 0 to 1")));
        }
    }
    Ok(profile)
}

/// Bytes at the beginning of a file in which a loss profile says that it is one.
const HEAD: u64 = 256;

/// Loss profiles in a folder, by name, and errors of those that cannot be read.
pub fn loss_profiles(folder: &Path) -> (Vec<(PathBuf, LossProfile)>, Vec<SettingsError>) {
    let is_one = |path: &PathBuf| {
        let is_json = path.extension().is_some_and(|extension| extension == "json");
        let mut head = Vec::new();
        is_json
            && path.metadata().is_ok_and(|about| about.is_file())
            && File::open(path).is_ok_and(|file| file.take(HEAD).read_to_end(&mut head).is_ok())
            && String::from_utf8_lossy(&head).contains(&format!("\"{LOSS_FORMAT}\""))
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_one).collect();
    paths.sort();
    let (mut profiles, mut errors) = (Vec::new(), Vec::new());
    for path in paths {
        match read_loss(&path) {
            Ok(profile) => profiles.push((path, profile)),
            Err(error) => errors.push(error),
        }
    }
    (profiles, errors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_loss_profile_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("loss.json");
        for (text, expected) in [
            ("", "cut off"),
            ("{\"format\": \"onnxray sensitivity pro", "cut off"),
            ("[1]", "something else"),
            ("{\"format\": \"onnxray sparse settings\", \"version\": 1}", "sparse settings"),
            ("{\"format\": \"onnxray loss profile\", \"version\": 7}", "version 7"),
            ("{\"format\": \"onnxray loss profile\", \"version\": 1}", "missing field"),
            ("\u{1b}[31m", "something else"),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = read_loss(&path).unwrap_err().to_string();
            assert!(error.contains(expected), "{text:?}: {error}");
        }
        assert!(matches!(read_loss(&folder.path().join("none")), Err(SettingsError::Io { .. })));
    }
}

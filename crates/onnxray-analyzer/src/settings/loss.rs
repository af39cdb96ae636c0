//! Loss profiles, which `onnxray loss` writes.

use super::{MOST_BYTES, SettingsError};
use onnxray_format::{LOSS_FORMAT, LOSS_VERSION, LossProfile};
use serde::Deserialize;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// What any document of the kind begins with.
#[derive(Deserialize)]
struct Kind {
    format: String,
    version: u32,
}

/// Reads a loss profile.
///
/// # Errors
///
/// If the file cannot be read, is none, or has levels that are none.
pub fn read_loss(path: &Path) -> Result<LossProfile, SettingsError> {
    let io_error = |source| SettingsError::Io { path: path.to_path_buf(), source };
    let refuse = |found: String| SettingsError::NotLoss { path: path.to_path_buf(), found };
    let mut text = Vec::new();
    let file = File::open(path).map_err(io_error)?;
    file.take(MOST_BYTES + 1).read_to_end(&mut text).map_err(io_error)?;
    if text.len() as u64 > MOST_BYTES {
        let what = format!("more than {} MiB", MOST_BYTES >> 20);
        return Err(SettingsError::TooLarge { path: path.to_path_buf(), what });
    }
    let damaged = |error: serde_json::Error| match error.is_eof() {
        true => refuse(format!("one that was cut off: {error}")),
        false => refuse(format!("something else: {error}")),
    };
    // What has another kind says so, whatever its members are.
    let kind: Kind = serde_json::from_slice(&text).map_err(damaged)?;
    if kind.format != LOSS_FORMAT {
        return Err(refuse(crate::printable::quoted(&kind.format)));
    }
    if kind.version != LOSS_VERSION {
        return Err(refuse(format!("version {} of it; {LOSS_VERSION} is known", kind.version)));
    }
    let profile: LossProfile = serde_json::from_slice(&text).map_err(damaged)?;
    for layer in &profile.layers {
        let levels = || layer.points.iter().map(|point| point.level);
        let ascends = levels().zip(levels().skip(1)).all(|(one, next)| one < next);
        if !ascends || !levels().all(|level| level > 0.0 && level < 1.0) {
            let name = crate::printable::quoted(&layer.name);
            return Err(refuse(format!("levels of layer {name} that do not rise from 0 to 1")));
        }
    }
    Ok(profile)
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
            ("{\"format\": \"onnxray loss pro", "cut off"),
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

//! The bytes of a file.

use super::error::SettingsError;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// The most that a file may have, as it is stored.
const MOST_BYTES: u64 = 64 << 20;

/// The whole file, up to [`MOST_BYTES`].
pub(super) fn of(path: &Path) -> Result<Vec<u8>, SettingsError> {
    let io_error = |source| SettingsError::Io { path: path.to_path_buf(), source };
    let file = File::open(path).map_err(io_error)?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(io_error)?;
    if bytes.len() as u64 > MOST_BYTES {
        let what = format!("more than {} MiB", MOST_BYTES >> 20);
        return Err(SettingsError::TooLarge { path: path.to_path_buf(), what });
    }
    Ok(bytes)
}

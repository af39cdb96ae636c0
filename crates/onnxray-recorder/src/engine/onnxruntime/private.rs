//! Temporary folders for what the runtime writes: profiles, and the model with its weights.

use std::io;
use tempfile::{Builder, TempDir};

/// A folder that only its owner looks into.
pub(super) fn folder() -> io::Result<TempDir> {
    let mut builder = Builder::new();
    builder.prefix(".onnxray-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.tempdir()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn it_is_for_its_owner_only() {
        let mode = folder().unwrap().path().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }
}

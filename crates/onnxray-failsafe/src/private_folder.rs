//! Temporary folders that only their owner looks into.

use std::io;
use tempfile::Builder;

/// A folder that goes with the value.
pub use tempfile::TempDir as PrivateFolder;

/// A new folder for what is nobody else's business, removed with the value.
///
/// # Errors
///
/// If it cannot be made.
pub fn private_folder() -> io::Result<PrivateFolder> {
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
        let mode = private_folder().unwrap().path().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }
}

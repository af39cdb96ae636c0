//! Whether a file changed while it was read.

use crate::source::STANDARD_INPUT;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What a file was like before it was read.
pub(crate) struct Snapshot {
    pub(crate) file: PathBuf,
    /// Size and time; `None` for pipes, which always change.
    seen: Option<(u64, Option<SystemTime>)>,
}

impl Snapshot {
    pub(crate) fn of(file: &Path) -> Snapshot {
        let metadata = match file.as_os_str() == STANDARD_INPUT {
            true => None,
            false => std::fs::metadata(file).ok().filter(|metadata| metadata.is_file()),
        };
        let seen = metadata.map(|metadata| (metadata.len(), metadata.modified().ok()));
        Snapshot { file: file.to_path_buf(), seen }
    }

    pub(crate) fn changed(&self) -> bool {
        self.seen.is_some() && Snapshot::of(&self.file).seen != self.seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_changes_is_noticed() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("trace");
        std::fs::write(&path, "one").unwrap();
        let state = Snapshot::of(&path);
        assert!(!state.changed());
        std::fs::write(&path, "longer").unwrap();
        assert!(state.changed());
        assert!(!Snapshot::of(Path::new("-")).changed() && !Snapshot::of(place.path()).changed());
    }
}

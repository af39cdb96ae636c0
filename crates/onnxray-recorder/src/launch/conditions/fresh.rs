//! Files of the system that say something else each time they are read.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// A file that is held open: reading it again takes a microsecond or two.
pub(super) struct Fresh {
    /// `None` where there is no such file.
    file: Option<File>,
    /// Larger than what was ever read: one call of the system reads all.
    buffer: Vec<u8>,
}

impl Fresh {
    pub(super) fn open(path: impl AsRef<Path>) -> Fresh {
        Fresh { file: File::open(path).ok(), buffer: vec![0; 2048] }
    }

    /// Current content; `None` if it cannot be read or is not UTF-8.
    pub(super) fn read(&mut self) -> Option<&str> {
        let file = self.file.as_mut()?;
        // Kernel files are made anew when they are read from the start.
        file.seek(SeekFrom::Start(0)).ok()?;
        let mut length = 0;
        loop {
            let read = file.read(&mut self.buffer[length..]).ok()?;
            length += read;
            // The system stops short of a full buffer only in the end.
            if length < self.buffer.len() || read == 0 {
                return std::str::from_utf8(&self.buffer[..length]).ok();
            }
            self.buffer.resize(2 * length, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_is_read_anew_each_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("stat");
        let long = "first, and longer ".repeat(1000);
        fs::write(&path, &long).unwrap();
        let mut file = Fresh::open(&path);
        assert_eq!(file.read(), Some(long.as_str()));
        fs::write(&path, "second").unwrap();
        assert_eq!(file.read(), Some("second"));
        fs::write(&path, b"\xff").unwrap();
        assert_eq!(file.read(), None);
        fs::write(&path, "").unwrap();
        assert_eq!(file.read(), Some(""));
        assert_eq!(Fresh::open(folder.path().join("none")).read(), None);
    }
}

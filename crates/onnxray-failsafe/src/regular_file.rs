//! Files to read, which somebody else may have put there: a pipe is not waited for, a device without
//! an end is not read.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path};

/// Whether a path read from a file stays in or below the folder that it is relative to.
pub fn stays_inside(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

/// Opens a regular file to read it.
///
/// # Errors
///
/// If it cannot be opened, or is something else, such as a folder, a pipe or a device.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    // A pipe without a writer opens at once, and is then refused.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, NONBLOCK);
    let file = options.open(path)?;
    let kind = file.metadata()?.file_type();
    match kind.is_file() {
        true => Ok(file),
        // Reading one says so in the system's words.
        false if kind.is_dir() => {
            (&file).read(&mut [0]).and_then(|_| Err(io::ErrorKind::IsADirectory.into()))
        }
        false => Err(io::Error::other("it is not a regular file")),
    }
}

/// Reads a regular file of at most `most` bytes.
///
/// # Errors
///
/// As [`open_regular`], or if it holds more.
pub fn read_regular(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One byte more than allowed tells too many from exactly as many.
    open_regular(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => Err(io::Error::other(format!("it has more than {most} bytes"))),
        false => Ok(bytes),
    }
}

/// `O_NONBLOCK`, which has no effect on regular files.
#[cfg(unix)]
const NONBLOCK: i32 = rustix::fs::OFlags::NONBLOCK.bits() as i32;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_out_of_a_folder_is_told() {
        assert!(["a", "./a", "a/b.bin", "a..b"].iter().all(|path| stays_inside(Path::new(path))));
        assert!(["..", "a/../b", "/a"].iter().all(|path| !stays_inside(Path::new(path))));
    }

    #[test]
    fn regular_files_are_read_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "four").unwrap();
        assert_eq!(read_regular(&path, 4).unwrap(), b"four");
        assert_eq!(read_regular(&path, 3).unwrap_err().to_string(), "it has more than 3 bytes");
        let error = open_regular(folder.path()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::IsADirectory);
        for device in ["/dev/null", "/dev/zero"] {
            let error = read_regular(Path::new(device), 4).unwrap_err();
            assert_eq!(error.to_string(), "it is not a regular file", "{device}");
        }
    }
}

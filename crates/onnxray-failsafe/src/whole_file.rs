//! Files that appear whole or not at all.

use crate::regular_file::open_regular;
use std::collections::BTreeSet;
use std::fs::{self, TryLockError};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tempfile::{Builder, NamedTempFile};

/// Name of a file until it is whole: hidden, and clearly ours.
const PREFIX: &str = ".onnxray-";
const SUFFIX: &str = ".part";

/// The files that this process has begun and not finished.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A file that is written under a temporary name and renamed when it is finished. Dropped before that, it is removed; [`remove_leftovers`] removes those of killed
/// processes.
pub struct WholeFile {
    out: BufWriter<NamedTempFile>,
    path: PathBuf,
    replaces: bool,
    _unfinished: Unfinished,
}

/// A file's place among [`UNFINISHED`].
struct Unfinished(PathBuf);

impl Drop for Unfinished {
    fn drop(&mut self) {
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.0);
    }
}

impl WholeFile {
    /// Starts a file. If it `replaces`, it takes the place of an existing one; otherwise that is
    /// kept, even if it appears only while the new one is written.
    ///
    /// # Errors
    ///
    /// If no file can be created in its folder.
    pub fn create(path: &Path, replaces: bool) -> io::Result<WholeFile> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        // Held so that no file appears while unfinished ones are removed.
        let mut unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
        let file = temporary_file(folder.unwrap_or(Path::new(".")))?;
        unfinished.insert(file.path().to_path_buf());
        let _unfinished = Unfinished(file.path().to_path_buf());
        Ok(WholeFile { out: BufWriter::new(file), path: path.to_path_buf(), replaces, _unfinished })
    }

    /// Gives the file its name, in place of an older one if it may.
    ///
    /// # Errors
    ///
    /// If the rest cannot be written, if the file cannot be renamed, or if there is
    /// another one that it may not replace.
    pub fn finish(self) -> io::Result<()> {
        let file = self.out.into_inner().map_err(|error| error.into_error())?;
        let named = match self.replaces {
            true => file.persist(&self.path),
            false => file.persist_noclobber(&self.path),
        };
        let error = match named {
            Ok(_) => return Ok(()),
            Err(error) => error,
        };
        let is_free = || self.path.symlink_metadata().is_err();
        match error.error.kind() {
            io::ErrorKind::AlreadyExists => {
                let what = "another file of this name appeared in the meantime; it is kept";
                Err(io::Error::new(io::ErrorKind::AlreadyExists, what))
            }
            // Not every file system can do both at once.
            _ if !self.replaces && is_free() => {
                error.file.persist(&self.path).map(drop).map_err(|error| error.error)
            }
            _ => Err(error.error),
        }
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Seek for WholeFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.out.seek(to)
    }
}

/// A file under an unpredictable name, locked while this process writes it.
fn temporary_file(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(12);
    // Temporary files are private to their owner; this one is as open as any
    // other that the user makes.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    loop {
        let file = builder.tempfile_in(folder)?;
        match file.as_file().try_lock() {
            // Before it was locked, somebody may have taken it for a leftover.
            Ok(()) if file.path().exists() => return Ok(file),
            Ok(()) | Err(TryLockError::WouldBlock) => {}
            // Where nothing can be locked, nothing is taken for a leftover either.
            Err(TryLockError::Error(_)) => return Ok(file),
        }
    }
}

/// Removes what this process has begun and not finished, for a process that ends without a
/// chance for anything else: whoever begins or finishes a file from then on waits for ever.
pub fn remove_unfinished() {
    let unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    for path in unfinished.iter() {
        // One that cannot be removed is a leftover to the next process.
        let _ = fs::remove_file(path);
    }
    mem::forget(unfinished);
}

/// Removes files from a folder that were never finished and that nobody writes any more:
/// their process was killed.
pub fn remove_leftovers(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_ours =
            name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX));
        let is_file = || entry.file_type().is_ok_and(|kind| kind.is_file());
        if !is_ours || !is_file() {
            continue;
        }
        // Whoever cannot remove it has nothing to do with it.
        if let Ok(file) = open_regular(&entry.path())
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Finds out whether files can be created in a folder, and leaves nothing there, not even
/// what killed processes left.
///
/// # Errors
///
/// If they cannot.
pub fn try_folder(folder: &Path) -> io::Result<()> {
    // Without a name where the system can, else under one that nobody can foresee.
    tempfile::tempfile_in(folder)?;
    remove_leftovers(folder);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn an_older_file_stays_until_the_new_one_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report");
        fs::write(&path, "old").unwrap();
        let mut file = WholeFile::create(&path, true).unwrap();
        file.write_all(b"half").unwrap();
        drop(file);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        let mut file = WholeFile::create(&path, true).unwrap();
        file.write_all(b"new").unwrap();
        file.finish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names(folder.path()), ["report"], "nothing else is left");
    }

    #[test]
    fn what_appears_in_the_meantime_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report");
        let new = || {
            let mut file = WholeFile::create(&path, false).unwrap();
            file.write_all(b"new").unwrap();
            file
        };
        let file = new();
        fs::write(&path, "another's").unwrap();
        let error = file.finish().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&path).unwrap(), "another's");
        assert_eq!(names(folder.path()), ["report"]);
        fs::remove_file(&path).unwrap();
        new().finish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    }

    #[test]
    fn leftovers_go_and_what_is_being_written_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report");
        fs::write(folder.path().join(".onnxray-left.part"), "half").unwrap();
        fs::write(folder.path().join(".onnxray-mine"), "mine").unwrap();
        fs::write(folder.path().join("victim"), "mine").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("victim", folder.path().join(".onnxray-link.part")).unwrap();
        let mut file = WholeFile::create(&path, true).unwrap();
        try_folder(folder.path()).unwrap();
        assert!(!folder.path().join(".onnxray-left.part").exists());
        assert!(folder.path().join(".onnxray-mine").exists());
        assert_eq!(fs::read_to_string(folder.path().join("victim")).unwrap(), "mine");
        file.write_all(b"new").unwrap();
        file.finish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    }
}

//! Files that appear whole or not at all.

use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file that is written under another name beside its own, and takes its name,
/// and the place of an older file, when it is finished. Dropped before that, it
/// leaves nothing behind.
pub struct WholeFile {
    out: BufWriter<NamedTempFile>,
    path: PathBuf,
}

impl WholeFile {
    /// Starts a file that will be at `path`.
    ///
    /// # Errors
    ///
    /// If no file can be created in its folder.
    pub fn create(path: &Path) -> io::Result<WholeFile> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let mut builder = tempfile::Builder::new();
        // Temporary files are private to their owner; this one is as open as any
        // other that the user makes.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(folder.unwrap_or(Path::new(".")))?;
        Ok(WholeFile { out: BufWriter::new(file), path: path.to_path_buf() })
    }

    /// Gives the file its name, in place of an older one.
    ///
    /// # Errors
    ///
    /// If the rest cannot be written, or the file cannot be renamed.
    pub fn finish(self) -> io::Result<()> {
        let file = self.out.into_inner().map_err(|error| error.into_error())?;
        file.persist(&self.path).map_err(|error| error.error)?;
        Ok(())
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

/// Finds out whether files can be created in a folder, and leaves nothing there.
///
/// # Errors
///
/// If they cannot.
pub fn try_folder(folder: &Path) -> io::Result<()> {
    // Without a name where the system can, else under one that nobody can foresee.
    tempfile::tempfile_in(folder).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn an_older_file_stays_until_the_new_one_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report");
        fs::write(&path, "old").unwrap();
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"half").unwrap();
        drop(file);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        file.finish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
    }
}

//! A file that grows by a line of JSON with each thing that is done, so that work that was
//! killed can go on.
//!
//! A process holds a lock on it for as long as it adds lines. One that is killed leaves at most
//! a last line that is cut.

use rustix::fs::OFlags;
use serde::Serialize;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Bytes of a journal that are read; a line is a few hundred.
const LARGEST: u64 = 1 << 30;

pub(super) struct JournalFile {
    path: PathBuf,
    /// The lock ends when this is dropped.
    file: File,
}

#[derive(Debug)]
pub(super) enum NotOpened {
    /// Another process adds lines to it.
    Locked,
    Io(io::Error),
}

/// Content of a journal.
#[derive(Debug, Default)]
pub(super) struct Lines {
    /// Lines that are whole, each with its end.
    pub(super) whole: Vec<u8>,
    /// The rest: a line that was cut.
    pub(super) cut: Vec<u8>,
}

impl Lines {
    fn of(mut whole: Vec<u8>) -> Lines {
        // What follows the last line end was cut when its process was killed.
        let end = whole.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        let cut = whole.split_off(end);
        Lines { whole, cut }
    }

    /// Whole lines without their ends; empty ones are skipped.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.whole.split(|&byte| byte == b'\n').filter(|line| !line.is_empty())
    }
}

impl JournalFile {
    /// Opens a journal to append to, creating it if necessary, and reads it.
    pub(super) fn open(path: &Path) -> Result<(JournalFile, Lines), NotOpened> {
        let file = loop {
            // `None`: the file came or went between two calls, so look again.
            let Some(file) = open_regular(path, true).map_err(NotOpened::Io)? else { continue };
            match file.try_lock() {
                // Who had it before may have removed it meanwhile.
                Ok(()) if is_at(&file, path) => break file,
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(NotOpened::Locked),
                // This file system has no locks: go on without.
                Err(TryLockError::Error(_)) => break file,
            }
        };
        let lines = lines(&file).map_err(NotOpened::Io)?;
        Ok((JournalFile { path: path.to_path_buf(), file }, lines))
    }

    /// Reads a journal without locking it; `None` if there is none.
    pub(super) fn read(path: &Path) -> io::Result<Option<Lines>> {
        match open_regular(path, false)? {
            Some(file) => lines(&file).map(Some),
            None => Ok(None),
        }
    }

    /// Cuts it to `length` bytes; lines are added there.
    pub(super) fn end_at(&mut self, length: u64) -> io::Result<()> {
        // A line that was cut would join the next one, and both would be lost.
        self.file.set_len(length)?;
        self.file.seek(SeekFrom::Start(length)).map(drop)
    }

    /// Adds a line, which is there as a whole or not at all.
    pub(super) fn add(&mut self, what: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(what)?;
        line.push(b'\n');
        let start = self.file.stream_position()?;
        self.file.write_all(&line).inspect_err(|_| {
            // A full disk may have taken a part of it.
            let _ = self.end_at(start);
        })
    }

    /// Removes it if it is empty.
    pub(super) fn remove_empty(&self) {
        if self.file.metadata().is_ok_and(|about| about.len() == 0) {
            self.remove();
        }
    }

    /// Removes it; one that cannot be removed does no harm.
    pub(super) fn remove(&self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Opens a journal, creating it if lines are to be added. Links and special files are refused.
/// `None` if there is none, or if it came or went between two calls.
fn open_regular(path: &Path, is_to_grow: bool) -> io::Result<Option<File>> {
    let is_absent = |error: &io::Error| {
        matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::AlreadyExists)
    };
    let mut options = OpenOptions::new();
    options.read(true).write(is_to_grow);
    // What takes its place meanwhile is not waited for, nor followed.
    options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32);
    let opened = match fs::symlink_metadata(path) {
        Ok(about) if !about.is_file() => return Err(not_regular()),
        Ok(_) => options.open(path),
        Err(error) if error.kind() == io::ErrorKind::NotFound && is_to_grow => {
            options.create_new(true).open(path)
        }
        Err(error) => Err(error),
    };
    match opened {
        Ok(file) if file.metadata()?.is_file() => Ok(Some(file)),
        Ok(_) => Err(not_regular()),
        // Who is about to make it must have a folder.
        Err(error) if is_to_grow && path.parent().is_some_and(|folder| !is_folder(folder)) => {
            Err(error)
        }
        Err(error) if is_absent(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The empty path is the current folder.
fn is_folder(path: &Path) -> bool {
    path.as_os_str().is_empty() || path.is_dir()
}

fn not_regular() -> io::Error {
    io::Error::other("it is not a regular file, and nothing is added to it")
}

/// False if the path leads to another file by now.
fn is_at(file: &File, path: &Path) -> bool {
    let identity = |about: fs::Metadata| (about.dev(), about.ino());
    file.metadata().ok().map(identity) == fs::symlink_metadata(path).ok().map(identity)
}

fn lines(mut file: &File) -> io::Result<Lines> {
    let mut bytes = Vec::new();
    // Bounded, since the file may be anybody's.
    Read::take(&mut file, LARGEST).read_to_end(&mut bytes)?;
    Ok(Lines::of(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;
    use std::process::Command;

    #[test]
    fn nothing_is_added_to_what_a_link_or_a_pipe_leads_to() {
        let place = tempfile::tempdir().unwrap();
        let [journal, victim] = ["journal", "victim"].map(|name| place.path().join(name));
        let refused = |what: &str| {
            let Err(NotOpened::Io(error)) = JournalFile::open(&journal) else { panic!("{what}") };
            assert!(error.to_string().contains("not a regular file"), "{what}: {error}");
            assert!(JournalFile::read(&journal).is_err(), "{what}");
            fs::remove_file(&journal).unwrap();
        };
        symlink(&victim, &journal).unwrap();
        refused("a link to nothing");
        assert!(!victim.exists());
        fs::write(&victim, "").unwrap();
        symlink(&victim, &journal).unwrap();
        refused("a link to an empty file");
        let made = Command::new("mkfifo").arg(&journal).status().unwrap();
        assert!(made.success());
        refused("a pipe");
        let (mut own, _) = JournalFile::open(&journal).unwrap();
        own.add(&"line").unwrap();
        assert_eq!(JournalFile::read(&journal).unwrap().unwrap().whole, b"\"line\"\n");
        let Err(NotOpened::Io(error)) = JournalFile::open(&victim.join("journal")) else {
            panic!("a file is not a folder")
        };
        assert_eq!(error.kind(), io::ErrorKind::NotADirectory);
    }
}

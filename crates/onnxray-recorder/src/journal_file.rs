//! A file that grows by a line of JSON with each thing that is done, so that work that was
//! killed can go on.
//!
//! A process holds a lock on it for as long as it adds lines. One that is killed leaves at most
//! a last line that is cut.

use serde::Serialize;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Bytes of a journal that are read; a line is a few hundred.
const LARGEST: u64 = 1 << 30;

/// An open journal.
pub(crate) struct JournalFile {
    path: PathBuf,
    /// Its lock ends with it.
    file: File,
}

/// Why a journal cannot be opened.
#[derive(Debug)]
pub(crate) enum NotOpened {
    /// Another process adds lines to it.
    Locked,
    Io(io::Error),
}

/// What stands in a journal.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    /// Lines that are whole, each with its end.
    pub(crate) whole: Vec<u8>,
    /// What is behind them.
    pub(crate) cut: Vec<u8>,
}

impl Lines {
    fn of(mut whole: Vec<u8>) -> Lines {
        let end = whole.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        let cut = whole.split_off(end);
        Lines { whole, cut }
    }

    /// Those that are whole, without their ends and without empty ones.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.whole.split(|&byte| byte == b'\n').filter(|line| !line.is_empty())
    }
}

impl JournalFile {
    /// Opens a journal to add lines to, which is made if there is none, and what stands in it.
    pub(crate) fn open(path: &Path) -> Result<(JournalFile, Lines), NotOpened> {
        let mut options = OpenOptions::new();
        options.create(true).truncate(false).read(true).write(true);
        let file = loop {
            let file = options.open(path).map_err(NotOpened::Io)?;
            match file.try_lock() {
                // Who had it before may have removed it meanwhile.
                Ok(()) if is_at(&file, path) => break file,
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(NotOpened::Locked),
                // Where nothing can be locked, nobody else is kept out.
                Err(TryLockError::Error(_)) => break file,
            }
        };
        let lines = lines(&file).map_err(NotOpened::Io)?;
        Ok((JournalFile { path: path.to_path_buf(), file }, lines))
    }

    /// What stands in a journal that nothing is added to; `None` without a journal.
    pub(crate) fn read(path: &Path) -> io::Result<Option<Lines>> {
        match File::open(path) {
            Ok(file) => lines(&file).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Lets it end behind so many bytes: lines are added there.
    pub(crate) fn end_at(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)?;
        self.file.seek(SeekFrom::Start(length)).map(drop)
    }

    /// Adds a line, which is there as a whole or not at all.
    pub(crate) fn add(&mut self, what: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(what)?;
        line.push(b'\n');
        let start = self.file.stream_position()?;
        self.file.write_all(&line).inspect_err(|_| {
            // A full disk may have taken a part of it.
            let _ = self.end_at(start);
        })
    }

    /// Removes it if nothing stands in it.
    pub(crate) fn remove_empty(&self) {
        if self.file.metadata().is_ok_and(|about| about.len() == 0) {
            self.remove();
        }
    }

    /// Removes it; one that cannot be removed is in nobody's way.
    pub(crate) fn remove(&self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Whether a path leads to an open file still.
fn is_at(file: &File, path: &Path) -> bool {
    let identity = |about: fs::Metadata| (about.dev(), about.ino());
    file.metadata().ok().map(identity) == fs::metadata(path).ok().map(identity)
}

fn lines(mut file: &File) -> io::Result<Lines> {
    let mut bytes = Vec::new();
    Read::take(&mut file, LARGEST).read_to_end(&mut bytes)?;
    Ok(Lines::of(bytes))
}

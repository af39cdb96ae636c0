//! What was wrong with an input but did not stop its reading.

use onnxray_text::shown;
use std::fmt;
use std::path::{Path, PathBuf};

/// Something that the reader left out, or that its user should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The file that it is about.
    pub file: PathBuf,
    /// Place in the decompressed file, if the warning is about one place.
    pub position: Option<Position>,
    /// Lower-case fragment: what was found and what became of it.
    pub message: String,
    /// Whether part of the input is missing from what was read.
    pub loss: bool,
}

impl Warning {
    /// Something to know of a file from which nothing is missing.
    pub fn note(file: &Path, message: impl Into<String>) -> Warning {
        Warning { file: file.to_path_buf(), position: None, message: message.into(), loss: false }
    }
}

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// From 1.
    pub line: u64,
    /// From 0.
    pub byte: u64,
}

impl Position {
    /// The position of `byte` in `bytes`.
    pub fn of(bytes: &[u8], byte: usize) -> Position {
        let before = &bytes[..byte.min(bytes.len())];
        let newlines = before.iter().filter(|&&byte| byte == b'\n').count();
        Position { line: newlines as u64 + 1, byte: byte as u64 }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "line {}, byte {}", self.line, self.byte)
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: ", shown(&self.file))?;
        if let Some(position) = self.position {
            write!(out, "{position}: ")?;
        }
        out.write_str(&self.message)
    }
}

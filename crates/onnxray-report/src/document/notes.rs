//! What a careful reader should know, in sentences.

use onnxray_text::printable;
use serde::Serialize;
use std::fmt;

/// Sentences below the figures.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Notes {
    /// In the order in which they are read.
    pub notes: Vec<Note>,
}

/// A sentence below the figures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Note {
    /// How much it matters.
    pub kind: NoteKind,
    /// The sentence; names in it may hold anything.
    pub text: String,
}

/// How much a note matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum NoteKind {
    /// What a figure rests on, or why it is doubtful.
    Note,
    /// Something in the input could not be read.
    Warning,
}

impl Notes {
    /// Their name in machine-readable formats.
    pub const KEY: &str = "notes";
    /// Their name for people.
    pub const TITLE: &str = "Notes";
}

impl NoteKind {
    /// Its name, for programs and people.
    pub fn text(self) -> &'static str {
        match self {
            NoteKind::Note => "note",
            NoteKind::Warning => "warning",
        }
    }
}

impl Note {
    /// A note on a figure.
    #[allow(clippy::self_named_constructors)] // beside `warning`, it says which kind it makes
    pub fn note(text: impl Into<String>) -> Note {
        Note { kind: NoteKind::Note, text: text.into() }
    }

    /// A warning of what could not be read.
    pub fn warning(text: impl Into<String>) -> Note {
        Note { kind: NoteKind::Warning, text: text.into() }
    }
}

/// `note: …`, safe to show on a terminal.
impl fmt::Display for Note {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.kind.text(), printable(&self.text))
    }
}

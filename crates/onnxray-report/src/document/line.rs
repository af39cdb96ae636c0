//! Lines of what belongs together, which give up what matters least where they are too long.

use serde::Serialize;

/// Between parts that do not continue each other.
const APART: &str = "   ";

/// Lines one under the other.
#[derive(Clone, Debug, Serialize)]
pub struct Lines {
    /// From top to bottom.
    pub lines: Vec<Line>,
}

/// Short texts side by side, under a name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Line {
    /// What they are of; empty where they are a title.
    pub name: &'static str,
    /// From left to right.
    pub parts: Vec<Part>,
}

/// A text of a line; names in it may hold anything.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    /// What people read.
    pub text: String,
    /// Parts of the highest rank go first where there is not room for all; 0 stays.
    pub rank: u8,
    /// What stands between it and the part before it.
    pub between: &'static str,
}

impl Line {
    /// A line without any part.
    pub fn new(name: &'static str) -> Line {
        Line { name, parts: Vec::new() }
    }

    /// Adds a part, if there is one.
    pub(crate) fn part(self, rank: u8, text: impl Into<Option<String>>) -> Line {
        self.behind(APART, rank, text)
    }

    /// Adds a part that continues the one before it, after `between`.
    pub(crate) fn behind(
        mut self,
        between: &'static str,
        rank: u8,
        text: impl Into<Option<String>>,
    ) -> Line {
        self.parts.extend(text.into().map(|text| Part { text, rank, between }));
        self
    }

    /// All it says: its parts, each with what continues it.
    pub(crate) fn texts(&self) -> Vec<String> {
        let mut texts: Vec<String> = Vec::new();
        for Part { text, between, .. } in &self.parts {
            match texts.last_mut().filter(|_| *between != APART) {
                Some(continued) => continued.extend([between, text.as_str()]),
                None => texts.push(text.clone()),
            }
        }
        texts
    }
}

/// Parts as they are read.
pub(crate) fn side_by_side(parts: &[Part]) -> String {
    let mut text = String::new();
    for part in parts {
        text.extend([if text.is_empty() { "" } else { part.between }, &part.text]);
    }
    text
}

//! A value in the unit that its column names, or why there is none.

use onnxray_analyzer::{Milliseconds, Share};
use serde::Serialize;

/// A value of a report.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Any text; names from a trace may hold anything.
    Text(String),
    /// One of a few words of ours: programs read the key, people the text.
    Label {
        key: &'static str,
        text: &'static str,
        /// What it says of the matter.
        tone: Tone,
    },
    Number(f64),
    Whole(u64),
    /// A number that is too small to tell; it is at most so much.
    Below {
        most: f64,
        /// What it counts in sums.
        part: f64,
    },
    /// There is a value, but it is unknown.
    Unknown,
    /// There is nothing to know: no weight, no parent.
    None,
}

/// What a word says of the matter, for formats that can colour it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Tone {
    /// Nothing.
    Plain,
    /// As one would wish.
    Good,
    /// Not as one would wish.
    Bad,
    /// To be taken with care.
    Doubtful,
}

impl Cell {
    /// One of a few words of ours.
    pub const fn label(key: &'static str, text: &'static str) -> Cell {
        Cell::Label { key, text, tone: Tone::Plain }
    }

    pub const fn yes_or_no(is_so: bool) -> Cell {
        if is_so { Cell::label("yes", "yes") } else { Cell::label("no", "no") }
    }

    /// A word that judges, and is its own key.
    pub const fn verdict(text: &'static str, tone: Tone) -> Cell {
        Cell::Label { key: text, text, tone }
    }

    /// A text, which may be empty.
    pub fn text(value: impl Into<String>) -> Cell {
        Cell::Text(value.into())
    }

    /// A text, or nothing if it is empty.
    pub fn some_text(value: impl Into<String>) -> Cell {
        let value = value.into();
        if value.is_empty() { Cell::None } else { Cell::Text(value) }
    }

    /// A text that is unknown if it is empty.
    pub fn stated(value: impl Into<String>) -> Cell {
        let value = value.into();
        if value.is_empty() { Cell::Unknown } else { Cell::Text(value) }
    }

    /// A finite number; anything else is unknown.
    pub fn number(value: impl Into<Option<f64>>) -> Cell {
        value.into().filter(|value| value.is_finite()).map_or(Cell::Unknown, Cell::Number)
    }

    /// A whole number, or an unknown one.
    pub fn whole(value: impl Into<Option<u64>>) -> Cell {
        value.into().map_or(Cell::Unknown, Cell::Whole)
    }

    /// A time, for a column in milliseconds.
    pub fn milliseconds(value: impl Into<Option<Milliseconds>>) -> Cell {
        Cell::number(value.into().map(|value| value.0))
    }

    /// A share of one, for a column of shares.
    pub fn share(value: impl Into<Option<Share>>) -> Cell {
        Cell::number(value.into().map(|value| value.0))
    }

    /// The number that it holds.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Cell::Number(value) => Some(*value),
            Cell::Whole(value) => Some(*value as f64),
            _ => None,
        }
    }

    /// What it counts in a sum.
    pub fn summand(&self) -> Option<f64> {
        match self {
            Cell::Below { part, .. } => Some(*part),
            known => known.as_number(),
        }
    }
}

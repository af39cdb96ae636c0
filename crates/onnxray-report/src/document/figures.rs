//! Figures of one thing, one under the other.

use super::cell::Cell;
use super::column::{Column, Heading};
use serde::Serialize;

#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    /// Identifier in machine-readable formats.
    pub key: &'static str,
    /// What people read above them.
    pub title: &'static str,
    /// In the order in which they are shown; keys are unique.
    pub figures: Vec<Figure>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    /// Its name, unit and meaning.
    #[serde(flatten)]
    pub heading: Heading,
    /// Its value, in the unit that its key names.
    pub value: Cell,
}

impl Figures {
    /// The figures of one subject.
    pub fn new<Subject: ?Sized>(
        key: &'static str,
        title: &'static str,
        columns: &[Column<Subject>],
        subject: &Subject,
    ) -> Figures {
        Figures { key, title, figures: Vec::new() }.with(columns, subject)
    }

    /// The same figures, and below them those of another subject.
    pub fn with<Subject: ?Sized>(
        mut self,
        columns: &[Column<Subject>],
        subject: &Subject,
    ) -> Figures {
        let figure =
            |of: &Column<Subject>| Figure { heading: of.heading(), value: (of.value)(subject) };
        self.figures.extend(columns.iter().map(figure));
        self
    }

    /// The same figures without those with these keys.
    pub fn without(mut self, keys: &[&str]) -> Figures {
        self.figures.retain(|figure| !keys.contains(&figure.heading.key));
        self
    }

    /// The same figures without those of these keys that do not apply; what is unknown stays.
    pub(crate) fn applying(mut self, keys: &[&str]) -> Figures {
        let is_blank = |figure: &Figure| figure.value == Cell::None;
        self.figures.retain(|figure| !is_blank(figure) || !keys.contains(&figure.heading.key));
        self
    }

    /// The value with a key.
    pub fn value(&self, key: &str) -> Option<&Cell> {
        let figure = self.figures.iter().find(|figure| figure.heading.key == key);
        figure.map(|figure| &figure.value)
    }
}

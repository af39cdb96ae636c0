//! Figures of one thing, one under the other.

use super::cell::Cell;
use super::column::{Column, Heading};

/// Named values.
#[derive(Clone, Debug)]
pub struct Figures {
    pub key: &'static str,
    pub title: &'static str,
    pub figures: Vec<Figure>,
}

/// A named value.
#[derive(Clone, Debug)]
pub struct Figure {
    pub heading: Heading,
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
        let figure = |column: &Column<Subject>| Figure {
            heading: column.heading(),
            value: (column.value)(subject),
        };
        Figures { key, title, figures: columns.iter().map(figure).collect() }
    }
}

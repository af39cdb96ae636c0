//! A table or a list of figures, as `docs/columns.md` lists it.

use crate::document::{Column, Heading};
use std::fmt::Write;

/// A table, or a list of figures.
pub(super) struct Declared {
    pub title: &'static str,
    /// Key, heading and meaning of what people see of it.
    pub columns: Vec<(&'static str, &'static str, &'static str)>,
}

impl Declared {
    pub(super) fn of<Row: ?Sized>(title: &'static str, columns: &[Column<Row>]) -> Declared {
        // What only serves formulas and charts of a workbook has no meaning.
        let shown = columns.iter().filter(|column| !column.meaning.is_empty());
        Declared { title, columns: shown.map(|column| parts(&column.heading())).collect() }
    }

    /// More of the same list.
    pub(super) fn and<Row: ?Sized>(mut self, columns: &[Column<Row>]) -> Declared {
        self.columns.extend(Declared::of(self.title, columns).columns);
        self
    }

    /// Figures that are not columns of rows.
    pub(super) fn figures(
        title: &'static str,
        figures: impl Iterator<Item = (&'static str, &'static str, &'static str)>,
    ) -> Declared {
        Declared { title, columns: figures.collect() }
    }

    pub(super) fn markdown(&self) -> String {
        let mut text =
            format!("\n## {}\n\n| key | heading | meaning |\n| --- | --- | --- |\n", self.title);
        // Of both sides, or of both ends of an interval, the same is said once.
        for alike in self.columns.chunk_by(|(_, _, one), (_, _, other)| one == other) {
            let keys: Vec<String> = alike.iter().map(|(key, ..)| format!("`{key}`")).collect();
            // A heading may hold a bar; a key and a meaning do not.
            let headings: Vec<String> =
                alike.iter().map(|(_, heading, _)| heading.replace('|', "\\|")).collect();
            let (keys, headings) = (keys.join(", "), headings.join(", "));
            let (_, _, meaning) = alike[0];
            writeln!(text, "| {keys} | {headings} | {meaning} |").expect("texts take all");
        }
        text
    }
}

/// Key, heading and meaning.
pub(super) fn parts(heading: &Heading) -> (&'static str, &'static str, &'static str) {
    (heading.key, heading.heading, heading.meaning)
}

//! A table or a list of figures, as `docs/columns.md` and the schemas of JSON list it, and the
//! reports that have them.

use crate::document::{Column, Heading};

/// A table, or a list of figures.
#[derive(Clone)]
pub(super) struct Declared {
    pub title: &'static str,
    /// What people see of it.
    pub columns: Vec<Heading>,
}

impl Declared {
    pub(super) fn of<Row: ?Sized>(title: &'static str, columns: &[Column<Row>]) -> Declared {
        // What only serves formulas and charts of a workbook has no meaning.
        let shown = columns.iter().filter(|column| !column.meaning.is_empty());
        Declared { title, columns: shown.map(Column::heading).collect() }
    }

    /// More of the same list.
    pub(super) fn and<Row: ?Sized>(mut self, columns: &[Column<Row>]) -> Declared {
        self.columns.extend(Declared::of(self.title, columns).columns);
        self
    }

    /// Figures that are not columns of rows.
    pub(super) fn figures(
        title: &'static str,
        figures: impl IntoIterator<Item = Heading>,
    ) -> Declared {
        Declared { title, columns: figures.into_iter().collect() }
    }
}

/// The reports of a command that prints JSON.
pub(super) struct Reports {
    pub command: &'static str,
    pub names: &'static [&'static str],
    pub tables: fn() -> Vec<Declared>,
}

pub(super) const fn reports(
    command: &'static str,
    names: &'static [&'static str],
    tables: fn() -> Vec<Declared>,
) -> Reports {
    Reports { command, names, tables }
}

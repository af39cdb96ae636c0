//! A table or a list of figures, as `docs/columns.md` and the schemas of JSON list it.

use crate::document::{Column, Heading, Unit};

/// A table, or a list of figures.
#[derive(Clone)]
pub(super) struct Declared {
    pub title: &'static str,
    /// What people see of it.
    pub columns: Vec<DeclaredColumn>,
}

/// A column, or a figure.
#[derive(Clone)]
pub(super) struct DeclaredColumn {
    pub key: &'static str,
    pub heading: &'static str,
    pub meaning: &'static str,
    pub unit: Unit,
}

impl From<&Heading> for DeclaredColumn {
    fn from(heading: &Heading) -> DeclaredColumn {
        let Heading { key, heading, meaning, unit, .. } = *heading;
        DeclaredColumn { key, heading, meaning, unit }
    }
}

impl Declared {
    pub(super) fn of<Row: ?Sized>(title: &'static str, columns: &[Column<Row>]) -> Declared {
        // What only serves formulas and charts of a workbook has no meaning.
        let shown = columns.iter().filter(|column| !column.meaning.is_empty());
        let columns = shown.map(|column| DeclaredColumn::from(&column.heading())).collect();
        Declared { title, columns }
    }

    /// More of the same list.
    pub(super) fn and<Row: ?Sized>(mut self, columns: &[Column<Row>]) -> Declared {
        self.columns.extend(Declared::of(self.title, columns).columns);
        self
    }

    /// Figures that are not columns of rows.
    pub(super) fn figures(
        title: &'static str,
        figures: impl Iterator<Item = DeclaredColumn>,
    ) -> Declared {
        Declared { title, columns: figures.collect() }
    }
}

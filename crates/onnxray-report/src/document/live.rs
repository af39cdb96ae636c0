//! Tables of workbooks: columns with formulas, and columns that only serve these.

use super::cell::Cell;
use super::column::{Column, Heading};
use super::entry::{Entry, SheetColumn};
use super::sheet_part::{CellStyle, Visibility};
use super::table::{Table, TableColumn};
use super::unit::Unit;
use std::borrow::Cow;

impl TableColumn {
    /// A column that only a workbook has, with an entry for each row; `None` leaves a cell blank.
    pub(crate) fn live(
        key: &'static str,
        heading: impl Into<Cow<'static, str>>,
        style: CellStyle,
        entries: impl IntoIterator<Item: Into<Option<Entry>>>,
    ) -> TableColumn {
        let (sheet, cells) = SheetColumn::of(style, entries);
        let heading = Heading { key, heading: heading.into(), unit: Unit::Text, meaning: "" };
        TableColumn { sheet, ..TableColumn::new(heading, cells) }
    }

    /// A declared column in a workbook.
    fn declared<Row>(
        heading: &'static str,
        column: &Column<Row>,
        rows: &[Row],
        style: fn(Unit) -> CellStyle,
    ) -> TableColumn {
        let part = &column.sheet;
        let value = part.value.unwrap_or(column.value);
        let entries = rows.iter().map(|row| {
            let applies = part.only.is_none_or(|only| only(row));
            // In a row that is not live, the value is a constant.
            let formula = part.formula.filter(|_| part.live.is_none_or(|live| live(row)));
            applies.then(|| {
                let mut entry = Entry::from(value(row)).computed(formula.map(|of| of(row)));
                entry.mark.style = part.style_of.map(|of| of(row));
                entry
            })
        });
        let style = part.style.unwrap_or(style(column.unit));
        let mut filled = TableColumn::live(column.key, heading, style, entries);
        filled.heading.meaning = column.meaning;
        (filled.sheet.width, filled.sheet.visibility) = (part.width, part.visibility);
        filled
    }

    /// Sets the width in a workbook, in characters.
    pub(crate) fn width(mut self, width: f64) -> TableColumn {
        self.sheet.width = Some(width);
        self
    }

    /// Hides it in a workbook: it only serves formulas.
    pub(crate) fn hidden(mut self) -> TableColumn {
        self.sheet.visibility = Visibility::Hidden;
        self
    }

    /// Folds it in a workbook: shown on demand.
    pub(crate) fn folded(mut self) -> TableColumn {
        self.sheet.visibility = Visibility::Folded;
        self
    }
}

impl Table {
    /// A table of a workbook: the columns that are declared to be in it.
    pub(crate) fn live<Row>(
        key: &'static str,
        columns: &[Column<Row>],
        rows: impl IntoIterator<Item = Row>,
    ) -> Table {
        let known = columns.iter().filter_map(|column| Some((column.sheet.heading?, column)));
        Table::placed(key, known.collect(), rows, CellStyle::of)
    }

    /// A table of a workbook: all columns, as reports have them; values of a unit look as it says.
    pub(crate) fn reported<Row>(
        key: &'static str,
        columns: &[Column<Row>],
        rows: impl IntoIterator<Item = Row>,
        style: fn(Unit) -> CellStyle,
    ) -> Table {
        let all = columns.iter().map(|c| (c.sheet.heading.unwrap_or(c.heading), c));
        Table::placed(key, all.collect(), rows, style)
    }

    /// A table of columns that only a workbook has.
    pub(crate) fn made(key: &'static str, columns: Vec<TableColumn>, length: usize) -> Table {
        Table::of(key, "", columns, length)
    }

    fn placed<Row>(
        key: &'static str,
        columns: Vec<(&'static str, &Column<Row>)>,
        rows: impl IntoIterator<Item = Row>,
        style: fn(Unit) -> CellStyle,
    ) -> Table {
        let rows: Vec<Row> = rows.into_iter().collect();
        let is_shown = |(_, c): &(_, &Column<Row>)| c.sheet.visibility != Visibility::Hidden;
        let (shown, hidden): (Vec<_>, Vec<_>) = columns.into_iter().partition(is_shown);
        // Those that follow another one come once it is there, what serves formulas last.
        let (following, others): (Vec<_>, Vec<_>) =
            shown.into_iter().partition(|(_, column)| column.sheet.after.is_some());
        let mut placed: Vec<TableColumn> = Vec::new();
        for (heading, column) in others.into_iter().chain(following).chain(hidden) {
            let before =
                placed.iter().position(|placed| Some(placed.heading.key) == column.sheet.after);
            let at = before.map_or(placed.len(), |before| before + 1);
            placed.insert(at, TableColumn::declared(heading, column, &rows, style));
        }
        Table::made(key, placed, rows.len())
    }

    /// The same table of a report; in a workbook, known values of the column with this key are
    /// computed in rows that have a formula.
    pub(crate) fn computing(
        mut self,
        key: &str,
        formula: impl Fn(usize) -> Option<String>,
    ) -> Table {
        let Some(column) = self.columns.iter_mut().find(|c| c.heading.key == key) else {
            return self;
        };
        let unit = column.heading.unit;
        let cells = std::mem::take(&mut column.cells).into_iter().enumerate();
        let entries = cells.map(|(row, cell)| Entry::known(cell, formula(row)));
        (column.sheet, column.cells) = SheetColumn::of(CellStyle::Bare(unit), entries);
        column.sheet.width = Some(if unit == Unit::Quantity { 15.0 } else { 11.0 });
        self
    }

    /// Gives its rows keys for formulas.
    pub(crate) fn with_rows(mut self, keys: impl IntoIterator<Item = &'static str>) -> Table {
        self.row_keys = keys.into_iter().collect();
        self
    }

    /// Sets the width in a workbook, in characters, of shown columns that declare none.
    pub(crate) fn with_width(mut self, width: f64) -> Table {
        let sheets = self.columns.iter_mut().map(|column| &mut column.sheet);
        let shown = sheets.filter(|sheet| sheet.visibility == Visibility::Shown);
        shown.for_each(|sheet| sheet.width = sheet.width.or(Some(width)));
        self
    }

    /// Heading of a column; empty if there is no such column.
    pub(crate) fn heading(&self, key: &str) -> &str {
        self.column(key).map_or("", |column| &column.heading.heading)
    }

    /// The value of a cell; `Cell::None` if there is no such cell.
    pub(crate) fn value(&self, key: &str, row: usize) -> &Cell {
        self.cell(key, row).unwrap_or(&Cell::None)
    }
}

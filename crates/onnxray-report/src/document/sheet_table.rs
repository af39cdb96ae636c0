//! A table of a workbook: columns whose cells are values or formulas.

use super::cell::Cell;
use super::column::Column;
use super::sheet_part::{CellStyle, Visibility};
use super::unit::Unit;
use std::borrow::Cow;
use std::rc::Rc;

/// Content of a cell of a workbook.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// The value; with a formula, its result.
    pub(crate) value: Cell,
    /// The formula; names cells by keys, see `xlsx::places`.
    pub(crate) formula: Option<String>,
    /// True if older spreadsheets have to be told that it is over ranges.
    pub(crate) is_array: bool,
    /// Style of its own, if not the column's.
    pub(crate) style: Option<CellStyle>,
}

impl Entry {
    /// A value that a formula computes.
    pub(crate) fn live(value: Cell, formula: impl Into<String>) -> Entry {
        Entry { formula: Some(formula.into()), ..value.into() }
    }

    /// A formula, unless the value is unknown.
    pub(crate) fn known(value: Cell, formula: Option<impl Into<String>>) -> Entry {
        let formula = formula.filter(|_| value != Cell::Unknown).map(Into::into);
        Entry { formula, ..value.into() }
    }

    /// A formula over ranges.
    pub(crate) fn array(value: Cell, formula: impl Into<String>) -> Entry {
        Entry { is_array: true, ..Entry::live(value, formula) }
    }

    /// Sets a style of its own.
    pub(crate) fn style(self, style: CellStyle) -> Entry {
        Entry { style: Some(style), ..self }
    }
}

impl From<Cell> for Entry {
    fn from(value: Cell) -> Entry {
        Entry { value, formula: None, is_array: false, style: None }
    }
}

/// The entry of a row, by number; `None` leaves the cell blank.
type Entries<'a> = Box<dyn Fn(usize) -> Option<Entry> + 'a>;

/// A column of a workbook.
pub(crate) struct SheetColumn<'a> {
    /// Key by which formulas name it; columns side by side may share one.
    pub(crate) key: &'static str,
    pub(crate) heading: Cow<'static, str>,
    /// Meaning of its values; empty for a column that only serves others.
    pub(crate) meaning: &'static str,
    pub(crate) style: CellStyle,
    /// Width in characters, if declared.
    pub(crate) width: Option<f64>,
    pub(crate) visibility: Visibility,
    pub(crate) entries: Entries<'a>,
}

impl<'a> SheetColumn<'a> {
    /// A column that only the workbook has.
    pub(crate) fn new(
        key: &'static str,
        heading: impl Into<Cow<'static, str>>,
        style: CellStyle,
        entries: impl Fn(usize) -> Option<Entry> + 'a,
    ) -> SheetColumn<'a> {
        SheetColumn {
            key,
            heading: heading.into(),
            meaning: "",
            style,
            width: None,
            visibility: Visibility::Shown,
            entries: Box::new(entries),
        }
    }

    /// A column computed from rows of a type.
    pub(crate) fn of<Row: 'a>(
        rows: &Rc<[Row]>,
        (key, heading): (&'static str, impl Into<Cow<'static, str>>),
        style: CellStyle,
        entry: impl Fn(&Row) -> Option<Entry> + 'a,
    ) -> SheetColumn<'a> {
        let rows = Rc::clone(rows);
        SheetColumn::new(key, heading, style, move |row| entry(&rows[row]))
    }

    /// Sets the width, in characters.
    pub(crate) fn width(self, width: f64) -> SheetColumn<'a> {
        SheetColumn { width: Some(width), ..self }
    }

    /// Hides it: it only serves formulas.
    pub(crate) fn hidden(self) -> SheetColumn<'a> {
        SheetColumn { visibility: Visibility::Hidden, ..self }
    }

    /// Folds it: shown on demand.
    pub(crate) fn folded(self) -> SheetColumn<'a> {
        SheetColumn { visibility: Visibility::Folded, ..self }
    }

    fn declared<Row: 'a>(
        heading: &'static str,
        column: &Column<Row>,
        rows: &Rc<[Row]>,
        style: fn(Unit) -> CellStyle,
    ) -> SheetColumn<'a> {
        let part = column.sheet;
        let value = part.value.unwrap_or(column.value);
        let style = part.style.unwrap_or(style(column.unit));
        let entry = move |row: &Row| {
            let applies = part.only.is_none_or(|only| only(row));
            // In a row that is not live, the value is a constant.
            let formula = part.formula.filter(|_| part.live.is_none_or(|live| live(row)));
            applies.then(|| Entry {
                formula: formula.map(|of| of(row)),
                style: part.style_of.map(|of| of(row)),
                ..value(row).into()
            })
        };
        SheetColumn {
            meaning: column.meaning,
            width: part.width,
            visibility: part.visibility,
            ..SheetColumn::of(rows, (column.key, heading), style, entry)
        }
    }
}

/// A table of a workbook.
pub(crate) struct SheetTable<'a> {
    /// Key by which formulas of other tables name it.
    pub(crate) key: &'static str,
    /// Title above it; empty if it has none.
    pub(crate) title: &'static str,
    /// From left to right.
    pub(crate) columns: Vec<SheetColumn<'a>>,
    /// Keys of the rows, where they have any.
    pub(crate) row_keys: Vec<&'static str>,
    /// Rows that are written, and rows that a sheet has no room for.
    pub(crate) length: usize,
    pub(crate) left_out: usize,
}

impl<'a> SheetTable<'a> {
    /// The columns that are declared to be in the workbook.
    pub(crate) fn new<Row: 'a>(
        key: &'static str,
        columns: &[Column<Row>],
        rows: impl IntoIterator<Item = Row>,
    ) -> SheetTable<'a> {
        let known = columns.iter().filter_map(|column| Some((column.sheet.heading?, column)));
        SheetTable::with(key, known.collect(), rows, CellStyle::of)
    }

    /// All columns, as reports have them; values of a unit look as it says.
    pub(crate) fn reported<Row: 'a>(
        key: &'static str,
        columns: &[Column<Row>],
        rows: impl IntoIterator<Item = Row>,
        style: fn(Unit) -> CellStyle,
    ) -> SheetTable<'a> {
        let all = columns.iter().map(|c| (c.sheet.heading.unwrap_or(c.heading), c));
        SheetTable::with(key, all.collect(), rows, style)
    }

    fn with<Row: 'a>(
        key: &'static str,
        columns: Vec<(&'static str, &Column<Row>)>,
        rows: impl IntoIterator<Item = Row>,
        style: fn(Unit) -> CellStyle,
    ) -> SheetTable<'a> {
        let rows: Rc<[Row]> = rows.into_iter().collect();
        let is_shown = |(_, c): &(_, &Column<Row>)| c.sheet.visibility != Visibility::Hidden;
        let (shown, hidden): (Vec<_>, Vec<_>) = columns.into_iter().partition(is_shown);
        // Those that follow another one come once it is there, what serves formulas last.
        let (following, others): (Vec<_>, Vec<_>) =
            shown.into_iter().partition(|(_, column)| column.sheet.after.is_some());
        let mut placed: Vec<SheetColumn> = Vec::new();
        for (heading, column) in others.into_iter().chain(following).chain(hidden) {
            let before = placed.iter().position(|placed| Some(placed.key) == column.sheet.after);
            let at = before.map_or(placed.len(), |before| before + 1);
            placed.insert(at, SheetColumn::declared(heading, column, &rows, style));
        }
        SheetTable::of(key, placed, rows.len())
    }

    /// A table of columns that only the workbook has.
    pub(crate) fn of(
        key: &'static str,
        columns: Vec<SheetColumn<'a>>,
        length: usize,
    ) -> SheetTable<'a> {
        SheetTable { key, title: "", columns, row_keys: Vec::new(), length, left_out: 0 }
    }

    /// Gives its rows keys.
    pub(crate) fn with_rows(mut self, keys: impl IntoIterator<Item = &'static str>) -> Self {
        self.row_keys = keys.into_iter().collect();
        self
    }

    /// Sets the width, in characters, of shown columns that declare none.
    pub(crate) fn with_width(mut self, width: f64) -> Self {
        let shown = self.columns.iter_mut().filter(|c| c.visibility == Visibility::Shown);
        shown.for_each(|column| column.width = column.width.or(Some(width)));
        self
    }

    /// Heading of a column; empty if there is no such column.
    pub(crate) fn heading(&self, key: &str) -> String {
        let column = self.columns.iter().find(|column| column.key == key);
        column.map_or(String::new(), |column| column.heading.to_string())
    }

    /// Value of a cell; `Cell::None` if there is no such cell.
    pub(crate) fn value(&self, key: &str, row: usize) -> Cell {
        let column = self.columns.iter().find(|column| column.key == key);
        let entry = column.and_then(|column| (column.entries)(row));
        entry.map_or(Cell::None, |entry| entry.value)
    }
}

//! Tables of workbooks: cells that formulas compute, columns that only serve these, and how all
//! look.

use super::cell::Cell;
use super::column::{Column, Heading};
use super::sheet_part::{CellStyle, Visibility};
use super::table::{Table, TableColumn};
use super::unit::Unit;
use std::borrow::Cow;

/// What only workbooks know of a column; nothing, in a table of a report.
#[derive(Clone, Debug, Default)]
pub(crate) struct SheetColumn {
    /// Style of its cells; `None` for that of its unit.
    pub(crate) style: Option<CellStyle>,
    /// Width in characters, if declared.
    pub(crate) width: Option<f64>,
    pub(crate) visibility: Visibility,
    marks: Marks,
}

impl SheetColumn {
    /// A column whose cells have a style, and the values of these entries; `None` leaves a cell
    /// blank.
    pub(super) fn of(
        style: CellStyle,
        entries: impl IntoIterator<Item: Into<Option<Entry>>>,
    ) -> (SheetColumn, Vec<Cell>) {
        let mut column = SheetColumn { style: Some(style), ..SheetColumn::default() };
        let blank = || Entry { value: Cell::None, mark: Mark { is_blank: true, ..Mark::PLAIN } };
        let cells = entries.into_iter().map(|entry| {
            let Entry { value, mark } = entry.into().unwrap_or_else(blank);
            column.marks.push(mark);
            value
        });
        let cells = cells.collect();
        (column, cells)
    }

    /// What stands in the cell of a row beside its value.
    pub(crate) fn mark(&self, row: usize) -> &Mark {
        self.marks.get(row)
    }
}

/// A cell of a workbook: its value, and what else stands there.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// With a formula, its result.
    pub(crate) value: Cell,
    pub(crate) mark: Mark,
}

/// What stands in a cell of a workbook beside its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    /// Nothing does, nor is it an input.
    pub(crate) is_blank: bool,
    /// What computes the value; names cells by keys, see `xlsx::places`.
    pub(crate) formula: Option<String>,
    /// True if older spreadsheets have to be told that the formula is over ranges.
    pub(crate) is_array: bool,
    /// Style of its own, if not the column's.
    pub(crate) style: Option<CellStyle>,
}

impl Mark {
    const PLAIN: Mark = Mark { is_blank: false, formula: None, is_array: false, style: None };
}

impl Entry {
    /// A value that a formula computes.
    pub(crate) fn live(value: Cell, formula: impl Into<String>) -> Entry {
        Entry::from(value).computed(Some(formula.into()))
    }

    /// A formula, unless the value is unknown.
    pub(crate) fn known(value: Cell, formula: Option<impl Into<String>>) -> Entry {
        let formula = formula.filter(|_| value != Cell::Unknown).map(Into::into);
        Entry::from(value).computed(formula)
    }

    /// A formula over ranges.
    pub(crate) fn array(value: Cell, formula: impl Into<String>) -> Entry {
        let Entry { value, mark } = Entry::live(value, formula);
        Entry { value, mark: Mark { is_array: true, ..mark } }
    }

    /// Sets what computes it.
    pub(crate) fn computed(mut self, formula: Option<String>) -> Entry {
        self.mark.formula = formula;
        self
    }

    /// Sets a style of its own.
    pub(crate) fn style(mut self, style: CellStyle) -> Entry {
        self.mark.style = Some(style);
        self
    }
}

impl From<Cell> for Entry {
    fn from(value: Cell) -> Entry {
        Entry { value, mark: Mark::PLAIN }
    }
}

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

/// The marks of a column's cells. Formulas name cells by keys and not by rows, so that most are
/// alike: each is kept once, and a row has its number.
#[derive(Clone, Debug, Default)]
struct Marks {
    kinds: Vec<Mark>,
    of_row: Vec<u32>,
}

impl Marks {
    /// Kinds among which one that was seen is looked for: columns have a few, in turns.
    const RECENT: usize = 4;

    fn push(&mut self, mark: Mark) {
        let recent = self.kinds.len().saturating_sub(Self::RECENT);
        let known = self.kinds[recent..].iter().position(|known| *known == mark);
        let kind = known.map_or(self.kinds.len(), |place| recent + place);
        if kind == self.kinds.len() {
            self.kinds.push(mark);
        }
        self.of_row.push(kind as u32);
    }

    fn get(&self, row: usize) -> &Mark {
        let kind = self.of_row.get(row).and_then(|&kind| self.kinds.get(kind as usize));
        kind.unwrap_or(&Mark::PLAIN)
    }
}

//! A table: columns of cells, each under its heading.

use super::cell::Cell;
use super::column::{Column, Heading};
use super::entry::SheetColumn;
use super::left_out::{more, others};
use super::time_unit::TimeUnit;
use super::unit::Unit;
use std::borrow::Borrow;

/// How a table is shown that shares a screen with others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Compact {
    /// The unit of its times, which suits more than this table.
    pub unit: TimeUnit,
    /// Words of a command line that show the rows that are left out.
    pub all: &'static str,
}

/// Columns of equal length. In a workbook, columns side by side may share a key, and cells may have
/// formulas.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Table {
    /// Identifier in machine-readable formats.
    pub key: &'static str,
    /// What people read above it.
    pub title: &'static str,
    /// What people have to know of all its figures, beside its title.
    pub caveat: Option<String>,
    /// From left to right; keys are unique in reports, and all have a cell for each row.
    pub columns: Vec<TableColumn>,
    #[serde(rename = "rows")]
    length: usize,
    /// Rows that were left out, which the reader should know of.
    #[serde(skip)]
    pub left_out: usize,
    /// In front of which row people see the sums of the rows that were left out;
    /// `None` where rows do not add up.
    #[serde(skip)]
    pub others: Option<usize>,
    /// Whether it is for those who want to know more, so that a page may fold it.
    pub folded: bool,
    /// Where it is one of a few on a screen: without a rule, its title above the names.
    #[serde(skip)]
    pub(crate) compact: Option<Compact>,
    /// Keys by which formulas of a workbook name its rows, where they have any.
    #[serde(skip)]
    pub(crate) row_keys: Vec<&'static str>,
}

/// A column and its cells.
#[derive(Clone, Debug, serde::Serialize)]
pub struct TableColumn {
    /// Its name, unit and meaning.
    #[serde(flatten)]
    pub heading: Heading,
    /// A cell for each row.
    pub cells: Vec<Cell>,
    /// What the rows that were left out add up to, if [`Table::others`] says so.
    #[serde(skip)]
    pub others: Cell,
    /// Whether formats for people show it; machine-readable ones show all.
    pub importance: Importance,
    /// Whether its texts are sentences, which go over several lines where there is not
    /// room for them, instead of being shortened.
    pub wraps: bool,
    /// Whether its shares are drawn as bars as well.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub bars: bool,
    /// What only workbooks know of it.
    #[serde(skip)]
    pub(crate) sheet: SheetColumn,
}

/// How much a column matters to people; what matters least goes first where there
/// is not room for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Importance {
    /// Not shown to people.
    Hidden,
    /// Shown where there is room, and if any of its values is known.
    Shown,
    /// The last to go.
    Essential,
    /// Asked for by its key.
    #[serde(rename = "essential")]
    Chosen,
}

impl TableColumn {
    pub(super) fn new(heading: Heading, cells: Vec<Cell>) -> TableColumn {
        let (importance, others) = (Importance::Shown, Cell::None);
        let sheet = SheetColumn::default();
        TableColumn { heading, cells, others, importance, wraps: false, bars: false, sheet }
    }

    /// Sum of its numbers; words count as 0.
    pub(crate) fn sum(&self) -> f64 {
        self.cells.iter().filter_map(Cell::as_number).sum()
    }
}

impl Table {
    /// A table that shows all columns.
    pub fn new<Row>(
        key: &'static str,
        title: &'static str,
        columns: &[Column<Row>],
        rows: impl IntoIterator<Item: Borrow<Row>>,
    ) -> Table {
        let columns = || columns.iter().filter(|column| !column.sheet.alone);
        let mut filled: Vec<TableColumn> =
            columns().map(|column| TableColumn::new(column.heading(), Vec::new())).collect();
        let mut length = 0;
        // Row by row, as rows may come from an iterator that runs once.
        for row in rows {
            for (filled, column) in filled.iter_mut().zip(columns()) {
                filled.cells.push((column.value)(row.borrow()));
            }
            length += 1;
        }
        Table::of(key, title, filled, length)
    }

    pub(super) fn of(
        key: &'static str,
        title: &'static str,
        columns: Vec<TableColumn>,
        length: usize,
    ) -> Table {
        let (left_out, others, compact, row_keys) = (0, None, None, Vec::new());
        Table {
            key,
            title,
            caveat: None,
            columns,
            length,
            left_out,
            others,
            folded: false,
            compact,
            row_keys,
        }
    }

    /// The same table, with what people have to know of all its figures.
    pub fn with_caveat(mut self, caveat: Option<String>) -> Table {
        self.caveat = caveat;
        self
    }

    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The same table, showing only the columns with these keys to people.
    pub fn showing(self, keys: &[&str]) -> Table {
        self.marked(Importance::Hidden, |key| !keys.contains(&key))
    }

    /// The same table, in which the columns with these keys have these headings.
    pub fn headed(mut self, headings: &[(&str, &'static str)]) -> Table {
        for column in &mut self.columns {
            if let Some(&(_, heading)) = headings.iter().find(|(key, _)| *key == column.heading.key)
            {
                column.heading.heading = heading.into();
            }
        }
        self
    }

    /// The same table, not showing the columns with these keys to people.
    pub fn hiding(self, keys: &[&str]) -> Table {
        self.marked(Importance::Hidden, |key| keys.contains(&key))
    }

    /// The same table without the columns with these keys, which mean nothing here.
    pub fn without(mut self, keys: &[&str]) -> Table {
        self.columns.retain(|column| !keys.contains(&column.heading.key));
        self
    }

    /// The same table, without the columns with these keys unless they mean something here.
    pub(crate) fn without_unless(self, have_meaning: bool, keys: &[&str]) -> Table {
        if have_meaning { self } else { self.without(keys) }
    }

    /// The same table, not showing the columns with these keys to people unless they tell something.
    pub(crate) fn hiding_unless(self, tell_something: bool, keys: &[&str]) -> Table {
        if tell_something { self } else { self.hiding(keys) }
    }

    /// The same table, not showing those of the columns with these keys to people that are empty in
    /// every row.
    pub(crate) fn hiding_empty(self, keys: &[&str]) -> Table {
        keys.iter().fold(self, |table, key| {
            let is_empty = |column: &TableColumn| column.cells.iter().all(|c| *c == Cell::None);
            let tells_something = !table.column(key).is_some_and(is_empty);
            table.hiding_unless(tells_something, &[key])
        })
    }

    /// The same table; of the columns that people see, those with these keys are the
    /// last to go where there is not room for all.
    pub fn essential(self, keys: &[&str]) -> Table {
        self.marked(Importance::Essential, |key| keys.contains(&key))
    }

    /// The same table; the texts of the columns with these keys are sentences.
    pub fn wrapping(mut self, keys: &[&str]) -> Table {
        let meant = self.columns.iter_mut().filter(|c| keys.contains(&c.heading.key));
        meant.for_each(|column| column.wraps = true);
        self
    }

    /// The same table; the shares of the column with this key are drawn as bars as well.
    pub fn with_bars(mut self, key: &str) -> Table {
        let meant = self.columns.iter_mut().filter(|column| column.heading.key == key);
        meant.for_each(|column| column.bars = true);
        self
    }

    fn marked(mut self, importance: Importance, is_meant: impl Fn(&str) -> bool) -> Table {
        // A hidden column stays hidden, whatever is marked later.
        let shown = self.columns.iter_mut().filter(|c| c.importance > Importance::Hidden);
        shown.filter(|c| is_meant(c.heading.key)).for_each(|c| c.importance = importance);
        self
    }

    /// The same table, for those who want to know more.
    pub fn folded(mut self) -> Table {
        self.folded = true;
        self
    }

    /// The same table, compact.
    pub(crate) fn compact(self, compact: Compact) -> Table {
        Table { compact: Some(compact), ..self }
    }

    /// Keeps the first rows only, and counts the others.
    pub fn shortened(mut self, most: Option<usize>) -> Table {
        if let Some(most) = most.filter(|&most| most < self.length) {
            self.left_out += self.length - most;
            self.length = most;
            self.columns.iter_mut().for_each(|column| column.cells.truncate(most));
        }
        self
    }

    /// Keeps the first rows and the last `kept`; of the others, people see how many
    /// they are and the sums of the columns with the keys `sums`. A sum is unknown if
    /// a part of it is. The count is in the first column of text. A single other row is kept.
    pub fn summed_up(mut self, most: Option<usize>, kept: usize, sums: &[&str]) -> Table {
        let first = most.unwrap_or(usize::MAX).min(self.length);
        // Rows are either among the first or among the last, however many are kept.
        let last = self.length.saturating_sub(kept).max(first);
        let count = last - first;
        if count <= 1 {
            return self;
        }
        let mut label = Some(Cell::text(others(count)));
        for column in &mut self.columns {
            let cells: Vec<Cell> = column.cells.drain(first..last).collect();
            column.others = match column.heading.unit {
                Unit::Text => label.take_if(|_| column.importance > Importance::Hidden),
                _ => sums.contains(&column.heading.key).then(|| sum(&cells)),
            }
            .unwrap_or(Cell::None);
        }
        self.length -= count;
        self.left_out += count;
        self.others = Some(first);
        self
    }

    /// Moves the row of sums among the rows, for formats that cannot set it apart.
    pub(crate) fn with_others(mut self) -> Table {
        let Some(place) = self.others.take() else { return self };
        for column in &mut self.columns {
            column.cells.insert(place, std::mem::replace(&mut column.others, Cell::None));
        }
        self.length += 1;
        self.left_out = 0;
        self
    }

    /// What stands below it, if rows were left out and no row sums them up.
    pub fn more(&self) -> Option<String> {
        (self.left_out > 0 && self.others.is_none()).then(|| more(self.left_out))
    }

    /// The same table with the columns of these keys only, in their order, if it has
    /// any of them.
    pub fn choosing(mut self, keys: &[String]) -> Table {
        let chosen = keys.iter().filter_map(|key| self.column(key).cloned());
        let chosen: Vec<TableColumn> =
            chosen.map(|c| TableColumn { importance: Importance::Chosen, ..c }).collect();
        if !chosen.is_empty() {
            self.columns = chosen;
        }
        self
    }

    /// Replaces the cells of the column with this key.
    pub(crate) fn with_cells(mut self, key: &str, cells: Vec<Cell>) -> Table {
        let meant = self.columns.iter_mut().find(|column| column.heading.key == key);
        if let Some(column) = meant.filter(|column| column.cells.len() == cells.len()) {
            column.cells = cells;
        }
        self
    }

    /// Keeps only the columns with these keys, in this order; their importance stays.
    pub(crate) fn only(self, keys: &[&str]) -> Table {
        let columns = keys.iter().filter_map(|key| self.column(key).cloned()).collect();
        Table { columns, ..self }
    }

    /// Adds a column whose heading or cells come from the data; it has a cell for
    /// each row.
    pub fn push_column(&mut self, heading: Heading, cells: impl IntoIterator<Item = Cell>) {
        let mut cells: Vec<Cell> = cells.into_iter().collect();
        cells.resize(self.length, Cell::None);
        self.columns.push(TableColumn::new(heading, cells));
    }

    /// The column with a key.
    pub fn column(&self, key: &str) -> Option<&TableColumn> {
        self.columns.iter().find(|column| column.heading.key == key)
    }

    /// The cell of a row under the column with a key.
    pub fn cell(&self, key: &str, row: usize) -> Option<&Cell> {
        self.column(key)?.cells.get(row)
    }

    /// The columns that people see, where there is room and something to know.
    pub fn shown(&self) -> impl Iterator<Item = &TableColumn> {
        self.columns.iter().filter(|column| column.importance > Importance::Hidden)
    }
}

fn sum(cells: &[Cell]) -> Cell {
    let mut all_whole = true;
    let mut total = 0.0;
    // What does not apply adds nothing; what is unknown makes the sum unknown.
    for cell in cells.iter().filter(|cell| **cell != Cell::None) {
        let Some(value) = cell.summand() else { return Cell::Unknown };
        all_whole &= matches!(cell, Cell::Whole(_));
        total += value;
    }
    if all_whole { Cell::Whole(total as u64) } else { Cell::Number(total) }
}

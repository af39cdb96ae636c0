//! Cells of workbooks: values, formulas and styles, kept by column.

use super::cell::Cell;
use super::sheet_part::{CellStyle, Visibility};

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

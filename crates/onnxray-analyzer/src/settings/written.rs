//! A workbook as it is written, without its file: what an edited one is compared with.

use crate::spreadsheet::{Cell, Formula, Place, Sheet, Value};

/// The sheets of a workbook, and what stands in their cells.
#[derive(Debug, Default)]
pub struct WrittenWorkbook {
    pub(super) sheets: Vec<Sheet>,
}

/// The cells of a sheet.
#[derive(Debug, Default)]
pub struct WrittenCells {
    cells: Vec<(Place, Cell)>,
}

/// What a cell holds, or what its formula comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WrittenValue<'a> {
    /// A number.
    Number(f64),
    /// A text.
    Text(&'a str),
    /// `#N/A`.
    NotAvailable,
}

impl WrittenWorkbook {
    /// Adds a sheet.
    pub fn add(&mut self, name: &str, cells: WrittenCells) {
        self.sheets.push(Sheet::new(name, cells.cells));
    }
}

impl WrittenCells {
    /// Adds the cell in a row and a column, both from 0 on.
    pub fn push(&mut self, (row, column): (u32, u16), value: WrittenValue, is_formula: bool) {
        let value = match value {
            WrittenValue::Number(number) => Value::Number(number),
            WrittenValue::Text(text) => Value::Text(text.into()),
            WrittenValue::NotAvailable => Value::Error("#N/A"),
        };
        // What the formula is, nobody asks.
        let formula = is_formula.then(|| Formula::Own(String::new()));
        self.cells.push(((row, u32::from(column)), Cell { value, formula }));
    }
}

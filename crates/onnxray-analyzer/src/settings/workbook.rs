//! Reads the cells of an Excel workbook, one after the other, formulas as they
//! are written.

use super::archive::{Refusal, check};
use super::grid::{Book, Cell, Formula, Sheet, Value};
use super::reference::{LAST_COLUMN, LAST_ROW};
use calamine::{CellErrorType, DataRef, Reader, SheetType, Xlsx, XlsxError, XlsxFormulaMetadata};
use onnxray_format::{catch_panic, printable};
use std::collections::HashMap;
use std::io::Cursor;
use std::rc::Rc;

/// Cells of all sheets together. A workbook of 5000 operators has 130 000.
pub const MOST_CELLS: usize = 2_000_000;
/// Bytes of text in all cells, each with its own even if they share it.
const MOST_TEXT: usize = 256 << 20;
const MOST_SHEETS: usize = 1000;
/// Bytes that are gone through if every sheet is the largest entry.
const MOST_BYTES: u64 = 2 << 30;

/// What may still be read.
struct Left {
    cells: usize,
    text: usize,
}

/// Reads all sheets of a workbook.
pub fn read(bytes: &[u8]) -> Result<Book, Refusal> {
    let extent = check(bytes)?;
    catch_panic(|| book(bytes, extent.largest)).unwrap_or_else(|panic| {
        Err(Refusal::Damaged(format!("the workbook cannot be read: {}", printable(&panic))))
    })
}

fn book(bytes: &[u8], largest: u64) -> Result<Book, Refusal> {
    let mut workbook = Xlsx::new(Cursor::new(bytes)).map_err(refusal)?;
    let sheets = workbook.sheets_metadata().iter();
    let names: Vec<String> = sheets
        .filter(|sheet| sheet.typ == SheetType::WorkSheet)
        .map(|sheet| sheet.name.clone())
        .collect();
    // Sheets may be one part under many names.
    if names.len() > MOST_SHEETS || largest.saturating_mul(names.len() as u64) > MOST_BYTES {
        return Err(Refusal::TooLarge(format!("it has {} sheets of this size", names.len())));
    }
    let mut book = Book::default();
    let mut left = Left { cells: MOST_CELLS, text: MOST_TEXT };
    for name in names {
        let twice = format!("two sheets have the name '{}'", printable(&name));
        if let Some(sheet) = sheet(&mut workbook, name, &mut left)?
            && !book.add(sheet)
        {
            return Err(Refusal::Damaged(twice));
        }
    }
    Ok(book)
}

/// `None` if it holds no cells but a chart, for instance.
fn sheet(
    workbook: &mut Xlsx<Cursor<&[u8]>>,
    name: String,
    left: &mut Left,
) -> Result<Option<Sheet>, Refusal> {
    let mut reader = match workbook.worksheet_cells_reader(&name) {
        Ok(reader) => reader,
        Err(XlsxError::NotAWorksheet(_)) => return Ok(None),
        Err(error) => return Err(refusal(error)),
    };
    let mut sheet = Sheet::new(name);
    // A text that many cells share is kept once. While its workbook is open, its
    // place in memory stands for it.
    let mut texts: HashMap<(usize, usize), Rc<str>> = HashMap::new();
    let mut last = None;
    loop {
        let record = match reader.next_cell_with_formula_metadata() {
            Ok(Some(record)) => record,
            Ok(None) => return Ok(Some(sheet)),
            Err(error) => return Err(unreadable(&sheet, last, error)),
        };
        let (row, column) = record.pos;
        if row > LAST_ROW || column > LAST_COLUMN {
            return Err(unreadable(&sheet, last, XlsxError::RowNumberOverflow));
        }
        last = Some(record.pos);
        let value = match record.value {
            DataRef::Empty => Value::Blank,
            DataRef::Int(number) => Value::Number(number as f64),
            DataRef::Float(number) => Value::Number(number),
            DataRef::Bool(truth) => Value::Truth(truth),
            DataRef::DateTime(_) | DataRef::DateTimeIso(_) | DataRef::DurationIso(_) => Value::Date,
            DataRef::Error(error) => Value::Error(error_name(&error)),
            DataRef::String(text) => Value::Text(text.into()),
            DataRef::SharedString(text) => {
                let place = (text.as_ptr() as usize, text.len());
                Value::Text(texts.entry(place).or_insert_with(|| text.into()).clone())
            }
        };
        let formula = match record.formula {
            None => None,
            Some(XlsxFormulaMetadata::Normal { formula }) => Some(Formula::Own(formula.into())),
            Some(XlsxFormulaMetadata::Shared { shared_index, formula, .. }) => {
                sheet.shared.insert(shared_index, (record.pos, formula.into()));
                Some(Formula::Shared(shared_index))
            }
            Some(XlsxFormulaMetadata::SharedDerived { shared_index }) => {
                Some(Formula::Shared(shared_index))
            }
            // Whatever it is, the cell is no plain value.
            Some(_) => Some(Formula::Own("".into())),
        };
        if value == Value::Blank && formula.is_none() {
            continue;
        }
        let length = if let Value::Text(text) = &value { text.len() } else { 0 };
        let (Some(cells), Some(text)) = (left.cells.checked_sub(1), left.text.checked_sub(length))
        else {
            let most = format!("more than {MOST_CELLS} cells or {} MiB of text", MOST_TEXT >> 20);
            return Err(Refusal::TooLarge(most));
        };
        *left = Left { cells, text };
        if sheet.cells.insert(record.pos, Cell { value, formula }).is_some() {
            let what = XlsxError::Unexpected("a cell is there twice");
            return Err(unreadable(&sheet, last, what));
        }
    }
}

fn refusal(error: XlsxError) -> Refusal {
    match error {
        XlsxError::Password => Refusal::Encrypted,
        XlsxError::FileNotFound(_) => {
            Refusal::Found("a zip archive without a workbook in it".to_string())
        }
        error => {
            let error = printable(&error.to_string());
            Refusal::Damaged(format!("the workbook cannot be read: {error}"))
        }
    }
}

/// The reader does not tell the place of a cell that it cannot read, but that of
/// the one before.
fn unreadable(sheet: &Sheet, last: Option<(u32, u32)>, error: XlsxError) -> Refusal {
    let name = printable(&sheet.name).replace('\'', "''");
    let place = match last {
        Some((row, column)) => format!("'{name}', behind {}", super::grid::cell_name(row, column)),
        None => format!("'{name}'"),
    };
    Refusal::Damaged(format!("{place}: {}", printable(&error.to_string())))
}

fn error_name(error: &CellErrorType) -> &'static str {
    match error {
        CellErrorType::Div0 => "#DIV/0!",
        CellErrorType::NA => "#N/A",
        CellErrorType::Name => "#NAME?",
        CellErrorType::Null => "#NULL!",
        CellErrorType::Num => "#NUM!",
        CellErrorType::Ref => "#REF!",
        CellErrorType::Value => "#VALUE!",
        CellErrorType::GettingData => "#GETTING_DATA",
    }
}

//! Reads the cells of an Excel workbook, formulas as they are written.
//!
//! Two threads take sheets in turns, each with its own reader: one sheet is often
//! as large as all others, so that more threads would wait. What comes out is
//! what one thread reads.

use super::archive::{Extent, Refusal, check};
use super::book::{Book, Sheet, cell_name};
use super::cells::{Cell, Formula, Value};
use calamine::{CellErrorType, DataRef, Reader, SheetType, Xlsx, XlsxError, XlsxFormulaMetadata};
use onnxray_failsafe::catch_panic;
use onnxray_text::printable;
use std::collections::HashMap;
use std::io::Cursor;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::thread;

/// Excel's last row, from 0.
const LAST_ROW: u32 = 1_048_575;
const LAST_COLUMN: u32 = 16_383;
/// Cells of all sheets together. A workbook of 5000 operators has 130 000.
pub(crate) const MOST_CELLS: usize = 2_000_000;
/// Bytes of text in all cells, each with its own even if they share it.
const MOST_TEXT: usize = 256 << 20;
const MOST_SHEETS: usize = 1000;
/// Bytes to parse if every sheet were the largest entry.
const MOST_BYTES: u64 = 2 << 30;
/// Bytes of the copy that a second reader makes of the shared parts.
const MOST_AGAIN: u64 = 32 << 20;

type Workbook<'a> = Xlsx<Cursor<&'a [u8]>>;

/// Cells and bytes of text left to read of all sheets together.
struct Left {
    cells: AtomicUsize,
    text: AtomicUsize,
}

/// Reads all sheets of a workbook.
pub(crate) fn read(bytes: &[u8]) -> Result<Book, Refusal> {
    let extent = check(bytes)?;
    catch_panic(|| book(bytes, extent)).unwrap_or_else(|panic| {
        Err(Refusal::Damaged(format!("the workbook cannot be read: {}", printable(&panic))))
    })
}

fn book(bytes: &[u8], extent: Extent) -> Result<Book, Refusal> {
    let mut workbook = open(bytes)?;
    let sheets = workbook.sheets_metadata().iter();
    let names: Vec<String> = sheets
        .filter(|sheet| sheet.typ == SheetType::WorkSheet)
        .map(|sheet| sheet.name.clone())
        .collect();
    // Sheets may be one part under many names.
    let bytes_of_all = extent.largest.saturating_mul(names.len() as u64);
    if names.len() > MOST_SHEETS || bytes_of_all > MOST_BYTES {
        return Err(Refusal::TooLarge(format!("it has {} sheets of this size", names.len())));
    }
    if names.len() > 1
        && extent.held <= MOST_AGAIN
        && let Some(sheets) = on_two_threads(&mut workbook, bytes, &names)
    {
        return put_together(sheets.into_iter().map(Ok));
    }
    // Read again on one thread, so that the first problem in file order is reported.
    let left = Left::all();
    put_together(names.iter().map(|name| sheet(&mut workbook, name, &left)))
}

fn open(bytes: &[u8]) -> Result<Workbook<'_>, Refusal> {
    Xlsx::new(Cursor::new(bytes)).map_err(refusal)
}

/// All sheets in order; `None` if one cannot be read.
fn on_two_threads(
    workbook: &mut Workbook,
    bytes: &[u8],
    names: &[String],
) -> Option<Vec<Option<Sheet>>> {
    let (left, next) = (Left::all(), AtomicUsize::new(0));
    let places: Vec<OnceLock<Option<Sheet>>> = names.iter().map(|_| OnceLock::new()).collect();
    let take = || {
        let index = next.fetch_add(1, Relaxed);
        names.get(index).zip(places.get(index))
    };
    let read = |workbook: &mut Workbook| {
        while let Some((name, place)) = take() {
            match sheet(workbook, name, &left) {
                Ok(sheet) => drop(place.set(sheet)),
                // Ends both threads: `book` reads again, for the first problem in file order.
                Err(_) => next.store(names.len(), Relaxed),
            }
        }
    };
    thread::scope(|scope| {
        let second = || drop(catch_panic(|| open(bytes).map(|mut workbook| read(&mut workbook))));
        // Without a second thread, the first reads all.
        let _ = thread::Builder::new().spawn_scoped(scope, second);
        let _ = catch_panic(|| read(workbook));
    });
    // A place without a sheet: a thread stopped, or panicked.
    places.into_iter().map(OnceLock::into_inner).collect()
}

fn put_together(
    sheets: impl Iterator<Item = Result<Option<Sheet>, Refusal>>,
) -> Result<Book, Refusal> {
    let mut book = Book::default();
    for sheet in sheets {
        let Some(sheet) = sheet? else { continue };
        let twice = format!("two sheets have the name '{}'", printable(&sheet.name));
        if !book.add(sheet) {
            return Err(Refusal::Damaged(twice));
        }
    }
    Ok(book)
}

impl Left {
    fn all() -> Left {
        Left { cells: AtomicUsize::new(MOST_CELLS), text: AtomicUsize::new(MOST_TEXT) }
    }

    fn take(&self, portion: &mut Portion) -> Result<(), Refusal> {
        let Portion { cells, text } = std::mem::take(portion);
        let less = |left: &AtomicUsize, by: usize| {
            left.try_update(Relaxed, Relaxed, |left| left.checked_sub(by)).is_ok()
        };
        match less(&self.cells, cells) && less(&self.text, text) {
            true => Ok(()),
            false => Err(Refusal::TooLarge(format!(
                "more than {MOST_CELLS} cells or {} MiB of text",
                MOST_TEXT >> 20
            ))),
        }
    }
}

/// Cells that were read and not yet counted. Threads that count one cell after
/// the other wait for each other most of the time.
#[derive(Default)]
struct Portion {
    cells: usize,
    text: usize,
}

impl Portion {
    fn is_full(&self) -> bool {
        // Small portions: two threads exceed the limits by little.
        self.cells >= 4096 || self.text >= 1 << 20
    }
}

/// `None` for a sheet without cells, such as a chart.
fn sheet(workbook: &mut Workbook, name: &str, left: &Left) -> Result<Option<Sheet>, Refusal> {
    let mut reader = match workbook.worksheet_cells_reader(name) {
        Ok(reader) => reader,
        Err(XlsxError::NotAWorksheet(_)) => return Ok(None),
        Err(error) => return Err(refusal(error)),
    };
    let (mut cells, mut shared) = (Vec::new(), HashMap::new());
    let mut portion = Portion::default();
    let mut texts = SharedTexts::new();
    let mut last = None;
    loop {
        let record = match reader.next_cell_with_formula_metadata() {
            Ok(Some(record)) => record,
            Ok(None) => break,
            Err(error) => return Err(unreadable(name, last, error)),
        };
        let (row, column) = record.pos;
        if row > LAST_ROW || column > LAST_COLUMN {
            return Err(unreadable(name, last, XlsxError::RowNumberOverflow));
        }
        last = Some(record.pos);
        let formula = match record.formula {
            None => None,
            Some(XlsxFormulaMetadata::Normal { formula }) => Some(Formula::Own(formula)),
            Some(XlsxFormulaMetadata::Shared { shared_index, formula, .. }) => {
                shared.insert(shared_index, (record.pos, formula));
                Some(Formula::Shared(shared_index))
            }
            Some(XlsxFormulaMetadata::SharedDerived { shared_index }) => {
                Some(Formula::Shared(shared_index))
            }
            // Whatever it is, the cell has a formula.
            Some(_) => Some(Formula::Own(String::new())),
        };
        let value = match record.value {
            // A cell of nothing but a style.
            DataRef::Empty if formula.is_none() => continue,
            written => value(written, &mut texts),
        };
        portion.cells += 1;
        portion.text += if let Value::Text(text) = &value { text.len() } else { 0 };
        cells.push((record.pos, Cell { value, formula }));
        if portion.is_full() {
            left.take(&mut portion)?;
        }
    }
    left.take(&mut portion)?;
    let sheet = Sheet { shared, ..Sheet::new(name, cells) };
    // Spreadsheets differ in which of the two they show.
    match sheet.cells.twice() {
        None => Ok(Some(sheet)),
        place => Err(unreadable(name, place, XlsxError::Unexpected("a cell is there twice"))),
    }
}

/// Texts that many cells share, kept once. While their workbook is open, address
/// and length tell them apart.
type SharedTexts = HashMap<(usize, usize), Arc<str>>;

fn value(written: DataRef<'_>, texts: &mut SharedTexts) -> Value {
    match written {
        DataRef::Empty => Value::Blank,
        DataRef::Int(number) => Value::Number(number as f64),
        DataRef::Float(number) => Value::Number(number),
        DataRef::Bool(truth) => Value::Truth(truth),
        DataRef::DateTime(_) | DataRef::DateTimeIso(_) | DataRef::DurationIso(_) => Value::Date,
        DataRef::Error(error) => Value::Error(error_name(&error)),
        DataRef::String(text) => Value::Text(text.into()),
        DataRef::SharedString(text) => {
            let address = (text.as_ptr() as usize, text.len());
            Value::Text(texts.entry(address).or_insert_with(|| text.into()).clone())
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

/// Names the last cell before the damage: the reader does not tell the place of the damage itself.
fn unreadable(name: &str, last: Option<(u32, u32)>, error: XlsxError) -> Refusal {
    let name = printable(name).replace('\'', "''");
    let place = match last {
        Some((row, column)) => format!("'{name}', behind {}", cell_name(row, column)),
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

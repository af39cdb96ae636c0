//! Values of the cells that the user sets.

use super::findings;
use super::gather::Gather;
use super::shape::truth;
use crate::printable::quoted;
use crate::quantity::{Decimals, Quantity};
use crate::spreadsheet::{At, Book, Sheet, Value};
use crate::workbook_words::is;

/// The cells of a file, and what was understood of them so far.
pub(crate) struct Inputs<'a> {
    pub(crate) book: &'a Book,
    pub(crate) gather: Gather,
}

/// Tables of a kind on one sheet; each costs a search of the whole sheet.
pub(crate) const MOST_TABLES: usize = 20;

/// Cells of one operator.
pub(crate) struct TargetCells {
    pub(crate) name: String,
    pub(crate) target: At,
    /// Formula that looks up its perf ratio.
    pub(crate) ratio: Option<At>,
}

/// Marks a cell whose problem is among the findings already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bad;

impl<'a> Inputs<'a> {
    pub(crate) fn new(book: &'a Book) -> Inputs<'a> {
        Inputs { book, gather: Gather::default() }
    }

    pub(crate) fn problem(&mut self, at: At, what: &str) -> Bad {
        self.gather.problem(&self.book.place(at), what);
        Bad
    }

    /// A number; `None` if the cell is blank.
    pub(crate) fn quantity(&mut self, at: At, quantity: Quantity) -> Result<Option<f64>, Bad> {
        let value = self.value(at)?;
        let read = match &value {
            Value::Blank => return Ok(None),
            Value::Number(number) => quantity.of_number(*number).map(Some),
            Value::Text(text) => {
                let decimals = self.book.sheet(at).map_or(Decimals::Point, |sheet| sheet.decimals);
                quantity.of_text(text, decimals)
            }
            Value::Truth(_) | Value::Date | Value::Error(_) => {
                Err(format!("expected a number, found {value}"))
            }
        };
        let reading = match read {
            Ok(Some(reading)) => reading,
            Ok(None) => return Ok(None),
            Err(what) => return Err(self.problem(at, &what)),
        };
        if reading.remark.is_some() {
            let place = self.book.place(at);
            self.gather.findings.taken(reading.remark, &place, &value.to_string(), reading.value);
        }
        Ok(Some(reading.value))
    }

    /// Text, or a number as text; `None` if the cell is blank.
    pub(crate) fn text(&mut self, at: At) -> Result<Option<String>, Bad> {
        let text = match self.value(at)? {
            Value::Blank => return Ok(None),
            Value::Text(text) => text.to_string(),
            other @ (Value::Date | Value::Error(_)) => {
                return Err(self.problem(at, &format!("expected a text, found {other}")));
            }
            value @ (Value::Number(_) | Value::Truth(_)) => value.to_string(),
        };
        Ok(Some(text).filter(|text| !text.trim().is_empty()))
    }

    /// Text that means something; `None` if the cell is blank.
    pub(crate) fn parsed<T>(
        &mut self,
        at: At,
        parse: fn(&str) -> Result<T, String>,
    ) -> Result<Option<T>, Bad> {
        let Some(text) = self.text(at)? else { return Ok(None) };
        parse(&text).map(Some).map_err(|what| self.problem(at, &what))
    }

    /// TRUE or FALSE; `None` if the cell is blank.
    pub(crate) fn truth(&mut self, at: At) -> Result<Option<bool>, Bad> {
        self.parsed(at, truth)
    }

    /// Value of a cell, or the stored result of its formula.
    pub(crate) fn peek(&self, at: At) -> Value {
        self.book.cell(at).map_or(Value::Blank, |cell| cell.value.clone())
    }

    /// The same, where a formula has to have a value.
    fn value(&mut self, at: At) -> Result<Value, Bad> {
        match self.book.is_unknown(at) {
            true => {
                let what = "a formula without a stored value; open the file in a spreadsheet \
                            program and save it once";
                Err(self.problem(at, what))
            }
            false => Ok(self.peek(at)),
        }
    }
}

/// Tables of a kind: what their sheet is called, and the words of two columns.
pub(crate) struct Kind<'a> {
    pub(crate) sheet: &'a str,
    pub(crate) words: &'a str,
    /// As a message calls it.
    pub(crate) other: &'a str,
}

impl Kind<'_> {
    /// Headers of the tables on the sheet of this name, or else on the only sheet that has any.
    /// Tables on other sheets become a note; the error names sheets that are equally likely.
    pub(crate) fn tables(
        &self,
        inputs: &mut Inputs,
        is_header: impl Fn(At) -> bool,
    ) -> Result<Vec<At>, String> {
        let book = inputs.book;
        let mut headers: Vec<At> = Vec::new();
        for (sheet, cells) in book.sheets.iter().enumerate() {
            let places = cells.find(self.words);
            headers.extend(places.map(|(row, column)| At { sheet, row, column }));
        }
        // The words may be there twice in a row, which readers of the table refuse themselves.
        headers.dedup_by_key(|at| (at.sheet, at.row));
        headers.retain(|at| is_header(*at));
        let mut sheets: Vec<usize> = headers.iter().map(|at| at.sheet).collect();
        sheets.dedup();
        // The sheet may have been renamed or copied: the name decides only between several.
        let name = |sheet: &usize| book.sheets.get(*sheet).map_or("", |sheet| sheet.name.as_str());
        let chosen = match (sheets.iter().find(|s| is(name(s), self.sheet)), sheets.as_slice()) {
            (Some(named), _) => *named,
            (None, []) => return Ok(Vec::new()),
            (None, [only]) => *only,
            (None, several) => {
                let names: Vec<String> =
                    several.iter().take(MOST_TABLES).map(|s| quoted(name(s))).collect();
                return Err(format!(
                    "the sheets {} have a column \"{}\" and {} beside it; call the right one \"{}\"",
                    names.join(", "),
                    self.words,
                    self.other,
                    self.sheet
                ));
            }
        };
        for other in sheets.iter().filter(|sheet| **sheet != chosen) {
            let place = headers.iter().find(|at| at.sheet == *other).map(|at| book.place(*at));
            inputs.gather.findings.note(findings::Kind::LeftOutTable, || {
                format!(
                    "{}: a table like those of {}, which are read; it is left out",
                    place.unwrap_or_default(),
                    quoted(name(&chosen))
                )
            });
        }
        headers.retain(|at| at.sheet == chosen);
        match headers.len() <= MOST_TABLES {
            true => Ok(headers),
            false => Err(format!(
                "{} rows have a column \"{}\" and {} beside it; at most {MOST_TABLES} tables are read",
                headers.len(),
                self.words,
                self.other
            )),
        }
    }
}

/// The column of a row whose cell has these words.
pub(crate) fn column(book: &Book, row: At, words: &str) -> Option<u32> {
    columns(book, row, words).next()
}

pub(crate) fn columns(book: &Book, row: At, words: &str) -> impl Iterator<Item = u32> {
    let cells = book.sheet(row).into_iter().flat_map(move |sheet: &Sheet| sheet.row(row.row));
    cells.filter_map(move |(column, cell)| is(cell.text()?, words).then_some(column))
}

/// The first cell to the right of a label that holds something, or else its
/// neighbour.
pub(crate) fn beside(book: &Book, label: At) -> At {
    let row = book.sheet(label).into_iter().flat_map(|sheet| sheet.row(label.row));
    let value = row.map(|(column, _)| column).find(|&column| column > label.column);
    label.column(value.unwrap_or(label.column.saturating_add(1)))
}

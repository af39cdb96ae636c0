//! Edits of a workbook that have no effect: values typed into cells that are computed or were
//! measured, where a workbook of the same recording and settings has something else.

use super::written::WrittenWorkbook;
use crate::spreadsheet::{At, Book, Cell, Sheet, Value};
use crate::workbook::sheet as name;
use std::collections::HashSet;

/// Numbers that differ by less, as a share, were rounded.
const ROUNDING: f64 = 1e-6;
/// Of this share of the numbers at least, a workbook of the same recording has the same.
const SAME_RECORDING: f64 = 0.9;

/// A workbook of settings as somebody edited it.
#[derive(Debug)]
pub struct EditedWorkbook {
    pub(super) book: Book,
    /// The cells in which settings are looked for.
    pub(super) inputs: HashSet<At>,
}

impl EditedWorkbook {
    /// The cells with a typed value that nothing reads, beside the workbook of a recording as it
    /// is written with the settings in this one.
    pub fn unread_edits(&self, written: &WrittenWorkbook) -> Vec<String> {
        Both { edited: &self.book, written: &written.sheets }.unread(&self.inputs)
    }
}

/// A workbook as somebody edited it, and as it is written.
struct Both<'a> {
    edited: &'a Book,
    written: &'a [Sheet],
}

impl<'a> Both<'a> {
    fn unread(&self, inputs: &HashSet<At>) -> Vec<String> {
        let cells = self.sheets().into_iter().flat_map(|pair| self.cells(pair));
        let cells: Vec<(At, &Cell, &Cell)> =
            cells.filter(|(at, ..)| !inputs.contains(at)).collect();
        let measured = || cells.iter().filter(|(_, _, ours)| ours.formula.is_none());
        let same =
            measured().filter(|(_, theirs, ours)| is_same(&theirs.value, &ours.value)).count();
        let is_same_recording = same as f64 >= SAME_RECORDING * measured().count() as f64;
        let is_edit = |(_, theirs, ours): &&(At, &Cell, &Cell)| {
            theirs.formula.is_none()
                && (ours.formula.is_some() || is_same_recording)
                && !is_same(&theirs.value, &ours.value)
        };
        cells.iter().filter(is_edit).map(|(at, ..)| self.edited.place(*at)).collect()
    }

    /// Sheets of one name with all words in the same places, by their numbers.
    fn sheets(&self) -> Vec<(usize, usize)> {
        let of_edited = |written: &Sheet| {
            let name = written.name.to_lowercase();
            self.edited.sheets.iter().position(|sheet| sheet.name.to_lowercase() == name)
        };
        let pairs = self.written.iter().enumerate();
        let pairs = pairs.filter_map(|(number, sheet)| Some((of_edited(sheet)?, number)));
        pairs.filter(|&pair| self.is_laid_out_alike(pair)).collect()
    }

    fn is_laid_out_alike(&self, (edited, written): (usize, usize)) -> bool {
        let words = self.written[written].all().filter_map(|(place, cell)| {
            let text = cell.text().filter(|text| !text.trim().is_empty())?;
            Some((place, text))
        });
        let theirs = &self.edited.sheets[edited];
        words.into_iter().all(|(place, text)| theirs.at(place).and_then(Cell::text) == Some(text))
    }

    /// Formulas and measured times that are written, and what stands there now.
    fn cells(
        &self,
        (edited, written): (usize, usize),
    ) -> impl Iterator<Item = (At, &'a Cell, &'a Cell)> {
        let (theirs, ours) = (&self.edited.sheets[edited], &self.written[written]);
        let figures = ours.all().filter(|(place, cell)| {
            let is_number = || matches!(cell.value, Value::Number(_));
            cell.formula.is_some() || is_number() && is_measured(ours, *place)
        });
        figures.filter_map(move |((row, column), cell)| {
            Some((At { sheet: edited, row, column }, theirs.at((row, column))?, cell))
        })
    }
}

/// Whether a number that is written is the same with any settings.
fn is_measured(sheet: &Sheet, (_, column): (u32, u32)) -> bool {
    // The headings stand in one of the first rows.
    let headings = (0..5).filter_map(|row| sheet.at((row, column))?.text());
    match sheet.name.as_str() {
        name::TOTALS => true,
        name::OPERATORS => headings.into_iter().any(|heading| heading.contains("latency")),
        _ => false,
    }
}

fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            (one - other).abs() <= ROUNDING * one.abs().max(other.abs())
        }
        _ => one == other,
    }
}

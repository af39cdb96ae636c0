//! The cells of a sheet in order, with an index of their texts.

use crate::printable::quoted;
use crate::workbook_words::{initial, wordings};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// Row and column, from 0.
pub(crate) type Place = (u32, u32);

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cell {
    /// Of a formula, the stored result; blank without one.
    pub(crate) value: Value,
    pub(crate) formula: Option<Formula>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Blank,
    Number(f64),
    Text(Arc<str>),
    Truth(bool),
    Date,
    /// As spreadsheets show it: `#DIV/0!`.
    Error(&'static str),
}

impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Blank => out.write_str("nothing"),
            Value::Number(number) => write!(out, "{number}"),
            Value::Text(text) => out.write_str(&quoted(text)),
            Value::Truth(truth) => out.write_str(if *truth { "TRUE" } else { "FALSE" }),
            Value::Date => out.write_str("a date"),
            Value::Error(error) => write!(out, "the error {error}"),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Formula {
    /// Without the equals sign.
    Own(String),
    /// Key of a formula that the sheet's cells share.
    Shared(usize),
}

/// Cells of a sheet that are not empty, row by row.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    ordered: Vec<(Place, Cell)>,
    /// Positions of texts by their first letter, so that headings are looked for
    /// among few cells.
    initials: HashMap<char, Vec<usize>>,
}

impl Cells {
    /// Takes cells in any order, of which those of a workbook need no sorting.
    pub(crate) fn new(mut cells: Vec<(Place, Cell)>) -> Cells {
        if !cells.is_sorted_by_key(|(place, _)| *place) {
            cells.sort_by_key(|(place, _)| *place);
        }
        let mut initials: HashMap<char, Vec<usize>> = HashMap::new();
        for (position, (_, cell)) in cells.iter().enumerate() {
            if let Some(initial) = cell.text().and_then(initial) {
                initials.entry(initial).or_default().push(position);
            }
        }
        Cells { ordered: cells, initials }
    }

    /// The first place that occurs twice.
    pub(crate) fn twice(&self) -> Option<Place> {
        let mut pairs = self.ordered.windows(2);
        pairs.find_map(|pair| (pair[0].0 == pair[1].0).then_some(pair[0].0))
    }

    pub(crate) fn get(&self, place: Place) -> Option<&Cell> {
        let index = self.ordered.binary_search_by_key(&place, |(place, _)| *place);
        self.ordered.get(index.ok()?).map(|(_, cell)| cell)
    }

    /// Cells from a place on, row by row.
    pub(crate) fn starting_at(&self, first: Place) -> &[(Place, Cell)] {
        &self.ordered[self.ordered.partition_point(|(place, _)| *place < first)..]
    }

    /// Texts that may begin with these words, or with those that stood for them before, each
    /// row by row.
    pub(crate) fn texts_like(&self, words: &str) -> impl Iterator<Item = (Place, &str)> {
        let mut first: Vec<char> = wordings(words).filter_map(initial).collect();
        first.dedup();
        let positions = first.into_iter().filter_map(|first| self.initials.get(&first)).flatten();
        let cells = positions.filter_map(|position| self.ordered.get(*position));
        cells.filter_map(|(place, cell)| Some((*place, cell.text()?)))
    }
}

impl Cell {
    /// Text that was typed in; `None` for a formula.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) if self.formula.is_none() => Some(text),
            _ => None,
        }
    }

    /// True for empty cells and for white space.
    pub(crate) fn is_blank(&self) -> bool {
        self.formula.is_none()
            && match &self.value {
                Value::Blank => true,
                Value::Text(text) => text.trim().is_empty(),
                _ => false,
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(places: &[(Place, &str)]) -> Cells {
        let cell = |text: &str| Cell { value: Value::Text(text.into()), formula: None };
        Cells::new(places.iter().map(|(place, text)| (*place, cell(text))).collect())
    }

    #[test]
    fn cells_are_in_order_whatever_the_file_has() {
        let found = cells(&[((2, 1), "b"), ((0, 3), "x"), ((2, 0), " _Bc"), ((1, 0), " ")]);
        let places: Vec<Place> =
            found.starting_at((1, 0)).iter().map(|(place, _)| *place).collect();
        assert_eq!(places, [(1, 0), (2, 0), (2, 1)]);
        assert_eq!(found.get((0, 3)).and_then(Cell::text), Some("x"));
        assert_eq!(found.get((0, 2)), None);
        let like: Vec<(Place, &str)> = found.texts_like("B").collect();
        assert_eq!(like, [((2, 0), " _Bc"), ((2, 1), "b")]);
        assert_eq!(found.texts_like(" ").count(), 0);
    }

    #[test]
    fn two_cells_in_one_place_are_found() {
        assert_eq!(cells(&[((0, 0), "a"), ((0, 1), "a")]).twice(), None);
        assert_eq!(cells(&[((4, 1), "a"), ((0, 0), "b"), ((4, 1), "c")]).twice(), Some((4, 1)));
    }
}

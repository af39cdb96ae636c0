//! The cells of a sheet, in order, and where their texts stand.

use super::grid::{Cell, initial};
use std::collections::HashMap;

/// Row and column, from 0.
pub type Place = (u32, u32);

/// Cells that hold something.
#[derive(Debug, Default)]
pub struct Cells {
    ordered: Vec<(Place, Cell)>,
    /// Positions of texts by their first letter, so that headings are looked for
    /// among few cells.
    initials: HashMap<char, Vec<usize>>,
}

impl Cells {
    /// Takes cells in any order, of which those of a workbook need no sorting.
    pub fn new(mut cells: Vec<(Place, Cell)>) -> Cells {
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

    /// A place that two cells have.
    pub fn twice(&self) -> Option<Place> {
        let mut pairs = self.ordered.windows(2);
        pairs.find_map(|pair| (pair[0].0 == pair[1].0).then_some(pair[0].0))
    }

    pub fn get(&self, place: Place) -> Option<&Cell> {
        let found = self.ordered.binary_search_by_key(&place, |(place, _)| *place);
        self.ordered.get(found.ok()?).map(|(_, cell)| cell)
    }

    /// Cells from a place on, row by row.
    pub fn starting_at(&self, first: Place) -> &[(Place, Cell)] {
        &self.ordered[self.ordered.partition_point(|(place, _)| *place < first)..]
    }

    /// Texts that may begin with these words, row by row.
    pub fn texts_like(&self, words: &str) -> impl Iterator<Item = (Place, &str)> {
        let found = initial(words).and_then(|initial| self.initials.get(&initial));
        let cells = found.into_iter().flatten().filter_map(|position| self.ordered.get(*position));
        cells.filter_map(|(place, cell)| Some((*place, cell.text()?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::grid::Value;

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

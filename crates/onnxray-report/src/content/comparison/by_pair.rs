//! Layers of several comparisons, each of recordings of its own, in one table.

use super::layers::{layer_columns, ordered};
use super::rows::{DETECTABLE, Pair, Row};
use crate::document::{Cell, Heading, Table, Unit};
use onnxray_analyzer::comparison::keys::{
    A_MS, A_TYPE, B_MS, B_TYPE, DIFFERENCE_HIGH_MS, DIFFERENCE_LOW_MS, DIFFERENCE_MS, LAYER, RATIO,
    RATIO_HIGH, RATIO_LOW, VERDICT,
};

/// Columns of layers that a page draws, or shows in its table.
const KEPT: [&str; 18] = [
    "number",
    LAYER,
    A_TYPE,
    B_TYPE,
    "a_precision",
    "b_precision",
    A_MS,
    B_MS,
    DIFFERENCE_MS,
    DIFFERENCE_LOW_MS,
    DIFFERENCE_HIGH_MS,
    RATIO,
    RATIO_LOW,
    RATIO_HIGH,
    DETECTABLE,
    VERDICT,
    "reason",
    "matched_by",
];

/// The layers of each pair, in the order of `compare`, and in column `pair` the number of the
/// comparison that a row is of, from 0.
pub(crate) fn layers_by_pair(key: &'static str, title: &'static str, pairs: &[Pair]) -> Table {
    let layers: Vec<_> = pairs.iter().map(|&pair| ordered(pair, None)).collect();
    let numbers: Vec<Cell> = layers
        .iter()
        .enumerate()
        .flat_map(|(number, layers)| layers.iter().map(move |_| Cell::Whole(number as u64)))
        .collect();
    let rows = pairs
        .iter()
        .zip(layers)
        .flat_map(|(&pair, layers)| layers.into_iter().map(move |subject| Row { pair, subject }));
    let mut table = Table::new(key, title, &layer_columns(), rows).only(&KEPT);
    let meaning = "number of the comparison that the row is of";
    table.push_column(Heading::new("pair", "Pair", Unit::Count, meaning), numbers);
    table
}

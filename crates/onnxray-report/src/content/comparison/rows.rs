//! A version next to the baseline, and tables whose rows say which version they are of.

use crate::document::{Cell, Column, Table, Unit, column};
use onnxray_analyzer::comparison::{Change, Comparison, Member, Recording, Side};
use onnxray_analyzer::statistics::Interval;
use onnxray_format::Operator;

/// Key of the column that every table of comparisons begins with.
pub(crate) const VERSION: &str = "version";
/// Key of the column of what A is called.
pub(crate) const BASELINE: &str = "baseline";

/// Key of the column of minimum detectable effects.
pub(super) const DETECTABLE: &str = "minimum_detectable_effect_share";

/// A version and the baseline to which it is compared.
#[derive(Clone, Copy)]
pub(super) struct Pair<'a> {
    pub(super) comparison: &'a Comparison,
    /// By side.
    pub(super) recordings: [&'a Recording; 2],
}

impl<'a> Pair<'a> {
    pub(super) fn operator(&self, side: Side, member: &Member) -> Option<&'a Operator> {
        let operators = &self.recordings[side as usize].summary.operators;
        operators.get(member.operator as usize).map(|summary| &summary.operator)
    }
}

/// A row about a version.
pub(super) struct Row<'a, Subject> {
    pub(super) pair: Pair<'a>,
    pub(super) subject: Subject,
}

/// The rows of all versions. With a single one, people need not be told which.
pub(super) fn table<'a, Subject>(
    key: &'static str,
    title: &'static str,
    columns: Vec<Column<Row<'a, Subject>>>,
    pairs: &[Pair<'a>],
    rows: impl Fn(Pair<'a>) -> Vec<Subject>,
) -> Table {
    shortened(key, title, columns, pairs, None, rows)
}

/// The same with at most so many rows of each version.
pub(super) fn shortened<'a, Subject>(
    key: &'static str,
    title: &'static str,
    columns: Vec<Column<Row<'a, Subject>>>,
    pairs: &[Pair<'a>],
    most: Option<usize>,
    rows: impl Fn(Pair<'a>) -> Vec<Subject>,
) -> Table {
    let meaning = "what is compared to the baseline A";
    let label = |row: &Row<'a, Subject>| Cell::text(&row.pair.comparison.labels[1]);
    let mut all = vec![column(VERSION, "Version", Unit::Text, meaning, label)];
    all.extend(columns);
    let mut left_out = 0;
    let rows = pairs.iter().flat_map(|&pair| {
        let rows = rows(pair);
        let most = most.map_or(rows.len(), |most| most.min(rows.len()));
        left_out += rows.len() - most;
        rows.into_iter().take(most).map(move |subject| Row { pair, subject })
    });
    let mut table = Table::new(key, title, &all, rows);
    table.left_out = left_out;
    if pairs.len() == 1 { table.hiding(&[VERSION]) } else { table }
}

/// The same table, not showing people a column that says nothing in any row.
pub(super) fn hiding_empty(table: Table, key: &str) -> Table {
    let says_nothing =
        table.column(key).is_some_and(|column| column.cells.iter().all(|cell| *cell == Cell::None));
    if says_nothing { table.hiding(&[key]) } else { table }
}

/// A number, or nothing where none was computed.
pub(super) fn computed(value: Option<f64>) -> Cell {
    value.map_or(Cell::None, Cell::Number)
}

/// The smallest difference that could have been shown.
pub(super) fn detectable(change: &Change) -> Cell {
    computed(change.minimum_detectable_effect.map(|share| share.0))
}

pub(super) fn low(interval: Option<Interval>) -> Cell {
    computed(interval.map(|interval| interval.low))
}

pub(super) fn high(interval: Option<Interval>) -> Cell {
    computed(interval.map(|interval| interval.high))
}

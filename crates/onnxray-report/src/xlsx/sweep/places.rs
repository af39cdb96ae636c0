//! Where the cells of the live sheets lie: formulas of each need those of the other.

use crate::document::{Table, TableColumn};
use crate::xlsx::address::on;
use crate::xlsx::layout::Layout;
use onnxray_analyzer::sweep::Candidates;

/// Names of the live sheets.
pub(super) const SUMMARY: &str = "Summary";
pub(super) const POINTS: &str = "Points";

/// Rows of the cells that are set, which stand in the second column.
pub(super) const THRESHOLD: u32 = 2;
pub(super) const PERCENTILE: u32 = 3;
pub(super) const INPUTS: u32 = 1;
/// Row of the title of the first table.
pub(super) const FIRST: u32 = 5;
/// Columns of the tables.
pub(super) const KEYS: [&str; 15] = [
    "candidates",
    "name",
    "engine",
    "batch_size",
    "dimensions",
    "threads",
    "instances",
    "latency_ms",
    "throughput_per_second",
    "counted",
    "remark",
    "first",
    "second",
    "number",
    "position",
];
/// What formulas need, behind what is shown.
pub(super) const HELPERS: [&str; 4] = ["first", "second", "number", "position"];

/// What a point may be best at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    SweetSpot,
    Latency,
    Throughput,
}

impl Goal {
    pub(super) const ALL: [Goal; 3] = [Goal::SweetSpot, Goal::Latency, Goal::Throughput];

    pub(super) fn title(self) -> &'static str {
        match self {
            Goal::SweetSpot => "Sweet spot: highest throughput within the threshold",
            Goal::Latency => "Best latency",
            Goal::Throughput => "Best throughput",
        }
    }

    pub(super) fn of(self, candidates: &Candidates) -> Option<usize> {
        match self {
            Goal::SweetSpot => candidates.sweet_spot,
            Goal::Latency => Some(candidates.best_latency),
            Goal::Throughput => Some(candidates.best_throughput),
        }
    }
}

/// Where the tables lie, each with so many rows.
pub(super) fn of_best(rows: usize) -> [Layout; 3] {
    let mut title = FIRST;
    Goal::ALL.map(|_| {
        let layout = Layout::new(SUMMARY, KEYS, title + 1, rows);
        title = layout.last_row() + 2;
        layout
    })
}

/// The cell of the threshold, for formulas.
pub(super) fn threshold() -> String {
    on(SUMMARY, THRESHOLD, 1)
}

/// The cell of the position of the percentile, from 1 on.
pub(super) fn percentile_number() -> String {
    on(SUMMARY, PERCENTILE, helper())
}

/// The cell of the highest latency allowed.
pub(super) fn limit() -> String {
    on(SUMMARY, THRESHOLD, helper())
}

/// The first column of helpers.
pub(super) fn helper() -> u16 {
    (KEYS.len() - HELPERS.len()) as u16
}

/// Names of others, which no formula can gather.
const LEFT_OUT: &str = "equals";
/// What the chart marks.
pub(super) const MARKS: [&str; 2] = ["on_front", "sweet_spot"];
/// Columns of points that serve formulas.
pub(super) const POINT_HELPERS: [&str; 11] = [
    "model_number",
    "latency_p50_low",
    "latency_p50_high",
    "latency_p90_low",
    "latency_p90_high",
    "latency_p99_low",
    "latency_p99_high",
    "latency_from",
    "latency_to",
    "throughput_from",
    "throughput_to",
];

/// Key of the column of the values that the chart marks.
pub(super) fn mark(key: &str) -> String {
    format!("chart_{key}")
}

/// Columns of the report that the sheet has. What is of the percentile chosen stands behind
/// all three, whichever that is.
pub(super) fn shown(table: &Table) -> impl Iterator<Item = &TableColumn> {
    const CHOSEN: [&str; 3] = ["latency_ms", "latency_low_ms", "latency_high_ms"];
    let is_chosen = |column: &&TableColumn| CHOSEN.contains(&column.heading.key);
    let is_before = |column: &&TableColumn| column.heading.key != "throughput_per_second";
    let others = table.columns.iter().filter(move |column| !is_chosen(column));
    let before = others.clone().take_while(is_before);
    let behind = others.skip_while(is_before);
    let all = before.chain(table.columns.iter().filter(is_chosen)).chain(behind);
    all.filter(|column| column.heading.key != LEFT_OUT)
}

pub(super) fn of_points(table: &Table, points: usize) -> Layout {
    let keys = shown(table).map(|column| column.heading.key.to_string());
    let helpers = POINT_HELPERS.map(str::to_string);
    Layout::new(POINTS, keys.chain(MARKS.map(mark)).chain(helpers), 0, points)
}

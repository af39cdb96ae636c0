//! Operators that repeat under one name but for numbers, as one row.

pub(super) mod live;

use super::operators::{
    DEVICE_MEAN, DEVICE_SHARE, DEVICE_TOTAL, MEAN, NAME, NODE_TYPES, OPERATORS, OUTPUT_SHAPE,
    PATTERN, RATE, ROOF_BOUND, ROOF_SHARE, SUMS, TO_GAIN, TOTAL, of_clocks, shown_of_arithmetic,
    shown_of_device, sort, told, under_roofs,
};
use crate::content::selection::{Order, Selection};
use crate::document::{Cell, Table, Unit, columns};
use Unit::{Count, Milliseconds as Ms, Ratio, Text};
use onnxray_analyzer::Milliseconds;
use onnxray_analyzer::statistics::{FoldedRow, OperatorSummary, Outlier, PatternSummary, Summary};

/// A row of a folded table, and all operators.
pub(super) struct Row<'a> {
    pub(super) folded: FoldedRow<'a>,
    operators: &'a [OperatorSummary],
}

impl Row<'_> {
    /// A figure that only patterns have.
    fn of_pattern(&self, figure: impl Fn(&PatternSummary) -> Cell) -> Cell {
        self.folded.pattern().map_or(Cell::None, figure)
    }

    /// The time of one of its members.
    fn of_extreme(&self, pick: fn((u32, u32)) -> u32) -> Cell {
        self.of_pattern(|pattern| {
            let member = pattern.extremes.map(pick);
            let member = member.and_then(|number| self.operators.get(number as usize));
            member.map_or(Cell::Unknown, |one| {
                told(one, one.mean.or(one.total.map(Milliseconds::from)))
            })
        })
    }

    fn of_outlier(&self, figure: impl Fn(&Outlier) -> Cell) -> Cell {
        self.of_pattern(|pattern| pattern.outliers.first().map_or(Cell::None, &figure))
    }

    fn name_of(&self, number: u32) -> Cell {
        let operator = self.operators.get(number as usize);
        operator.map_or(Cell::Unknown, |one| Cell::text(&one.operator.name))
    }
}

columns! {
    /// What tables of patterns have beside the figures of operators.
    pub(super) fn of_members<'a>: Row<'a>;

    /// operators in it
    MEMBERS "Members" Count =
        |row| row.of_pattern(|pattern| Cell::Whole(pattern.members.len() as u64));
    /// time of one execution
    PER_EXECUTION "Per run ms" Ms =
        |row| Cell::milliseconds(row.folded.figures().per_execution());
    /// time of the fastest member
    FASTEST "Fastest ms" Ms = |row| row.of_extreme(|(least, _)| least);
    /// that of the slowest
    SLOWEST "Slowest ms" Ms = |row| row.of_extreme(|(_, most)| most);
    /// member that takes far longer
    OUTLIER "Outlier" Text = |row| row.of_outlier(|outlier| row.name_of(outlier.operator));
    /// its time / the members' median
    "outlier_factor" "Outlier factor" Ratio =
        |row| row.of_outlier(|outlier| Cell::number(outlier.factor));
    /// how many there are
    "outliers" "Outliers" Count =
        |row| row.of_pattern(|pattern| Cell::Whole(pattern.outliers.len() as u64));
}

pub(super) const MEMBERS: &str = "members";
pub(super) const KEY: &str = "patterns";
pub(super) const PER_EXECUTION: &str = "execution_ms";
const FASTEST: &str = "fastest_member_ms";
const SLOWEST: &str = "slowest_member_ms";
const OUTLIER: &str = "outlier";

/// Figures of operators that a table of patterns has.
const OF_OPERATORS: [&str; 31] = [
    PATTERN,
    NAME,
    "type",
    NODE_TYPES,
    "kernel",
    "executions",
    "calls",
    TOTAL,
    MEAN,
    "time_below_ms",
    "profiling_us",
    "time_low_ms",
    "time_high_ms",
    "time_median_ms",
    "time_p90_ms",
    "time_p99_ms",
    "share",
    DEVICE_TOTAL,
    DEVICE_MEAN,
    DEVICE_SHARE,
    "flops",
    RATE,
    ROOF_SHARE,
    ROOF_BOUND,
    TO_GAIN,
    "bytes",
    "parameters",
    "input_shapes",
    "output_shapes",
    OUTPUT_SHAPE,
    "weight_shape",
];

/// What members do not share, which a row of theirs does not say.
const OF_MEMBERS: [&str; 9] = [
    "number",
    "inputs",
    "outputs",
    "weight",
    "sparse_ratio_1x1",
    "sparse_ratio_4x1",
    "sparse_ratio_1x4",
    "sparse_ratio_1x16",
    "sparse_ratio_4x16",
];

/// Patterns and what does not repeat, in an order.
pub(super) fn rows(summary: &Summary, order: Order) -> Vec<Row<'_>> {
    let operators = summary.operators.as_slice();
    let rows = summary.folded_rows().into_iter();
    let mut rows: Vec<Row> = rows.map(|folded| Row { folded, operators }).collect();
    sort(&mut rows, order, |row| row.folded.figures());
    rows
}

/// The table of patterns alone, whose numbers operators have.
pub(super) fn patterns(summary: &Summary, selection: &Selection) -> Table {
    let mut rows = rows(summary, selection.order);
    rows.retain(|row| row.folded.pattern().is_some());
    let mut keys = OF_OPERATORS.to_vec();
    insert_behind(NAME, &[MEMBERS], &mut keys);
    insert_behind(MEAN, &[PER_EXECUTION, FASTEST, SLOWEST], &mut keys);
    keys.extend([OUTLIER, "outlier_factor", "outliers"]);
    let table = table((KEY, "Patterns"), &rows).only(&keys);
    shown(table, &rows, selection)
}

/// The table of operators, in which those that repeat are one row.
pub(super) fn folded(
    (key, title): (&'static str, &'static str),
    summary: &Summary,
    selection: &Selection,
) -> Table {
    let rows = rows(summary, selection.order);
    let mut keys: Vec<&str> = OPERATORS.iter().map(|column| column.key).collect();
    insert_behind(NAME, &[MEMBERS], &mut keys);
    insert_behind(MEAN, &[PER_EXECUTION, FASTEST, SLOWEST], &mut keys);
    keys.extend([OUTLIER, "outlier_factor", "outliers"]);
    let mut table = table((key, title), &rows).only(&keys);
    for key in OF_MEMBERS {
        let Some(column) = table.column(key) else { continue };
        let cells = column.cells.iter().zip(&rows).map(|(cell, row)| match row.folded {
            FoldedRow::Pattern(_) => Cell::None,
            FoldedRow::Operator(_) => cell.clone(),
        });
        let cells = cells.collect();
        table = table.with_cells(key, cells);
    }
    shown(table, &rows, selection)
}

/// All columns of operators, then those of patterns.
fn table((key, title): (&'static str, &'static str), rows: &[Row]) -> Table {
    let figures = rows.iter().map(|row| row.folded.figures());
    let mut table = Table::new(key, title, OPERATORS, figures);
    push_members(&mut table, rows);
    table
}

/// Adds what only patterns have.
pub(super) fn push_members(table: &mut Table, rows: &[Row]) {
    for column in of_members() {
        table.push_column(column.heading(), rows.iter().map(column.value));
    }
}

fn insert_behind(key: &str, more: &[&'static str], keys: &mut Vec<&'static str>) {
    let place = keys.iter().position(|known| *known == key).map_or(keys.len(), |at| at + 1);
    keys.splice(place..place, more.iter().copied());
}

/// What people see of it.
fn shown(table: Table, rows: &[Row], selection: &Selection) -> Table {
    let figures = || rows.iter().map(|row| row.folded.figures());
    let device = figures().find_map(|figures| figures.device);
    let has_roofs = figures().any(|figures| figures.roof.is_some());
    let mut keys = vec![NAME, MEMBERS, "type", "share", "flops", OUTPUT_SHAPE];
    keys.extend([FASTEST, SLOWEST]);
    match figures().any(|figures| figures.mean.is_some()) {
        true => {
            keys.extend([MEAN, PER_EXECUTION]);
            keys.extend(shown_of_arithmetic(has_roofs));
        }
        false => keys.extend(["calls", TOTAL, PER_EXECUTION]),
    }
    if figures().any(|figures| figures.operator.is_renamed()) {
        keys.push(NODE_TYPES);
    }
    if rows.iter().any(|row| row.folded.pattern().is_some_and(|one| !one.outliers.is_empty())) {
        keys.push(OUTLIER);
    }
    keys.extend(device.map_or(&[][..], shown_of_device));
    under_roofs(of_clocks(table.showing(&keys), device), has_roofs)
        .essential(&[NAME, MEMBERS, MEAN, TOTAL, "share", DEVICE_MEAN, DEVICE_TOTAL, DEVICE_SHARE])
        .summed_up(selection.rows, 0, &SUMS)
}

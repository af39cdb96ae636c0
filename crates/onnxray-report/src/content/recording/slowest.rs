//! The slowest operators, with what tells them apart at a glance.

use super::operators::{
    DEVICE_MEAN, DEVICE_SHARE, DEVICE_TOTAL, MEAN, MOSTLY, NAME, NUMBER, OPERATORS, OUTPUT_SHAPE,
    PROFILING_MOST, SHORT_HEADINGS, SUMS, TO_GAIN, TOTAL, node, of_clocks, rate_at_a_glance,
    shown_of_device, sort, sorted,
};
use crate::content::selection::{Order, Repeats, Selection};
use crate::document::Unit::{Count, Share};
use crate::document::{Cell, Heading, Table};
use onnxray_analyzer::statistics::{FoldedRow, OperatorSummary, PatternSummary, Summary};

/// Share of this operator and those above it.
pub(crate) const CUMULATIVE_SHARE: Heading = Heading::new(
    "cumulative_share",
    "Sum",
    Share,
    "share of this operator and of those that take more time",
);

/// How many operators a row sums up, in the words of a screen, which needs no heading.
const REPEATED: Heading =
    Heading::new("members", "", Count, "operators that repeat, summed up in the row");

/// The number by which a page finds a pattern.
const PATTERN_NUMBER: Heading = Heading::new("pattern", "Pattern", Count, "number of the pattern");

/// The first operators in an order, with what tells them apart at a glance; in the order of time,
/// with what they add up to. Where operators repeat, they are one row, unless they are wanted apart.
pub(crate) fn slowest(summary: &Summary, selection: &Selection) -> Table {
    let are_folded = selection.repeats == Repeats::Folded && !summary.patterns.is_empty();
    let mut rows = match are_folded {
        true => summary.folded_rows(),
        false => summary.operators.iter().map(FoldedRow::Operator).collect(),
    };
    sort(&mut rows, selection.order, |row| row.figures());
    let operators: Vec<&OperatorSummary> = rows.iter().map(|row| row.figures()).collect();
    let by_iteration = operators.iter().any(|summary| summary.mean.is_some());
    let time = if by_iteration { MEAN } else { TOTAL };
    let device = operators.iter().find_map(|summary| summary.device);
    let mut keys = vec![NAME, "type", OUTPUT_SHAPE, time, "share"];
    let has_roofs = operators.iter().any(|summary| summary.roof.is_some());
    keys.extend(device.map_or(&[][..], shown_of_device));
    keys.extend(rate_at_a_glance(has_roofs, device.is_some()));
    if has_roofs && selection.order == Order::Gain {
        keys.push(TO_GAIN);
    }
    let shown = operators.iter().take(selection.rows.unwrap_or(usize::MAX));
    if shown.clone().any(|summary| summary.profiling_most.is_some_and(|most| most.0 >= MOSTLY)) {
        keys.push(PROFILING_MOST);
    }
    let is_by_time = selection.order == Order::Time && operators.iter().any(|one| one.ran());
    let title = if is_by_time { "Slowest operators" } else { "Operators" };
    if operators.iter().all(|summary| summary.operator.operator_type.is_empty()) {
        // Traces without types would have an empty column.
        keys.retain(|key| *key != "type");
    }
    let mut sum = 0.0;
    let cumulative: Vec<Cell> = shown
        .map(|summary| {
            // From an unknown share on the sum is NaN, and so unknown.
            sum += summary.share.map_or(f64::NAN, |share| share.0);
            Cell::number(sum)
        })
        .collect();
    let nodes: Vec<Cell> = operators.iter().map(|summary| node(&summary.operator)).collect();
    let members: Vec<Cell> = rows.iter().map(|row| times(row.pattern())).collect();
    let mut table = of_clocks(Table::new("operators", title, OPERATORS, operators), device)
        .with_cells(NAME, nodes)
        .showing(&keys)
        .essential(&[NAME, time, "share", DEVICE_MEAN, DEVICE_TOTAL, DEVICE_SHARE]);
    if are_folded {
        table.push_column(REPEATED, members);
        keys.insert(1, REPEATED.key);
        table = table.essential(&[REPEATED.key]);
    }
    table = table.summed_up(selection.rows, 0, &SUMS);
    // Shares of two clocks do not add up in one order.
    if is_by_time && device.is_none() {
        table.push_column(CUMULATIVE_SHARE, cumulative);
        let behind = keys.iter().position(|key| *key == "share").map_or(0, |place| place + 1);
        keys.insert(behind, CUMULATIVE_SHARE.key);
    }
    table.only(&keys).headed(&SHORT_HEADINGS)
}

/// How often an operator repeats: `x40`.
fn times(pattern: Option<&PatternSummary>) -> Cell {
    pattern.map_or(Cell::None, |pattern| Cell::Text(format!("x{}", pattern.members.len())))
}

/// The slowest operators for a page, with the numbers by which it finds them among all; the same with
/// those that repeat as one row, if any do. None where no time is known.
pub(crate) fn slowest_on_page(summary: &Summary, rows: usize) -> Vec<Table> {
    if !summary.is_timed() {
        return Vec::new();
    }
    let selection = |repeats| Selection { rows: Some(rows), repeats, ..Selection::default() };
    let mut apart = slowest(summary, &selection(Repeats::Apart));
    apart.key = "slowest_operators";
    let numbers = sorted(&summary.operators, Order::Time).into_iter().map(NUMBER.value);
    apart.push_column(NUMBER.heading(), numbers.take(rows));
    let apart = apart.hiding(&[NUMBER.key]);
    if summary.patterns.is_empty() {
        return vec![apart];
    }
    let mut together = slowest(summary, &selection(Repeats::Folded));
    together.key = "slowest_patterns";
    let mut rows_of = summary.folded_rows();
    sort(&mut rows_of, Order::Time, |row| row.figures());
    let figures = || rows_of.iter().take(rows).map(|row| row.figures());
    let numbers: Vec<Cell> = figures().map(NUMBER.value).collect();
    let patterns = figures().map(|one| one.pattern.map_or(Cell::None, |of| Cell::Whole(of.into())));
    let patterns: Vec<Cell> = patterns.collect();
    together.push_column(NUMBER.heading(), numbers);
    together.push_column(PATTERN_NUMBER, patterns);
    let together = together.headed(&[(REPEATED.key, "Members")]);
    vec![apart, together.hiding(&[NUMBER.key, PATTERN_NUMBER.key])]
}

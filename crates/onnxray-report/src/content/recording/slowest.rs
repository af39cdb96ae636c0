//! The slowest operators, with what tells them apart at a glance.

use super::operators::{
    DEVICE_MEAN, DEVICE_SHARE, DEVICE_TOTAL, MEAN, MOSTLY, NAME, NUMBER, OPERATORS, OUTPUT_SHAPE,
    PROFILING_MOST, ROOF_SHARE, SUMS, TOTAL, node, of_clocks, shown_of_device, sorted,
};
use crate::content::selection::{Order, Selection};
use crate::document::Unit::Share;
use crate::document::{Cell, Heading, Table};
use onnxray_analyzer::statistics::OperatorSummary;

/// Share of this operator and those above it.
pub(crate) const CUMULATIVE_SHARE: Heading = Heading::new(
    "cumulative_share",
    "Sum",
    Share,
    "share of this operator and of those that take more time",
);

/// The first operators in an order, with what tells them apart at a glance; in the order of time,
/// with what they add up to.
pub(crate) fn slowest(summaries: &[OperatorSummary], selection: &Selection) -> Table {
    let operators = sorted(summaries, selection.order);
    let by_iteration = operators.iter().any(|summary| summary.mean.is_some());
    let time = if by_iteration { MEAN } else { TOTAL };
    let device = operators.iter().find_map(|summary| summary.device);
    let mut keys = vec![NAME, "type", OUTPUT_SHAPE, time, "share"];
    match device {
        Some(device) => keys.extend(shown_of_device(device)),
        None => keys.push("gflops_per_second"),
    }
    if operators.iter().any(|summary| summary.roof.is_some()) {
        keys.push(ROOF_SHARE);
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
    let mut table = of_clocks(Table::new("operators", title, OPERATORS, operators), device)
        .with_cells(NAME, nodes)
        .showing(&keys)
        .essential(&[NAME, time, "share", DEVICE_MEAN, DEVICE_TOTAL, DEVICE_SHARE])
        .summed_up(selection.rows, 0, &SUMS);
    // Shares of two clocks do not add up in one order.
    if is_by_time && device.is_none() {
        table.push_column(CUMULATIVE_SHARE, cumulative);
        let behind = keys.iter().position(|key| *key == "share").map_or(0, |place| place + 1);
        keys.insert(behind, CUMULATIVE_SHARE.key);
    }
    table.only(&keys)
}

/// The slowest operators for a page, with the numbers by which it finds them among all; `None`
/// where no time is known.
pub(crate) fn slowest_on_page(summaries: &[OperatorSummary], rows: usize) -> Option<Table> {
    summaries.iter().find(|summary| summary.ran())?;
    let selection = Selection { order: Order::Time, rows: Some(rows), ..Selection::default() };
    let mut table = slowest(summaries, &selection);
    table.key = "slowest_operators";
    let numbers = sorted(summaries, Order::Time).into_iter().map(NUMBER.value);
    table.push_column(NUMBER.heading(), numbers.take(rows));
    Some(table.hiding(&[NUMBER.key]))
}

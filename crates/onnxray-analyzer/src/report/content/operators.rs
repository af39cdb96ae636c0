//! The tables of operators: their times and facts, and their resources.

use super::summary::{Order, Selection};
use crate::report::table::{Cell, Table};
use crate::schema;
use crate::statistics::{Distribution, OperatorSummary, Summary};
use crate::units::Milliseconds;
use onnxray_format::{Block, Operator, Tensor};

/// A rate is unknown where the operations are, and nothing where there are none.
pub fn rate(rate: Option<f64>, flops: Option<f64>) -> Cell {
    match (rate, flops) {
        (Some(rate), _) => Cell::Number(rate),
        (None, Some(flops)) if flops <= 0.0 => Cell::None,
        _ => Cell::Unknown,
    }
}

/// The table of operators.
pub fn operators(summary: &Summary, selection: &Selection) -> Table {
    let mut operators = summary.operators.clone();
    sort(&mut operators, selection.order);
    let left_out = cut(&mut operators, selection.operators);
    let mut keys = vec!["number", "name", "type", "share", "flops", "weight_shape"];
    if operators.iter().any(|operator| operator.mean.is_some()) {
        keys.extend(["time_ms", "time_median_ms", "time_p90_ms", "gflops_per_second"]);
    } else {
        keys.extend(["calls", "total_ms", "kernel"]);
    }
    let rows = operators.iter().map(row).collect();
    let mut table = Table::new(&schema::OPERATORS, rows).showing(&keys);
    table.left_out = left_out;
    table
}

/// What the trace states about operators beyond times; `None` if it does not.
pub fn resources(summary: &Summary, selection: &Selection) -> Option<Table> {
    let figures = &summary.figures;
    if figures.figures.is_empty() {
        return None;
    }
    let known = |operator: &OperatorSummary| {
        let values = figures.values.get(operator.operator.number as usize);
        values.is_some_and(|values| values.iter().any(Option::is_some))
    };
    let mut operators = summary.operators.clone();
    operators.retain(known);
    sort(&mut operators, selection.order);
    let left_out = cut(&mut operators, selection.operators);
    let columns = schema::RESOURCES.columns;
    let position = |key: &str| figures.figures.iter().position(|figure| figure.key == key);
    let resources_of = |summary: &OperatorSummary| {
        let operator = &summary.operator;
        let values = figures.values.get(operator.number as usize);
        let cell = |key: &str| match key {
            "number" => Cell::Whole(u64::from(operator.number)),
            "name" => Cell::text(&operator.name),
            key => {
                let value = position(key).and_then(|at| values?.get(at).copied().flatten());
                Cell::number(value)
            }
        };
        columns.iter().map(|column| cell(column.key)).collect()
    };
    let rows = operators.iter().map(resources_of).collect();
    let shown: Vec<&str> = columns
        .iter()
        .map(|column| column.key)
        .filter(|&key| matches!(key, "number" | "name") || position(key).is_some())
        .collect();
    let mut table = Table::new(&schema::RESOURCES, rows).showing(&shown);
    table.left_out = left_out;
    Some(table)
}

pub fn sort(operators: &mut [OperatorSummary], order: Order) {
    let descending =
        |a: Option<f64>, b: Option<f64>| b.unwrap_or(-1.0).total_cmp(&a.unwrap_or(-1.0));
    match order {
        Order::Time => operators.sort_by(|a, b| b.weight().total_cmp(&a.weight())),
        Order::Execution => operators.sort_by_key(|operator| operator.operator.number),
        Order::Name => operators.sort_by(|a, b| a.operator.name.cmp(&b.operator.name)),
        Order::Flops => operators.sort_by(|a, b| descending(a.flops, b.flops)),
        Order::Bytes => operators.sort_by(|a, b| descending(a.bytes, b.bytes)),
    }
}

/// Shortens the list and says by how much.
pub fn cut(operators: &mut Vec<OperatorSummary>, most: Option<usize>) -> usize {
    let kept = most.unwrap_or(usize::MAX).min(operators.len());
    let left_out = operators.len() - kept;
    operators.truncate(kept);
    left_out
}

/// The cells of an operator, under the columns of [`schema::OPERATORS`].
pub fn row(summary: &OperatorSummary) -> Vec<Cell> {
    let operator = &summary.operator;
    let time = |pick: fn(&Distribution) -> Milliseconds| {
        Cell::number(summary.time.as_ref().map(|time| pick(time).0))
    };
    let weight = operator.weight.as_ref();
    let zero = |block: Block| match weight {
        Some(weight) => Cell::number(weight.sparse_ratio(block)),
        None => Cell::None,
    };
    let mut row = vec![
        Cell::Whole(u64::from(operator.number)),
        Cell::text(&operator.name),
        Cell::text(&operator.operator_type),
        Cell::some_text(operator.post_ops.join(", ")),
        operator.kernel.clone().map_or(Cell::Unknown, Cell::Text),
        Cell::number(summary.executions),
        Cell::whole(summary.calls),
        Cell::number(summary.total.map(|total| total.milliseconds())),
        Cell::number(summary.mean.map(|mean| mean.0)),
        Cell::number(summary.median.map(|median| median.0)),
        time(|t| t.p10),
        time(|t| t.p90),
        time(|t| t.p99),
        Cell::number(summary.extremes.map(|(least, _)| least.0)),
        Cell::number(summary.extremes.map(|(_, most)| most.0)),
        match (summary.time, summary.calls) {
            (Some(time), _) => Cell::Whole(time.count),
            (None, Some(0)) => Cell::Whole(0),
            (None, _) => Cell::Unknown,
        },
        Cell::number(summary.share.map(|share| share.0)),
        Cell::number(summary.flops),
        rate(summary.gflops_per_second, summary.flops),
        Cell::number(summary.bytes),
        Cell::whole(operator.parameters),
    ];
    row.extend(tensors(&operator.inputs));
    row.extend(tensors(&operator.outputs));
    row.push(weight.map_or(Cell::None, |weight| Cell::text(&weight.name)));
    row.push(weight.map_or(Cell::None, |weight| Cell::text(weight.matrix_shape())));
    row.extend(Block::ALL.map(zero));
    row.push(match (operator.sparse_support, operator.parameters) {
        (true, _) => Cell::text("yes"),
        (false, Some(_)) => Cell::text("no"),
        // Without the model nobody knows the weights.
        (false, None) => Cell::Unknown,
    });
    row.push(Cell::some_text(operator.nodes.join("; ")));
    row.push(parent(operator));
    let attributes = operator.attributes.iter().map(|(name, value)| format!("{name}={value}"));
    row.push(Cell::some_text(attributes.collect::<Vec<_>>().join("; ")));
    row
}

fn parent(operator: &Operator) -> Cell {
    operator.parent.map_or(Cell::None, |parent| Cell::text(format!("#{parent}")))
}

/// Names, element types and shapes.
fn tensors(tensors: &[Tensor]) -> [Cell; 3] {
    let join = |part: &dyn Fn(&Tensor) -> String| {
        Cell::some_text(tensors.iter().map(part).collect::<Vec<_>>().join("; "))
    };
    [
        join(&|tensor| tensor.name.clone()),
        join(&|tensor| tensor.type_text().to_string()),
        join(&|tensor| tensor.shape_text("x")),
    ]
}

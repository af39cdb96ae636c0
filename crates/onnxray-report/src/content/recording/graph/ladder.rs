//! Operators as a tree of modules, in the order of execution.

use crate::content::recording::operators::{
    DEVICE_MEAN, DEVICE_SHARE, DEVICE_TOTAL, MEAN, TOTAL, sorted,
};
use crate::content::selection::Order;
use crate::document::{Ladder, RungFigures};
use onnxray_analyzer::modules::{Row, sums, tree};
use onnxray_analyzer::statistics::{OperatorSummary, Summary};
use std::collections::HashMap;

/// With what repeats as one, where anything does, and with each operator for itself.
pub(crate) fn ladders(summary: &Summary) -> Vec<Ladder> {
    let operators = sorted(&summary.operators, Order::Execution);
    if operators.is_empty() {
        return Vec::new();
    }
    let names: Vec<&str> = operators.iter().map(|one| one.operator.name.as_str()).collect();
    let apart = names.iter().enumerate().map(|(at, &name)| Row { name, members: vec![at] });
    let apart = (false, apart.collect());
    let folded = (!summary.patterns.is_empty()).then(|| (true, folded(summary, &operators)));
    let rows = folded.into_iter().chain([apart]);
    rows.map(|(is_folded, rows)| ladder(&operators, &names, &rows, is_folded)).collect()
}

/// Patterns and what does not repeat, in the order of their first operators.
fn folded<'a>(summary: &'a Summary, operators: &[&OperatorSummary]) -> Vec<Row<'a>> {
    let places: HashMap<u32, usize> =
        operators.iter().enumerate().map(|(at, one)| (one.operator.number, at)).collect();
    let rows = summary.folded_rows().into_iter().map(|row| {
        let own = [row.figures().operator.number];
        let numbers = row.pattern().map_or(&own[..], |pattern| &pattern.members);
        let members = numbers.iter().filter_map(|number| places.get(number).copied()).collect();
        Row { name: &row.figures().operator.name, members }
    });
    let mut rows: Vec<Row> = rows.filter(|row| !row.members.is_empty()).collect();
    rows.sort_by_key(|row| row.members.iter().copied().min());
    rows
}

/// A column of operators, and what it holds of one.
type Figure = (&'static str, fn(&OperatorSummary) -> Option<f64>);

/// What is added up: time on devices where it is known, since the host waits for that; per
/// iteration where there are any.
const TIMES: [Figure; 4] = [
    (DEVICE_MEAN, |one| Some(one.device.as_ref()?.mean?.0)),
    (DEVICE_TOTAL, |one| Some(one.device.as_ref()?.total.milliseconds())),
    (MEAN, |one| Some(one.mean?.0)),
    (TOTAL, |one| Some(one.total?.milliseconds())),
];
const OF_HOST: Figure = ("share", |one| Some(one.share?.0));
const OF_DEVICE: Figure = (DEVICE_SHARE, |one| Some(one.device.as_ref()?.share?.0));

fn ladder(operators: &[&OperatorSummary], names: &[&str], rows: &[Row], folded: bool) -> Ladder {
    let nodes = tree(names, rows);
    let is_known = |(_, figure): &Figure| operators.iter().any(|one| figure(one).is_some());
    let time = TIMES.into_iter().find(is_known);
    let on_device = time.is_some_and(|(key, _)| [DEVICE_MEAN, DEVICE_TOTAL].contains(&key));
    let (share_key, share) = if on_device { OF_DEVICE } else { OF_HOST };
    let added = |figure: fn(&OperatorSummary) -> Option<f64>| {
        sums(&nodes, |at| operators.get(at).and_then(|one| figure(one)))
    };
    let figures = RungFigures::Times {
        value_key: time.map(|(key, _)| key),
        share_key,
        value: time.map_or(vec![None; nodes.len()], |(_, figure)| added(figure)),
        share: added(share),
        flops: added(|one| one.flops),
    };
    Ladder::new("operators", folded, nodes, figures)
}

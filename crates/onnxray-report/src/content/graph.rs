//! Which operators read what others write, by the names of their tensors.

use super::operators::sorted;
use super::selection::Order;
use crate::document::Graph;
use onnxray_analyzer::statistics::{OperatorSummary, Summary};
use std::collections::{BTreeSet, HashMap};

/// Operators that write a tensor, by the operator in whose body they run and its name.
type Writers<'a> = HashMap<(Option<u32>, &'a str), Vec<usize>>;

/// The edges between rows of the table of operators in the order of execution; `None` where no
/// tensor leads from one to another.
pub(crate) fn graph(summary: &Summary) -> Option<Graph> {
    let operators = sorted(&summary.operators, Order::Execution);
    let mut writers = Writers::new();
    for (row, OperatorSummary { operator, .. }) in operators.iter().enumerate() {
        for tensor in operator.outputs.iter().filter(|tensor| !tensor.name.is_empty()) {
            writers.entry((operator.parent, &tensor.name)).or_default().push(row);
        }
    }
    let parents: HashMap<u32, Option<u32>> =
        operators.iter().map(|row| (row.operator.number, row.operator.parent)).collect();
    let mut edges = BTreeSet::new();
    for (row, OperatorSummary { operator, .. }) in operators.iter().enumerate() {
        for tensor in &operator.inputs {
            let found = written(&writers, &parents, operator.parent, &tensor.name);
            let others = found.iter().filter(|&&writer| writer != row);
            edges.extend(others.map(|&writer| (writer as u32, row as u32)));
        }
    }
    let (from, to) = edges.into_iter().unzip();
    let graph = Graph { table: "operators", from, to };
    (!graph.from.is_empty()).then_some(graph)
}

/// Who writes a tensor that is read in a body: operators of that body, or of one around it.
fn written<'a>(
    writers: &'a Writers,
    parents: &HashMap<u32, Option<u32>>,
    body: Option<u32>,
    tensor: &'a str,
) -> &'a [usize] {
    let mut body = body;
    // No body is deeper than there are operators, whatever a trace claims.
    for _ in 0..=parents.len() {
        if let Some(found) = writers.get(&(body, tensor)) {
            return found;
        }
        match body.and_then(|parent| parents.get(&parent)) {
            Some(&around) => body = around,
            None => break,
        }
    }
    &[]
}

//! Which operators read what others write, by the names of their tensors.

mod ladder;

pub(crate) use ladder::ladders;

use super::operators::sorted;
use crate::content::selection::Order;
use crate::document::Graph;
use onnxray_analyzer::statistics::{OperatorSummary, Summary};
use std::collections::{BTreeSet, HashMap};

/// This many operators that write one tensor may all be where its reader has it from. A tensor of
/// ONNX has one, or one in each branch; of more, it is the last before the reader.
const MOST_WRITERS: usize = 8;

/// Nesting depth up to which bodies are followed.
const DEEPEST: usize = 64;

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
    // A tensor may be read twice: an edge is listed once.
    let mut edges = BTreeSet::new();
    for (row, OperatorSummary { operator, .. }) in operators.iter().enumerate() {
        for tensor in &operator.inputs {
            let mut found = written(&writers, &parents, operator.parent, &tensor.name);
            if found.len() > MOST_WRITERS {
                // Rows are ascending, as they were pushed.
                let before = found.partition_point(|&writer| writer < row);
                found = &found[before.saturating_sub(1)..before];
            }
            // What is computed in place has no edge to itself.
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
    // Whatever a trace claims.
    for _ in 0..=DEEPEST {
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

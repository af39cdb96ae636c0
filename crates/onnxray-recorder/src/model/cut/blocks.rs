//! The nodes between two cuts, as an operator.

use super::places::Cut;
use crate::model::cost::flops::{flops, is_contraction};
use crate::model::describe::{Group, bytes, describe};
use crate::model::file::OnnxFile;
use crate::model::graph::Node;
use crate::model::tensor_table::TensorTable;
use onnxray_format::Operator;
use std::collections::HashMap;

/// A row for each block: what is before the first cut, between two, and behind the last.
pub(crate) fn blocks(file: &OnnxFile, tensors: &TensorTable, cuts: &[Cut]) -> Vec<Operator> {
    let graph = &file.graph;
    let ends = cuts.iter().map(|cut| cut.end).chain([graph.nodes.len()]);
    let mut begin = 0;
    let mut rows = Vec::new();
    for (number, end) in ends.enumerate() {
        let folded = |position: usize| graph.folded.get(position).copied().unwrap_or_default();
        let nodes: Vec<&Node> =
            (begin..end).filter(|&position| !folded(position)).map(|at| &graph.nodes[at]).collect();
        begin = end;
        let Some(&naming) = nodes.iter().max_by_key(|node| flops(node, tensors).unwrap_or(0))
        else {
            continue;
        };
        let contractions = nodes.iter().filter(|node| is_contraction(&node.operator_type)).count();
        let mut row = Operator {
            number: number as u32,
            name: name(&nodes),
            operator_type: naming.operator_type.clone(),
            block: true,
            ..Operator::default()
        };
        let group = Group { naming, nodes, graph, tensors, runs: 1 };
        row.flops = group.flops();
        describe(&mut row, &group, &file.elements());
        row.post_ops.clear();
        row.bytes = bytes(&row, Some(graph), 1);
        if contractions != 1 {
            // Of several products, none is the block's.
            (row.weight, row.sparse_support) = (None, false);
        }
        rows.push(row);
    }
    tell_apart(&mut rows);
    rows
}

/// The common part of the nodes' names, and what it goes on with: `/layer.0/attention..output`.
fn name(nodes: &[&Node]) -> String {
    let (first, last) = match nodes {
        [] => return String::new(),
        [only] => return only.name.clone(),
        [first, .., last] => (&first.name, &last.name),
    };
    let parts = |name: &'_ str| -> Vec<String> { name.split('/').map(str::to_string).collect() };
    let names: Vec<Vec<String>> = nodes.iter().map(|node| parts(&node.name)).collect();
    let shortest = names.iter().map(Vec::len).min().unwrap_or(0);
    let common = (0..shortest).take_while(|&at| names.iter().all(|own| own[at] == names[0][at]));
    let common = common.count();
    let [first, last] = [first, last].map(|name| parts(name));
    let stem = first[..common].join("/");
    // A name without parts, or one that is the part of another.
    let next = |own: &[String]| own.get(common).cloned().unwrap_or_default();
    let (from, to) = (next(&first), next(&last));
    let range = if from == to { from } else { format!("{from}..{to}") };
    if common == 0 { range } else { format!("{stem}/{range}") }
}

/// Adds a number to names that several blocks have.
fn tell_apart(rows: &mut [Operator]) {
    let mut seen: HashMap<String, u32> = HashMap::new();
    for row in rows {
        let count = seen.entry(row.name.clone()).or_default();
        *count += 1;
        if *count > 1 {
            row.name = format!("{} #{count}", row.name);
        }
    }
}

//! The nodes behind the operators of ONNX Runtime's profiles, which name no tensors.

use super::model_nodes::ModelNodes;
use crate::origins::{Call, ExecutedNode, ModelGraph, ModelNode, origins};
use onnxray_format::Operator;
use std::collections::{BTreeSet, HashMap, HashSet};

/// By operator: the positions of its nodes.
pub(super) fn nodes_of(operators: &[Operator], model: &ModelNodes) -> Vec<BTreeSet<usize>> {
    let mut found = vec![BTreeSet::new(); operators.len()];
    let inside = |table: &[Operator]| -> HashMap<Option<u32>, Vec<usize>> {
        let mut by_holder: HashMap<Option<u32>, Vec<usize>> = HashMap::new();
        for (position, operator) in table.iter().enumerate() {
            by_holder.entry(operator.parent).or_default().push(position);
        }
        by_holder
    };
    let (executed_in, nodes_in) = (inside(operators), inside(&model.nodes));
    let mut graphs: Vec<(Option<u32>, Option<u32>)> = vec![(None, None)];
    let mut seen = BTreeSet::new();
    // A body is known by the node that holds it.
    while let Some((holder, node)) = graphs.pop() {
        let (Some(executed), Some(nodes)) = (executed_in.get(&holder), nodes_in.get(&node)) else {
            continue;
        };
        if !seen.insert(holder) {
            continue;
        }
        let calls = calls_in(nodes, model);
        let graph = ModelGraph {
            nodes: nodes.iter().map(|&node| model_node(model, node)).collect(),
            calls: &calls,
            ..ModelGraph::default()
        };
        let ran: Vec<ExecutedNode> =
            executed.iter().map(|&at| executed_node(&operators[at])).collect();
        for (&operator, origin) in executed.iter().zip(origins(&graph, &ran)) {
            found[operator].extend(origin.nodes.iter().map(|&node| nodes[node]));
            let holds = origin.nodes.iter().map(|&node| nodes[node] as u32);
            graphs.extend(holds.map(|node| (Some(operator as u32), Some(node))));
        }
    }
    found
}

/// The calls that some of the nodes stand in place of.
fn calls_in(nodes: &[usize], model: &ModelNodes) -> Vec<Call> {
    if model.calls.is_empty() {
        return Vec::new();
    }
    let names = nodes.iter().map(|&node| model.nodes[node].name.as_str());
    let paths = names.flat_map(|name| name.match_indices('/').map(|(at, _)| &name[..at]));
    let paths: HashSet<&str> = paths.collect();
    let mut calls = model.calls.clone();
    calls.retain(|call| paths.contains(call.path.as_str()));
    calls
}

fn model_node(model: &ModelNodes, position: usize) -> ModelNode<'_> {
    let node = &model.nodes[position];
    ModelNode {
        name: &node.name,
        operator_type: &node.operator_type,
        inputs: node.inputs.iter().map(|tensor| tensor.name.as_str()).collect(),
        captured: Vec::new(),
        outputs: node.outputs.iter().map(|tensor| tensor.name.as_str()).collect(),
        // Shapes and indices are not among the inputs: no two nodes are known to be the same.
        attributes: node.name.clone(),
        is_constant: model.constant.get(position).copied().unwrap_or_default(),
        has_bodies: false,
    }
}

/// Where nodes have no names, older versions state none.
fn executed_node(operator: &Operator) -> ExecutedNode<'_> {
    ExecutedNode {
        name: operator.nodes.first().unwrap_or(&operator.name),
        operator_type: &operator.operator_type,
        operands: operator.inputs.len(),
        ..ExecutedNode::default()
    }
}

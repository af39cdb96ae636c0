//! Which ONNX nodes an executed node computes, by the graph that the runtime saved.

use super::executed::Executed;
use super::executed_node::ExecutedNode;
use crate::model::describe::naming_node;
use crate::model::graph::{Attribute, Graph};
use onnxray_import::origins::{self, Helps, ModelGraph, ModelNode, OwnNames};

/// The nodes of the model that an executed node stands for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Origin {
    /// Positions of the nodes that it computes, in graph order.
    pub(super) nodes: Vec<usize>,
    /// The node that gives it its name, which need not be among them.
    pub(super) named_after: Option<usize>,
    /// Whether it is one of several that a node was replaced by.
    pub(super) is_part: bool,
}

/// The origin of each of the executed nodes `numbers`, which compute `graph`.
pub(super) fn origins(graph: &Graph, executed: &Executed, numbers: &[usize]) -> Vec<Origin> {
    let nodes: Vec<origins::ExecutedNode> =
        numbers.iter().map(|&number| candidate(executed, &executed.nodes[number])).collect();
    let found = origins::origins(&model_graph(graph), &nodes);
    let naming = |origin: &origins::Origin| match origin.nodes.is_empty() {
        false => Some(naming_node(graph, &origin.nodes, origin.named_after)),
        true => None,
    };
    // A helper has no node of its own: its row is named after the one that it helps.
    let helped = |helps: &Helps| match *helps {
        Helps::Node(node) => Some(node),
        Helps::Executed(position) => naming(&found[position]),
    };
    let origin = |origin: &origins::Origin| Origin {
        nodes: origin.nodes.clone(),
        named_after: naming(origin).or_else(|| origin.helps.as_ref().and_then(helped)),
        is_part: origin.is_part,
    };
    found.iter().map(origin).collect()
}

/// Names of the executed nodes `numbers` and their tensors, as `graph` has them.
pub(super) fn own_names<'a>(
    graph: &'a Graph,
    executed: &'a Executed,
    numbers: &[usize],
) -> Vec<OwnNames<'a>> {
    let nodes: Vec<origins::ExecutedNode> =
        numbers.iter().map(|&number| candidate(executed, &executed.nodes[number])).collect();
    origins::own_names(&model_graph(graph), &nodes)
}

fn model_graph(graph: &Graph) -> ModelGraph<'_> {
    let nodes = graph.nodes.iter().zip(&graph.folded).map(|(node, &is_constant)| ModelNode {
        name: &node.name,
        operator_type: &node.operator_type,
        inputs: texts(&node.inputs),
        captured: node.bodies.iter().flat_map(|(_, body)| texts(&body.captured)).collect(),
        outputs: texts(&node.outputs),
        attributes: format!("{:?}", node.attributes),
        is_constant,
        has_bodies: !node.bodies.is_empty(),
    });
    let own = graph.constants.own.iter().filter(|(_, constant)| constant.is_parameter());
    ModelGraph {
        nodes: nodes.collect(),
        calls: &graph.calls,
        weights: own.map(|(name, _)| name.as_str()).collect(),
    }
}

fn texts(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

/// The attribute of a convolution that applies an activation itself.
const ACTIVATION: &str = "activation";

/// An executed node, as its graph was saved.
fn candidate<'a>(executed: &'a Executed, node: &'a ExecutedNode) -> origins::ExecutedNode<'a> {
    let saved = executed.saved(node);
    // Where the runtime gave none, it is ours, and another node of the model may have it.
    let is_named = saved.is_none_or(|saved| saved.is_named);
    origins::ExecutedNode {
        name: if is_named { &node.name } else { "" },
        operator_type: &node.operator_type,
        inputs: saved.map_or(Vec::new(), |saved| texts(&saved.inputs)),
        outputs: saved.map_or(Vec::new(), |saved| texts(&saved.outputs)),
        operands: node.inputs.len(),
        activation: match saved.and_then(|saved| saved.attributes.get(ACTIVATION)) {
            Some(Attribute::Text(activation)) => Some(activation),
            _ => None,
        },
    }
}

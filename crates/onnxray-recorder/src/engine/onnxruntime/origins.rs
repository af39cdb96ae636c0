//! Which ONNX nodes an executed node computes.
//!
//! The runtime keeps names of nodes and of tensors where it can:
//!
//! ```text
//!   ONNX        Conv ─t─▶ Clip ─u─▶ …        MatMul ─v─▶ Add ─w─▶ …
//!   executed   [ Conv, named u_nchwc ]      [ Gemm, which writes w ]
//! ```
//!
//! 1. A node belongs to the executed one of its name, or the one that a layout with blocks
//!    of channels named after its result.
//! 2. A product or convolution belongs to the executed one that reads its weight.
//! 3. Any other node belongs to the executed one that writes its result.
//! 4. A convolution with a fourth operand adds it, and one with an activation applies it:
//!    the nodes behind it that do so belong to it.
//! 5. What remains was fused: it belongs to the executed node that a consumer of its result
//!    belongs to, or else to that of its producer; what quantizes a result, the other way
//!    round. A node that does what another one does was merged with it, and a constant was
//!    folded: these belong to none.
//!
//! An executed node without a node of its own, such as a change of layout, helps another.

use super::executed::{Executed, ExecutedNode};
use crate::model::describe::naming_node;
use crate::model::flops::is_contraction;
use crate::model::graph::{Attribute, Graph};
use std::collections::{HashMap, HashSet};

/// What the runtime puts behind the name of a result that it computes in another layout.
const BLOCKED_LAYOUT: &str = "_nchwc";

/// Where an executed node comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Origin {
    /// Positions of the nodes that it computes, in graph order.
    pub(super) nodes: Vec<usize>,
    /// The node that gives it its name, which need not be among them.
    pub(super) named_after: Option<usize>,
}

/// Where each of the executed nodes `numbers` comes from, which compute `graph`.
pub(super) fn origins(graph: &Graph, executed: &Executed, numbers: &[usize]) -> Vec<Origin> {
    let nodes: Vec<Candidate> =
        numbers.iter().map(|&number| Candidate::new(executed, &executed.nodes[number])).collect();
    let owners = owners(graph, &nodes);
    let mut origins = vec![Origin::default(); nodes.len()];
    for (node, owner) in owners.iter().enumerate() {
        if let Some(owner) = owner {
            origins[*owner].nodes.push(node);
        }
    }
    for (origin, node) in origins.iter_mut().zip(&nodes) {
        let own = graph.names.get(node.name).copied();
        origin.named_after = match origin.nodes.is_empty() {
            false => Some(naming_node(graph, &origin.nodes, own)),
            true => None,
        };
    }
    let tensors = Tensors::of(&nodes);
    let helpers = Helpers { graph, nodes: &nodes, origins: &origins, owners: &owners, tensors };
    let helped: Vec<Option<usize>> = (0..nodes.len())
        .map(|position| origins[position].named_after.or_else(|| helpers.helped(position)))
        .collect();
    for (origin, named_after) in origins.iter_mut().zip(helped) {
        origin.named_after = named_after;
    }
    origins
}

/// What makes a number of 8 bits one of 32, which a product or convolution may do itself.
const DEQUANTIZE: &str = "DequantizeLinear";
/// The other way round.
const QUANTIZE: &str = "QuantizeLinear";

/// The attribute of a convolution that applies an activation itself.
const ACTIVATION: &str = "activation";

/// An executed node, as its graph was saved.
struct Candidate<'a> {
    name: &'a str,
    operator_type: &'a str,
    inputs: &'a [String],
    outputs: &'a [String],
    /// Type of the activation that it applies itself.
    activation: Option<&'a str>,
}

impl<'a> Candidate<'a> {
    fn new(executed: &'a Executed, node: &'a ExecutedNode) -> Candidate<'a> {
        let saved = executed.saved(node);
        Candidate {
            name: &node.name,
            operator_type: &node.operator_type,
            inputs: saved.map_or(&[], |saved| &saved.inputs),
            outputs: saved.map_or(&[], |saved| &saved.outputs),
            activation: match saved.and_then(|saved| saved.attributes.get(ACTIVATION)) {
                Some(Attribute::Text(activation)) => Some(activation),
                _ => None,
            },
        }
    }
}

/// The position of the executed node that each node belongs to.
fn owners(graph: &Graph, nodes: &[Candidate]) -> Vec<Option<usize>> {
    let mut owners: Vec<Option<usize>> = vec![None; graph.nodes.len()];
    let mut own = |node: Option<&usize>, position: usize| {
        if let Some(owner) = node.and_then(|&node| owners.get_mut(node)) {
            owner.get_or_insert(position);
        }
    };
    for (position, node) in nodes.iter().enumerate() {
        own(graph.names.get(node.name), position);
        if let Some(result) = node.name.strip_suffix(BLOCKED_LAYOUT) {
            own(graph.producers.get(result), position);
        }
    }
    let weights = weights(graph);
    for (position, node) in nodes.iter().enumerate() {
        if node.operator_type != DEQUANTIZE {
            node.inputs.iter().for_each(|input| own(weights.get(input.as_str()), position));
        }
    }
    for (position, node) in nodes.iter().enumerate() {
        node.outputs.iter().for_each(|output| own(graph.producers.get(output), position));
    }
    for (position, node) in nodes.iter().enumerate() {
        own_behind_convolution(graph, node, position, &mut owners);
    }
    let twins = twins(graph);
    let is_gone = |node: usize, owners: &[Option<usize>]| {
        let twin = twins[node];
        graph.folded[node] || twin != node && owners[twin].is_some()
    };
    let quantizes = |node: &usize| graph.nodes[*node].operator_type == QUANTIZE;
    let from_producers = |node: usize, owners: &mut [Option<usize>]| {
        if owners[node].is_none() && !is_gone(node, owners) {
            let operands = graph.nodes[node].inputs.iter();
            let producers = operands.filter_map(|operand| graph.producers.get(operand));
            owners[node] = producers.copied().find_map(|producer| owners[producer]);
        }
    };
    (0..graph.nodes.len()).filter(quantizes).for_each(|node| from_producers(node, &mut owners));
    for node in (0..graph.nodes.len()).rev() {
        if owners[node].is_none() && !is_gone(node, &owners) {
            let results = graph.nodes[node].outputs.iter();
            let consumers = results.filter_map(|result| graph.consumers.get(result)).flatten();
            owners[node] = consumers.copied().find_map(|consumer| owners[consumer]);
        }
    }
    (0..graph.nodes.len()).for_each(|node| from_producers(node, &mut owners));
    owners
}

/// Gives a convolution the sum and the activation that it does itself.
fn own_behind_convolution(
    graph: &Graph,
    node: &Candidate,
    position: usize,
    owners: &mut [Option<usize>],
) {
    let adds = node.inputs.get(3).is_some_and(|operand| !operand.is_empty());
    let types: Vec<&str> = adds.then_some("Add").into_iter().chain(node.activation).collect();
    if types.is_empty() || !node.operator_type.contains("Conv") {
        return;
    }
    let is_own = |&at: &usize| {
        owners[at] == Some(position) && graph.nodes[at].operator_type.contains("Conv")
    };
    let Some(mut last) = (0..graph.nodes.len()).rev().find(is_own) else { return };
    for operator_type in types {
        let result = graph.nodes[last].outputs.first();
        let Some([behind]) =
            result.and_then(|result| graph.consumers.get(result)).map(Vec::as_slice)
        else {
            return;
        };
        if graph.nodes[*behind].operator_type != operator_type {
            return;
        }
        owners[*behind].get_or_insert(position);
        last = *behind;
    }
}

/// The product or convolution that reads each constant, itself or dequantized, where it is
/// the only one.
fn weights(graph: &Graph) -> HashMap<&str, usize> {
    let mut readers: HashMap<&str, Option<usize>> = HashMap::new();
    let mut read = |name: &'_ String, node: usize| {
        let constant = graph.constants.own.get_key_value(name);
        if let Some((name, _)) = constant.filter(|(_, constant)| constant.is_parameter()) {
            let reader = readers.entry(name.as_str()).or_insert(Some(node));
            *reader = reader.filter(|&reader| reader == node);
        }
    };
    for (position, node) in graph.nodes.iter().enumerate() {
        if !is_contraction(&node.operator_type) {
            continue;
        }
        for operand in &node.inputs {
            read(operand, position);
            let producer = graph.producers.get(operand).map(|&producer| &graph.nodes[producer]);
            if let Some(producer) = producer.filter(|node| node.operator_type == DEQUANTIZE) {
                producer.inputs.iter().for_each(|input| read(input, position));
            }
        }
    }
    readers.into_iter().filter_map(|(name, reader)| Some((name, reader?))).collect()
}

/// For each node the first one that computes the same of the same, mostly itself.
fn twins(graph: &Graph) -> Vec<usize> {
    let mut first: HashMap<(&str, Vec<String>, String), usize> = HashMap::new();
    let mut result_of: HashMap<&str, String> = HashMap::new();
    let mut twins = Vec::with_capacity(graph.nodes.len());
    for (position, node) in graph.nodes.iter().enumerate() {
        let same = |name: &String| result_of.get(name.as_str()).unwrap_or(name).clone();
        let operands = node.inputs.iter().map(same).collect();
        let key = (node.operator_type.as_str(), operands, format!("{:?}", node.attributes));
        let twin = match node.bodies.is_empty() {
            true => *first.entry(key).or_insert(position),
            false => position,
        };
        for (own, other) in node.outputs.iter().zip(&graph.nodes[twin].outputs) {
            result_of.insert(own, other.clone());
        }
        twins.push(twin);
    }
    twins
}

/// The executed nodes that read and write each tensor.
struct Tensors<'a> {
    readers: HashMap<&'a str, Vec<usize>>,
    writers: HashMap<&'a str, Vec<usize>>,
}

impl<'a> Tensors<'a> {
    fn of(nodes: &[Candidate<'a>]) -> Tensors<'a> {
        let mut tensors = Tensors { readers: HashMap::new(), writers: HashMap::new() };
        for (position, node) in nodes.iter().enumerate() {
            for input in node.inputs.iter().filter(|name| !name.is_empty()) {
                tensors.readers.entry(input).or_default().push(position);
            }
            for output in node.outputs.iter().filter(|name| !name.is_empty()) {
                tensors.writers.entry(output).or_default().push(position);
            }
        }
        tensors
    }

    fn behind(&self, node: &Candidate) -> Vec<usize> {
        let readers = node.outputs.iter().filter_map(|name| self.readers.get(name.as_str()));
        readers.flatten().copied().collect()
    }

    fn before(&self, node: &Candidate) -> Vec<usize> {
        let writers = node.inputs.iter().filter_map(|name| self.writers.get(name.as_str()));
        writers.flatten().copied().collect()
    }
}

/// Where helpers get their names from.
struct Helpers<'a> {
    graph: &'a Graph,
    nodes: &'a [Candidate<'a>],
    origins: &'a [Origin],
    owners: &'a [Option<usize>],
    tensors: Tensors<'a>,
}

impl Helpers<'_> {
    /// The node that an executed node without a node of its own helps.
    fn helped(&self, helper: usize) -> Option<usize> {
        let node = &self.nodes[helper];
        let behind = |position: usize| self.tensors.behind(&self.nodes[position]);
        let before = |position: usize| self.tensors.before(&self.nodes[position]);
        self.by_name(node)
            .or_else(|| self.by_result(node))
            .or_else(|| self.nearest(helper, behind))
            .or_else(|| self.nearest(helper, before))
    }

    /// `/conv/MatMulScaleFusion/`, `x_DequantizeLinear/duplicated`
    fn by_name(&self, node: &Candidate) -> Option<usize> {
        let cuts = node.name.rmatch_indices(['/', '_']).map(|(at, _)| &node.name[..at]);
        cuts.filter_map(|name| self.graph.names.get(name)).next().copied()
    }

    fn by_result(&self, node: &Candidate) -> Option<usize> {
        let producers = node.outputs.iter().filter_map(|name| self.graph.producers.get(name));
        producers.copied().find(|&producer| self.owners[producer].is_some())
    }

    /// What names the nearest executed node that has a name, going from neighbour to
    /// neighbour.
    fn nearest(&self, start: usize, neighbours: impl Fn(usize) -> Vec<usize>) -> Option<usize> {
        let mut reached = HashSet::from([start]);
        let mut front = vec![start];
        while !front.is_empty() {
            let named = front.iter().find_map(|&position| self.origins[position].named_after);
            if named.is_some() {
                return named;
            }
            let next = front.iter().flat_map(|&position| neighbours(position));
            front = next.filter(|&position| reached.insert(position)).collect();
        }
        None
    }
}

//! Which nodes of a model each node computes that ONNX Runtime executed: the one way to say
//! so, for what our recorder runs and for the profiles of others.
//!
//! The runtime keeps names of nodes and of tensors where it can:
//!
//! ```text
//!   ONNX        Conv ─t─▶ Clip ─u─▶ …        MatMul ─v─▶ Add ─w─▶ …
//!   executed   [ Conv, named u_nchwc ]      [ Gemm, which writes w ]
//! ```
//!
//! 1. A node belongs to the executed one of its name ([`names`]), and so do those in front of
//!    it, up to the one that has the type of what ran.
//! 2. A product or convolution belongs to the executed one that reads its weight.
//! 3. Any other node belongs to the executed one that writes its result.
//! 4. The activation and the sum behind a convolution belong to it, where it has them.
//! 5. What remains was fused ([`fused`]).
//!
//! A profile knows no tensors: there, rules 2 and 3 find nothing. An executed node without a
//! node of its own, such as a change of layout, helps another.

mod functions;
mod fused;
mod helped;
mod names;
mod owners;

pub use functions::OwnNames;
use functions::Places;
use helped::Helpers;
use owners::Owners;
use std::collections::{HashMap, HashSet};

/// A call of a model-local function, whose nodes stand in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// What the names of its nodes and tensors begin with, before a `/`.
    pub path: String,
    /// Name of the function.
    pub function: String,
}

/// A graph of a model: its own, or a body.
#[derive(Debug, Default)]
pub struct ModelGraph<'a> {
    /// In an order in which they can be computed.
    pub nodes: Vec<ModelNode<'a>>,
    /// The calls that nodes stand in place of, in their order.
    pub calls: &'a [Call],
    /// Constants that may be weights.
    pub weights: HashSet<&'a str>,
}

/// A node of a model.
#[derive(Clone, Debug, Default)]
pub struct ModelNode<'a> {
    /// Unique in its model.
    pub name: &'a str,
    /// Its ONNX op type.
    pub operator_type: &'a str,
    /// Empty for those left out.
    pub inputs: Vec<&'a str>,
    /// What its bodies read of the graph around them.
    pub captured: Vec<&'a str>,
    /// Empty for those left out.
    pub outputs: Vec<&'a str>,
    /// As a text, so that nodes that do the same can be found.
    pub attributes: String,
    /// Whether its result is the same for all inputs, so that the runtime may compute it once.
    pub is_constant: bool,
    /// Whether it runs graphs of its own.
    pub has_bodies: bool,
}

/// A node that the runtime executed.
#[derive(Clone, Debug, Default)]
pub struct ExecutedNode<'a> {
    /// As the runtime calls it; empty where it does not.
    pub name: &'a str,
    /// The type of what ran.
    pub operator_type: &'a str,
    /// Names of its tensors, empty for those left out; none where they are not known.
    pub inputs: Vec<&'a str>,
    /// The same of those that it writes.
    pub outputs: Vec<&'a str>,
    /// How many inputs it has.
    pub operands: usize,
    /// The type of the activation that it applies itself; `None` where that is not known.
    pub activation: Option<&'a str>,
}

/// Where an executed node comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// Positions of the nodes that it computes, in the model's order.
    pub nodes: Vec<usize>,
    /// The one of them that the runtime named it after.
    pub named_after: Option<usize>,
    /// Without nodes: what it helps.
    pub helps: Option<Helps>,
    /// Whether it is one of several that the runtime computes a node of ONNX by.
    pub is_part: bool,
}

/// What an executed node without a node of its own helps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Helps {
    /// A node of the model, by position.
    Node(usize),
    /// An executed node that has nodes, by position.
    Executed(usize),
}

/// Where each of the `executed` nodes comes from, which stand in the order in which they run.
pub fn origins(graph: &ModelGraph, executed: &[ExecutedNode]) -> Vec<Origin> {
    let index = Index::new(graph);
    let places = Places::new(graph, &index, executed);
    let own: Vec<OwnNames> = executed.iter().map(|node| places.own_names(node)).collect();
    let executed: Vec<ExecutedNode> =
        own.iter().zip(executed).map(|(own, node)| own.as_executed(node)).collect();
    let named = names::named(graph, &index, &places, &executed);
    let owners = Owners::find(graph, &index, &executed, &named);
    let mut origins = vec![Origin::default(); executed.len()];
    for (node, owner) in owners.iter().enumerate() {
        if let Some(owner) = owner {
            origins[*owner].nodes.push(node);
        }
    }
    for ((origin, named), node) in origins.iter_mut().zip(&named).zip(&executed) {
        origin.named_after = named.node.filter(|node| origin.nodes.contains(node));
        // Not of a function of the model, whose nodes have other names by now.
        let mut names = [&node.name].into_iter().chain(&node.inputs).chain(&node.outputs);
        origin.is_part = names.any(|name| functions::is_inlined(name));
    }
    let helpers = Helpers::new(&index, &executed, &origins, &named, &owners);
    let helped: Vec<Option<Helps>> = (0..executed.len())
        .map(|position| match origins[position].nodes.is_empty() {
            true => helpers.helped(position),
            false => None,
        })
        .collect();
    origins.iter_mut().zip(helped).for_each(|(origin, helps)| origin.helps = helps);
    origins
}

/// Names of the `executed` nodes and of their tensors, as the model has them: what stood in a
/// function has others there.
pub fn own_names<'a>(graph: &ModelGraph<'a>, executed: &[ExecutedNode<'a>]) -> Vec<OwnNames<'a>> {
    let places = Places::new(graph, &Index::new(graph), executed);
    executed.iter().map(|node| places.own_names(node)).collect()
}

/// Nodes by their names and tensors.
struct Index<'a> {
    names: HashMap<&'a str, usize>,
    producers: HashMap<&'a str, usize>,
    consumers: HashMap<&'a str, Vec<usize>>,
}

impl<'a> Index<'a> {
    fn new(graph: &ModelGraph<'a>) -> Index<'a> {
        let (mut names, mut producers) = (HashMap::new(), HashMap::new());
        let mut consumers: HashMap<&str, Vec<usize>> = HashMap::new();
        for (position, node) in graph.nodes.iter().enumerate() {
            names.entry(node.name).or_insert(position);
            for &output in node.outputs.iter().filter(|name| !name.is_empty()) {
                producers.insert(output, position);
            }
            let reads = node.inputs.iter().chain(&node.captured);
            for &input in reads.filter(|name| !name.is_empty()) {
                consumers.entry(input).or_default().push(position);
            }
        }
        Index { names, producers, consumers }
    }

    /// The nodes that compute what a node reads.
    fn before(&self, node: &ModelNode) -> Vec<usize> {
        node.inputs.iter().filter_map(|name| self.producers.get(name)).copied().collect()
    }

    /// The nodes that read what a node computes.
    fn behind(&self, node: &ModelNode) -> Vec<usize> {
        let readers = node.outputs.iter().filter_map(|name| self.consumers.get(name));
        readers.flatten().copied().collect()
    }
}

#[cfg(test)]
mod tests;

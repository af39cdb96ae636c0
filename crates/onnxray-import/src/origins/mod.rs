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
mod graph;
mod helped;
mod index;
mod names;
mod owners;

pub use functions::OwnNames;
use functions::Places;
use fused::Fused;
pub use graph::{Call, ExecutedNode, Helps, ModelGraph, ModelNode, Origin};
use helped::Helpers;
use index::Index;
use owners::Owners;

/// Where each of the `executed` nodes comes from, which stand in the order in which they run.
pub fn origins(graph: &ModelGraph, executed: &[ExecutedNode]) -> Vec<Origin> {
    let index = Index::new(graph);
    let places = Places::new(graph, &index, executed);
    let own: Vec<OwnNames> = executed.iter().map(|node| places.own_names(node)).collect();
    let executed: Vec<ExecutedNode> =
        own.iter().zip(executed).map(|(own, node)| own.as_executed(node)).collect();
    let named = names::named(graph, &index, &places, &executed);
    let mut owners = Owners::find(graph, &index, &executed, &named);
    Fused::add(&mut owners);
    let owners = owners.of_node;
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

#[cfg(test)]
mod tests;

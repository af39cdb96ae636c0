//! The nodes that ONNX Runtime names executed nodes after.
//!
//! | executed | after |
//! | --- | --- |
//! | `conv`, `conv_token_3`, `x/duplicated`, `fused conv` | the node |
//! | `mm/MatMulScaleFusion/`, `mm/MatMulAddFusion` | the node |
//! | `u_nchwc` | the node that computes tensor `u` |
//! | `Conv_17` | the 17th node, where it has no name |

use super::functions::{Places, TOKEN};
use super::graph::{ExecutedNode, ModelGraph};
use super::index::Index;

/// What the runtime puts behind the name of a result that it computes in another layout.
const BLOCKED_LAYOUT: &str = "_nchwc";
/// Behind a copy of a node that several others read.
const COPY: &str = "/duplicated";
/// Before the name of a node that something was fused to, in older versions.
const FUSED: &str = "fused ";

/// What an executed node's name says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Named {
    /// The node that it computes or helps.
    pub(super) node: Option<usize>,
    /// How much of the name the runtime added; less comes first.
    added: usize,
}

/// What the name of each executed node says.
pub(super) fn named(
    graph: &ModelGraph,
    index: &Index,
    places: &Places,
    executed: &[ExecutedNode],
) -> Vec<Named> {
    executed.iter().map(|node| find(graph, index, places, node).unwrap_or_default()).collect()
}

impl Named {
    /// The executed nodes, those with the least added to their names first.
    pub(super) fn order(named: &[Named]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..named.len()).collect();
        order.sort_by_key(|&position| named[position].added);
        order
    }
}

fn find(graph: &ModelGraph, index: &Index, places: &Places, node: &ExecutedNode) -> Option<Named> {
    let name = node.name;
    let found = |node: &usize, rest: &str| {
        let added = name.len().abs_diff(rest.len());
        Some(Named { node: Some(*node), added })
    };
    let mut rest = name;
    loop {
        if let Some(node) = index.names.get(rest) {
            return found(node, rest);
        }
        if let Some(node) = rest.strip_suffix(BLOCKED_LAYOUT).and_then(|u| index.producers.get(u)) {
            return found(node, rest);
        }
        match without_addition(rest) {
            Some(shorter) => rest = shorter,
            None => break,
        }
    }
    if let Some(node) = index.producers.get(name) {
        return found(node, name);
    }
    // The runtime numbers nodes without names; ours have the names of their results.
    let number: usize = name.strip_prefix(node.operator_type)?.strip_prefix('_')?.parse().ok()?;
    let number = places.of_file(number, graph)?;
    let unnamed = graph.nodes.get(number)?;
    let has_name_of_result = unnamed.outputs.iter().any(|output| {
        let copy = unnamed.name.strip_prefix(output);
        copy.is_some_and(|copy| copy.is_empty() || copy.starts_with('~'))
    });
    (unnamed.operator_type == node.operator_type && has_name_of_result)
        .then_some(Named { node: Some(number), added: 0 })
}

/// The name before the runtime added the last of what it did.
fn without_addition(name: &str) -> Option<&str> {
    if let Some(name) = name.strip_suffix(COPY).or_else(|| name.strip_prefix(FUSED)) {
        return Some(name);
    }
    if let Some((name, number)) = name.rsplit_once(TOKEN)
        && !number.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_digit())
    {
        return Some(name);
    }
    // `/LayerNormFusion/`, `/MatMulAddFusion`
    let (before, fusion) = name.trim_end_matches('/').rsplit_once('/')?;
    (name.ends_with('/') || fusion.contains("Fusion")).then_some(before)
}

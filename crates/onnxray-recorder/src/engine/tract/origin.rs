//! The origin of an executed node, read from its name.
//!
//! tract derives names from those of the ONNX nodes: `/query/MatMul.pack_b` was made
//! for `/query/MatMul`.

use crate::model::graph::Graph;
use std::collections::HashMap;

/// Where the work of one executed node comes from. Numbers are positions in the graph's list of
/// nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Origin {
    /// The ONNX nodes whose work is counted here, in graph order.
    pub(super) nodes: Vec<usize>,
    /// The ONNX node to name the operator after.
    pub(super) named_after: Option<usize>,
    /// What the engine appended to the name: `pack_b`.
    pub(super) role: String,
    /// The node, and the body in it, from which the engine moved this work out
    /// of a loop. `nodes` and `named_after` then count in that body.
    pub(super) hoisted_from: Option<(usize, usize)>,
}

/// Reads from the name of an executed node after which ONNX node it is named.
pub(super) fn origin_by_name(graph: &Graph, name: &str) -> Origin {
    // `SCAN.extracted.NODE`: work of a body that does not change from one of its
    // iterations to the next, or that can be done for all at once.
    if let Some((scan, inner)) = name.split_once(".extracted.")
        && let Some(&scan_index) = graph.names.get(scan)
    {
        for (body_index, (_, body)) in graph.nodes[scan_index].bodies.iter().enumerate() {
            if let Some((node, role)) = longest_prefix(&body.names, inner) {
                return Origin {
                    named_after: Some(node),
                    role,
                    hoisted_from: Some((scan_index, body_index)),
                    nodes: Vec::new(),
                };
            }
        }
        // A body that the engine made up, an LSTM's say, repeats the name.
        let role = inner.strip_prefix(scan).unwrap_or(inner).trim_start_matches('.');
        let role = role.to_string();
        return Origin { named_after: Some(scan_index), role, ..Origin::default() };
    }
    match longest_prefix(&graph.names, name) {
        Some((node, role)) => Origin { named_after: Some(node), role, ..Origin::default() },
        None => Origin { role: name.to_string(), ..Origin::default() },
    }
}

/// Parts that a name may have after the node's; tract appends a few.
const MOST_PARTS: usize = 32;

/// The longest name that `name` is or extends, and the extension.
fn longest_prefix(names: &HashMap<String, usize>, name: &str) -> Option<(usize, String)> {
    // An exact name first: it may itself contain a `.` that would be taken for a suffix.
    if let Some(&node) = names.get(name) {
        return Some((node, String::new()));
    }
    let ends = name.char_indices().rev().filter(|(_, letter)| matches!(letter, '.' | '#' | '-'));
    ends.take(MOST_PARTS).find_map(|(end, _)| {
        names.get(&name[..end]).map(|&node| (node, name[end + 1..].to_string()))
    })
}

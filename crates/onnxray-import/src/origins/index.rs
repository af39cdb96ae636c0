//! Nodes of a model, found by their names and tensors.

use super::graph::{ModelGraph, ModelNode};
use std::collections::HashMap;

/// Nodes by their names and tensors.
pub(super) struct Index<'a> {
    pub(super) names: HashMap<&'a str, usize>,
    pub(super) producers: HashMap<&'a str, usize>,
    pub(super) consumers: HashMap<&'a str, Vec<usize>>,
}

impl<'a> Index<'a> {
    pub(super) fn new(graph: &ModelGraph<'a>) -> Index<'a> {
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
    pub(super) fn before(&self, node: &ModelNode) -> Vec<usize> {
        node.inputs.iter().filter_map(|name| self.producers.get(name)).copied().collect()
    }

    /// The nodes that read what a node computes.
    pub(super) fn behind(&self, node: &ModelNode) -> Vec<usize> {
        let readers = node.outputs.iter().filter_map(|name| self.consumers.get(name));
        readers.flatten().copied().collect()
    }
}

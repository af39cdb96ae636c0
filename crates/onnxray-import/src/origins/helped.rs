//! The node that an executed node without a node of its own helps.

use super::graph::{ExecutedNode, Helps, Origin};
use super::index::Index;
use super::names::Named;
use std::collections::{HashMap, HashSet};

/// Where helpers get their names from.
pub(super) struct Helpers<'a> {
    index: &'a Index<'a>,
    executed: &'a [ExecutedNode<'a>],
    origins: &'a [Origin],
    named: &'a [Named],
    owners: &'a [Option<usize>],
    readers: HashMap<&'a str, Vec<usize>>,
    writers: HashMap<&'a str, Vec<usize>>,
}

impl<'a> Helpers<'a> {
    pub(super) fn new(
        index: &'a Index<'a>,
        executed: &'a [ExecutedNode<'a>],
        origins: &'a [Origin],
        named: &'a [Named],
        owners: &'a [Option<usize>],
    ) -> Helpers<'a> {
        let mut readers: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut writers: HashMap<&str, Vec<usize>> = HashMap::new();
        for (position, node) in executed.iter().enumerate() {
            for &input in node.inputs.iter().filter(|name| !name.is_empty()) {
                readers.entry(input).or_default().push(position);
            }
            for &output in node.outputs.iter().filter(|name| !name.is_empty()) {
                writers.entry(output).or_default().push(position);
            }
        }
        Helpers { index, executed, origins, named, owners, readers, writers }
    }

    pub(super) fn helped(&self, helper: usize) -> Option<Helps> {
        let behind = |position: usize| {
            let outputs = self.executed[position].outputs.iter();
            outputs.filter_map(|name| self.readers.get(name)).flatten().copied().collect()
        };
        let before = |position: usize| {
            let inputs = self.executed[position].inputs.iter();
            inputs.filter_map(|name| self.writers.get(name)).flatten().copied().collect()
        };
        let node = self.named[helper].node;
        let node = node.or_else(|| self.by_name(helper)).or_else(|| self.by_result(helper));
        let executed = || self.nearest(helper, behind).or_else(|| self.nearest(helper, before));
        node.map(Helps::Node).or_else(|| executed().map(Helps::Executed))
    }

    /// `/conv/gemm_input_reshape`, `conv_weights_prepacked`
    fn by_name(&self, helper: usize) -> Option<usize> {
        let name = self.executed[helper].name;
        let cuts = name.rmatch_indices(['/', '_']).map(|(at, _)| &name[..at]);
        cuts.filter_map(|name| self.index.names.get(name)).next().copied()
    }

    fn by_result(&self, helper: usize) -> Option<usize> {
        let outputs = self.executed[helper].outputs.iter();
        let producers = outputs.filter_map(|name| self.index.producers.get(name));
        producers.copied().find(|&producer| self.owners[producer].is_some())
    }

    /// The nearest executed node that has a node, going from neighbour to neighbour.
    fn nearest(&self, start: usize, neighbours: impl Fn(usize) -> Vec<usize>) -> Option<usize> {
        let mut reached = HashSet::from([start]);
        let mut front = vec![start];
        while !front.is_empty() {
            let has_nodes = |position: &usize| !self.origins[*position].nodes.is_empty();
            if let Some(position) = front.iter().copied().find(has_nodes) {
                return Some(position);
            }
            let next = front.iter().flat_map(|&position| neighbours(position));
            front = next.filter(|&position| reached.insert(position)).collect();
        }
        None
    }
}

//! The executed node that each node of a model belongs to.

use super::graph::{ExecutedNode, ModelGraph, ModelNode};
use super::index::Index;
use super::names::Named;
use std::collections::HashMap;

/// What makes a number of 8 bits one of 32, which a product or convolution may do itself.
pub(super) const DEQUANTIZE: &str = "DequantizeLinear";
/// The other way round.
pub(super) const QUANTIZE: &str = "QuantizeLinear";

/// Nodes that an executed node may do beside the one that it is named after.
const MOST_BEFORE: usize = 4;

/// Types of nodes that multiply and add along an axis.
const CONTRACTIONS: [&str; 9] = [
    "Conv",
    "ConvInteger",
    "ConvTranspose",
    "QLinearConv",
    "Gemm",
    "MatMul",
    "MatMulInteger",
    "QLinearMatMul",
    "Einsum",
];

pub(super) fn is_contraction(operator_type: &str) -> bool {
    CONTRACTIONS.contains(&operator_type)
}

/// By node: the position of its executed node.
pub(super) struct Owners<'a> {
    pub(super) graph: &'a ModelGraph<'a>,
    pub(super) index: &'a Index<'a>,
    pub(super) executed: &'a [ExecutedNode<'a>],
    pub(super) of_node: Vec<Option<usize>>,
}

impl<'a> Owners<'a> {
    pub(super) fn find(
        graph: &'a ModelGraph<'a>,
        index: &'a Index<'a>,
        executed: &'a [ExecutedNode<'a>],
        named: &[Named],
    ) -> Owners<'a> {
        let mut owners = Owners { graph, index, executed, of_node: vec![None; graph.nodes.len()] };
        for position in Named::order(named) {
            owners.own(named[position].node, position);
        }
        for (position, named) in named.iter().enumerate() {
            if let Some(node) = named.node.filter(|&node| owners.of_node[node] == Some(position)) {
                owners.own_before(node, position);
            }
        }
        let weights = owners.weights();
        for (position, node) in executed.iter().enumerate() {
            if node.operator_type != DEQUANTIZE {
                let reads = node.inputs.iter().filter_map(|input| weights.get(input));
                reads.for_each(|&node| owners.own(Some(node), position));
            }
        }
        for (position, node) in executed.iter().enumerate() {
            for output in &node.outputs {
                owners.own(index.producers.get(output).copied(), position);
            }
        }
        for position in 0..executed.len() {
            owners.own_behind_convolution(position);
        }
        owners
    }

    fn own(&mut self, node: Option<usize>, position: usize) {
        if let Some(owner) = node.and_then(|node| self.of_node.get_mut(node)) {
            owner.get_or_insert(position);
        }
    }

    pub(super) fn node(&self, node: usize) -> &'a ModelNode<'a> {
        &self.graph.nodes[node]
    }

    /// What was fused with the node that an executed one is named after may stand in front of
    /// it: then the type of what ran is that of the first.
    fn own_before(&mut self, last: usize, position: usize) {
        let ran = self.executed[position].operator_type;
        let wanted = ran.strip_prefix("Fused").unwrap_or(ran);
        let mut ways = vec![vec![last]];
        while let Some(way) = ways.pop() {
            let node = self.node(way[way.len() - 1]);
            if node.operator_type == wanted {
                way.into_iter().for_each(|node| self.own(Some(node), position));
                return;
            }
            if way.len() < MOST_BEFORE {
                let before = self.index.before(node).into_iter();
                let before = before.filter(|&node| self.of_node[node].is_none());
                let mut longer: Vec<Vec<usize>> =
                    before.map(|node| way.iter().copied().chain([node]).collect()).collect();
                // The first operand first.
                longer.reverse();
                ways.extend(longer);
            }
        }
    }

    /// The product or convolution that reads each weight, itself or dequantized, where it is
    /// the only one.
    fn weights(&self) -> HashMap<&'a str, usize> {
        let mut readers: HashMap<&str, Option<usize>> = HashMap::new();
        for (position, node) in self.graph.nodes.iter().enumerate() {
            if !is_contraction(node.operator_type) {
                continue;
            }
            for &operand in &node.inputs {
                let producer = self.index.producers.get(operand).map(|&node| self.node(node));
                let dequantized = producer.filter(|node| node.operator_type == DEQUANTIZE);
                // Scale and zero point may be those of many.
                let stored = dequantized.and_then(|node| node.inputs.first().copied());
                for name in [Some(operand), stored].into_iter().flatten() {
                    if self.graph.weights.contains(name) {
                        let reader = readers.entry(name).or_insert(Some(position));
                        *reader = reader.filter(|&reader| reader == position);
                    }
                }
            }
        }
        readers.into_iter().filter_map(|(name, reader)| Some((name, reader?))).collect()
    }

    /// Gives a convolution the sum and the activation that it does itself.
    fn own_behind_convolution(&mut self, position: usize) {
        let executed = &self.executed[position];
        let sum = executed.inputs.get(3).is_some_and(|operand| !operand.is_empty());
        let types = sum.then_some("Add").into_iter().chain(executed.activation);
        if !executed.operator_type.contains("Conv") {
            return;
        }
        let is_own = |&at: &usize| {
            self.of_node[at] == Some(position) && self.node(at).operator_type.contains("Conv")
        };
        let Some(mut last) = (0..self.of_node.len()).rev().find(is_own) else { return };
        for operator_type in types {
            let [only] = self.index.behind(self.node(last))[..] else { return };
            if self.node(only).operator_type != operator_type {
                return;
            }
            self.own(Some(only), position);
            last = only;
        }
    }

    /// For each node the first one that computes the same of the same, mostly itself.
    pub(super) fn twins(&self) -> Vec<usize> {
        let mut first: HashMap<(&str, Vec<&str>, &str), usize> = HashMap::new();
        let mut result_of: HashMap<&str, &str> = HashMap::new();
        let mut twins = Vec::with_capacity(self.graph.nodes.len());
        for (position, node) in self.graph.nodes.iter().enumerate() {
            let same = |name: &&'a str| result_of.get(name).copied().unwrap_or(name);
            let operands = node.inputs.iter().map(same).collect();
            let key = (node.operator_type, operands, node.attributes.as_str());
            let twin = match node.has_bodies {
                true => position,
                false => *first.entry(key).or_insert(position),
            };
            for (own, other) in node.outputs.iter().zip(&self.graph.nodes[twin].outputs) {
                result_of.insert(own, other);
            }
            twins.push(twin);
        }
        twins
    }
}

//! The nodes that the runtime fused, and whose names and tensors are gone.
//!
//! 1. A fusion does the work of a node of a certain type: a `Gelu` that of an Erf. Where there
//!    are as many such nodes left as fusions that could have them, they follow each other in
//!    the same order.
//! 2. An activation behind a convolution, the rest of a Gelu and what quantizes a result belong
//!    to what computes what they read.
//! 3. Any other node belongs to what reads its result, or else to what computes what it reads:
//!    to a fusion, or else to any.
//!
//! A node that does what another one does was merged with it, and a constant was folded: these
//! belong to none.

use super::graph::ExecutedNode;
use super::owners::{Owners, QUANTIZE, is_contraction};

/// Types of fusions, and the nodes that they do the work of, by preference.
const WORK_OF: [(&[&str], &[&str]); 8] = [
    (&["Gelu", "BiasGelu"], &["Gelu", "Erf"]),
    (&["FastGelu"], &["Gelu", "Tanh"]),
    (&["QuickGelu"], &["Sigmoid"]),
    (
        &["LayerNormalization", "SkipLayerNormalization", "EmbedLayerNormalization"],
        &["LayerNormalization", "Sqrt"],
    ),
    (&["Attention", "QAttention", "MultiHeadAttention"], &["Softmax"]),
    (&["FusedConv", "NhwcFusedConv", "QLinearConv"], &["Conv"]),
    (
        &["FusedMatMul", "QLinearMatMul", "MatMulIntegerToFloat", "DynamicQuantizeMatMul"],
        &["MatMul", "MatMulInteger"],
    ),
    (&["FusedGemm", "QGemm"], &["Gemm"]),
];

/// Types of executed nodes that only move data: the runtime adds them, and fuses nothing to
/// them.
const MOVERS: [&str; 8] = [
    "ReorderInput",
    "ReorderOutput",
    "Transpose",
    "MemcpyFromHost",
    "MemcpyToHost",
    "Cast",
    QUANTIZE,
    "DequantizeLinear",
];

/// Activations that the runtime lets convolutions and products apply, or what quantizes their
/// results.
const ACTIVATIONS: [&str; 7] =
    ["Relu", "LeakyRelu", "Clip", "Sigmoid", "HardSigmoid", "Tanh", "BatchNormalization"];

pub(super) struct Fused<'o, 'a> {
    owners: &'o mut Owners<'a>,
    twins: Vec<usize>,
    /// By executed node: whether it computes a node of its own type, and so hardly another.
    is_itself: Vec<bool>,
}

impl Fused<'_, '_> {
    /// Gives nodes that are left to the executed nodes that they were fused to.
    pub(super) fn add(owners: &mut Owners<'_>) {
        let twins = owners.twins();
        let mut fused = Fused { owners, twins, is_itself: Vec::new() };
        fused.add_by_work();
        let executed = fused.owners.executed;
        let takes_unknown = |position: usize| {
            let ExecutedNode { operator_type, outputs, .. } = &executed[position];
            outputs.is_empty() && !MOVERS.contains(operator_type)
        };
        if fused.without_nodes().into_iter().any(takes_unknown) {
            return;
        }
        fused.is_itself = vec![false; executed.len()];
        for (node, owner) in fused.owners.of_node.iter().enumerate() {
            if let Some(owner) = *owner {
                let own = fused.owners.node(node).operator_type;
                fused.is_itself[owner] |= own == executed[owner].operator_type;
            }
        }
        fused.add_behind();
        fused.add_before(true);
        fused.add_after(true);
        fused.add_before(false);
        fused.add_after(false);
    }

    fn without_nodes(&self) -> Vec<usize> {
        let mut has_node = vec![false; self.owners.executed.len()];
        self.owners.of_node.iter().flatten().for_each(|&owner| has_node[owner] = true);
        (0..has_node.len()).filter(|&position| !has_node[position]).collect()
    }

    fn is_left(&self, node: usize) -> bool {
        let twin = self.twins[node];
        self.owners.of_node[node].is_none()
            && !self.owners.node(node).is_constant
            && (twin == node || self.owners.of_node[twin].is_none())
    }

    fn left(&self) -> Vec<usize> {
        (0..self.owners.of_node.len()).filter(|&node| self.is_left(node)).collect()
    }

    fn add_by_work(&mut self) {
        for (fusions, work) in WORK_OF {
            let mut without = self.without_nodes();
            without.retain(|&at| fusions.contains(&self.owners.executed[at].operator_type));
            if without.is_empty() {
                continue;
            }
            let left = self.left();
            let of_type = |wanted: &str| -> Vec<usize> {
                let left = left.iter().copied();
                left.filter(|&node| self.owners.node(node).operator_type == wanted).collect()
            };
            let same = work.iter().map(|work| of_type(work));
            if let Some(left) = same.into_iter().find(|left| left.len() == without.len()) {
                for (node, position) in left.into_iter().zip(without) {
                    self.owners.of_node[node] = Some(position);
                }
            }
        }
    }

    fn add_behind(&mut self) {
        for node in self.left() {
            let own = self.owners.node(node);
            let before = self.owners.index.before(own).into_iter();
            let mut owners = before.filter_map(|at| self.owners.of_node[at]);
            let owner = owners.find(|&at| self.belongs_behind(node, at));
            self.owners.of_node[node] = owner;
        }
    }

    /// Whether a node belongs to the executed one that computes its operand, and not to one
    /// that reads its result.
    fn belongs_behind(&self, node: usize, position: usize) -> bool {
        let executed = &self.owners.executed[position];
        let node_type = self.owners.node(node).operator_type;
        let ran = executed.operator_type;
        let computes = ["Conv", "MatMul", "Gemm"].iter().any(|part| ran.contains(part));
        // Whoever saved the graph would have said so, but for what quantizes.
        let may_activate = executed.outputs.is_empty() || !self.is_itself[position];
        match node_type {
            QUANTIZE => !MOVERS.contains(&ran),
            "Add" => {
                let is_sum = ran.contains("Conv") && executed.operands == 4;
                is_sum && executed.outputs.is_empty()
                    || matches!(ran, "Gelu" | "BiasGelu" | "FastGelu")
            }
            "Mul" if matches!(ran, "Gelu" | "BiasGelu" | "FastGelu") => true,
            "Cast" | "Mul" => matches!(ran, "MatMulIntegerToFloat" | "DynamicQuantizeMatMul"),
            activation if ACTIVATIONS.contains(&activation) => {
                computes && may_activate && self.fusion_behind(node).is_none()
            }
            _ => false,
        }
    }

    /// The fusion that computes what reads a node's result, if it starts with such a node.
    fn fusion_behind(&self, node: usize) -> Option<usize> {
        let behind = self.owners.index.behind(self.owners.node(node));
        let mut owners = behind.into_iter().filter_map(|at| self.owners.of_node[at]);
        let owner = owners.next()?;
        let ran = self.owners.executed[owner].operator_type;
        let (_, work) = WORK_OF.iter().find(|(fusions, _)| fusions.contains(&ran))?;
        work.contains(&self.owners.node(node).operator_type).then_some(owner)
    }

    /// Whether an executed node can have taken a node.
    fn takes(&self, position: usize, node: usize, only_fusions: bool) -> bool {
        let ran = self.owners.executed[position].operator_type;
        let is_fusion = !self.is_itself[position] && !MOVERS.contains(&ran);
        let node_type = self.owners.node(node).operator_type;
        let of_other_work = || {
            let known = WORK_OF.iter().find(|(fusions, _)| fusions.contains(&ran));
            known.is_some_and(|(_, work)| !work.iter().any(|work| is_contraction(work)))
                && !ran.contains("Attention")
        };
        match is_contraction(node_type) {
            true => is_fusion && !of_other_work(),
            false => is_fusion || !only_fusions,
        }
    }

    /// Nodes whose results are read by what an executed node computes.
    fn add_before(&mut self, only_fusions: bool) {
        for node in self.left().into_iter().rev() {
            let behind = self.owners.index.behind(self.owners.node(node));
            let mut owners = behind.into_iter().filter_map(|at| self.owners.of_node[at]);
            self.owners.of_node[node] = owners.find(|&at| self.takes(at, node, only_fusions));
        }
    }

    /// Nodes that read what an executed node computes.
    fn add_after(&mut self, only_fusions: bool) {
        for node in self.left() {
            let before = self.owners.index.before(self.owners.node(node));
            let mut owners = before.into_iter().filter_map(|at| self.owners.of_node[at]);
            self.owners.of_node[node] = owners.find(|&at| self.takes(at, node, only_fusions));
        }
    }
}

//! The nodes behind what ONNX Runtime fused, whose names say nothing of them.
//!
//! 1. A fusion does the work of a node of a certain type: a `Gelu` that of an Erf. Where there
//!    are as many such nodes left as fusions that could have them, they follow each other in
//!    the same order.
//! 2. A node that is left was fused with the operator that reads its result, or else with the
//!    one that computes what it reads; an activation, the sum behind a convolution of four
//!    operands, and what quantizes a result, the other way round. That holds where nothing else
//!    could have taken it: where operators without a node only move data.

use onnxray_format::Operator;
use std::collections::HashMap;

/// Types of fusions, and the nodes that they do the work of, by preference.
const WORK_OF: [(&[&str], &[&str]); 7] = [
    (&["Gelu", "BiasGelu"], &["Gelu", "Erf"]),
    (&["FastGelu"], &["Gelu", "Tanh"]),
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

/// Types of operators that only move data: a runtime adds them, and fuses nothing to them.
const MOVERS: [&str; 7] = [
    "ReorderInput",
    "ReorderOutput",
    "Transpose",
    "MemcpyFromHost",
    "MemcpyToHost",
    "QuantizeLinear",
    "DequantizeLinear",
];

/// Nodes that a runtime may drop, since another one does the same, but never fuses to one of
/// another kind.
const NEVER_FUSED: [&str; 6] =
    ["Conv", "ConvInteger", "ConvTranspose", "Gemm", "MatMul", "MatMulInteger"];

/// Types of nodes that belong to what computes their operand.
const BEHIND: [&str; 8] = [
    "QuantizeLinear",
    "Relu",
    "LeakyRelu",
    "Clip",
    "Sigmoid",
    "HardSigmoid",
    "Tanh",
    "BatchNormalization",
];

/// Who computes what of a model.
pub(super) struct Owners<'a> {
    pub(super) operators: &'a [Operator],
    pub(super) nodes: &'a [Operator],
    /// By node: the same for all inputs, so that the runtime may compute it once.
    pub(super) constant: &'a [bool],
    /// By node: its operator.
    pub(super) of_node: Vec<Option<usize>>,
}

impl Owners<'_> {
    /// Gives nodes that are left to the operators that they were fused to.
    pub(super) fn add_fused(&mut self) {
        for (fusions, work) in WORK_OF {
            let without: Vec<usize> = (0..self.operators.len())
                .filter(|&operator| {
                    fusions.contains(&self.operators[operator].operator_type.as_str())
                        && self.is_without(operator)
                })
                .collect();
            let left = work.iter().map(|work| self.left_of_type(work));
            if let Some(left) = left.into_iter().find(|left| left.len() == without.len()) {
                left.into_iter().zip(without).for_each(|(node, operator)| {
                    self.of_node[node] = Some(operator);
                });
            }
        }
        let moves = |operator: &Operator| MOVERS.contains(&operator.operator_type.as_str());
        let without = (0..self.operators.len()).filter(|&operator| self.is_without(operator));
        if without.into_iter().all(|operator| moves(&self.operators[operator])) {
            self.add_neighbours();
        }
    }

    fn is_without(&self, operator: usize) -> bool {
        self.operators[operator].parent.is_none() && !self.of_node.contains(&Some(operator))
    }

    fn is_left(&self, node: usize) -> bool {
        let known = &self.nodes[node];
        self.of_node[node].is_none()
            && known.parent.is_none()
            && !self.constant.get(node).copied().unwrap_or_default()
    }

    fn left_of_type(&self, operator_type: &str) -> Vec<usize> {
        let left = (0..self.nodes.len()).filter(|&node| self.is_left(node));
        left.filter(|&node| self.nodes[node].operator_type == operator_type).collect()
    }

    fn add_neighbours(&mut self) {
        let (mut producers, mut consumers) = (HashMap::new(), HashMap::<&str, Vec<usize>>::new());
        for (position, node) in self.nodes.iter().enumerate() {
            node.outputs.iter().for_each(|tensor| _ = producers.insert(&*tensor.name, position));
            let read = node.inputs.iter().map(|tensor| tensor.name.as_str());
            read.for_each(|tensor| consumers.entry(tensor).or_default().push(position));
        }
        let from_producers = |owners: &mut Self, node: usize| {
            let read = owners.nodes[node].inputs.iter();
            let mut producers = read.filter_map(|tensor| producers.get(&*tensor.name));
            owners.of_node[node] = producers.find_map(|&producer| owners.of_node[producer]);
        };
        let left: Vec<usize> = (0..self.nodes.len())
            .filter(|&node| self.is_left(node))
            .filter(|&node| !NEVER_FUSED.contains(&self.nodes[node].operator_type.as_str()))
            .collect();
        for &node in &left {
            from_producers(self, node);
            let operator_type = self.nodes[node].operator_type.as_str();
            let adds = |&owner: &usize| {
                let owner = &self.operators[owner];
                owner.operator_type.contains("Conv") && owner.inputs.len() == 4
            };
            let is_sum = operator_type == "Add" && self.of_node[node].as_ref().is_some_and(adds);
            if !is_sum && !BEHIND.contains(&operator_type) {
                self.of_node[node] = None;
            }
        }
        for &node in left.iter().rev() {
            if self.of_node[node].is_none() {
                let written = self.nodes[node].outputs.iter();
                let mut readers =
                    written.filter_map(|tensor| consumers.get(&*tensor.name)).flatten();
                self.of_node[node] = readers.find_map(|&reader| self.of_node[reader]);
            }
        }
        for &node in &left {
            if self.of_node[node].is_none() {
                from_producers(self, node);
            }
        }
    }
}

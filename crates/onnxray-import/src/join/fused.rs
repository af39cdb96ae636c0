//! The nodes behind what ONNX Runtime fused, whose names say nothing of them.
//!
//! 1. A fusion does the work of a node of a certain type: a `Gelu` that of an Erf. Where there
//!    are as many such nodes left as fusions that could have them, they follow each other in
//!    the same order.
//! 2. A node that is left was fused with the operator that reads its result, or else with the
//!    one that computes what it reads; an activation, the sum behind a convolution of four
//!    operands, the rest of a Gelu and what quantizes a result, the other way round. That holds
//!    where nothing else could have taken it: where operators without a node only move data.

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

/// Whether a node of a type belongs to the operator that computes its operand, and not to one
/// that reads its result.
fn belongs_behind(node_type: &str, operator: &Operator) -> bool {
    let is_sum = operator.operator_type.contains("Conv") && operator.inputs.len() == 4;
    match node_type {
        "QuantizeLinear" | "Relu" | "LeakyRelu" | "Clip" | "Sigmoid" | "HardSigmoid" | "Tanh"
        | "BatchNormalization" => true,
        "Add" if is_sum => true,
        _ => matches!(
            (node_type, operator.operator_type.as_str()),
            ("Add" | "Mul", "Gelu" | "BiasGelu" | "FastGelu")
                | ("Cast" | "Mul", "MatMulIntegerToFloat" | "DynamicQuantizeMatMul")
        ),
    }
}

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
            let is_fusion = |operator: &Operator| fusions.contains(&&*operator.operator_type);
            let without = self.without_nodes();
            let without: Vec<usize> = without
                .into_iter()
                .filter(|&operator| is_fusion(&self.operators[operator]))
                .collect();
            if without.is_empty() {
                continue;
            }
            let left = work.iter().map(|work| self.left_of_type(work));
            if let Some(left) = left.into_iter().find(|left| left.len() == without.len()) {
                left.into_iter().zip(without).for_each(|(node, operator)| {
                    self.of_node[node] = Some(operator);
                });
            }
        }
        let moves = |operator: usize| MOVERS.contains(&&*self.operators[operator].operator_type);
        if self.without_nodes().into_iter().all(moves) {
            self.add_neighbours();
        }
    }

    /// Operators, other than those in bodies, that have no node.
    fn without_nodes(&self) -> Vec<usize> {
        let mut has_node = vec![false; self.operators.len()];
        self.of_node.iter().flatten().for_each(|&operator| has_node[operator] = true);
        let is_without = |&operator: &usize| {
            let known = &self.operators[operator];
            !has_node[operator] && known.parent.is_none() && !known.device
        };
        (0..self.operators.len()).filter(is_without).collect()
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
        let (mut writers, mut readers) = (HashMap::new(), HashMap::<&str, Vec<usize>>::new());
        for (position, node) in self.nodes.iter().enumerate() {
            node.outputs.iter().for_each(|tensor| _ = writers.insert(&*tensor.name, position));
            let read = node.inputs.iter().map(|tensor| tensor.name.as_str());
            read.for_each(|tensor| readers.entry(tensor).or_default().push(position));
        }
        let producers = |node: &Operator| -> Vec<usize> {
            node.inputs.iter().filter_map(|tensor| writers.get(&*tensor.name)).copied().collect()
        };
        let producers: Vec<Vec<usize>> = self.nodes.iter().map(producers).collect();
        let left: Vec<usize> = (0..self.nodes.len())
            .filter(|&node| self.is_left(node))
            .filter(|&node| !NEVER_FUSED.contains(&self.nodes[node].operator_type.as_str()))
            .collect();
        let mut of_node = self.of_node.clone();
        for &node in &left {
            let node_type = self.nodes[node].operator_type.as_str();
            let is_own = |owner: &usize| belongs_behind(node_type, &self.operators[*owner]);
            let mut owners = producers[node].iter().filter_map(|&producer| of_node[producer]);
            of_node[node] = owners.find(is_own);
        }
        for &node in left.iter().rev() {
            let written = self.nodes[node].outputs.iter();
            let reading = written.filter_map(|tensor| readers.get(&*tensor.name)).flatten();
            let owner = reading.copied().find_map(|reader| of_node[reader]);
            of_node[node] = of_node[node].or(owner);
        }
        for &node in &left {
            let owner = producers[node].iter().find_map(|&producer| of_node[producer]);
            of_node[node] = of_node[node].or(owner);
        }
        self.of_node = of_node;
    }
}

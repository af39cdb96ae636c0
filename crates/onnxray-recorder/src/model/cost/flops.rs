//! Operations of one execution of an ONNX node, by closed form from its shapes.
//!
//! A multiply-add is two operations; an element-wise function is one per
//! element of its result, however costly; moving data is none. The definitions
//! stand in `docs/statistics.md`. A node without a formula is unknown, not zero.

use super::attention::{self, SOFTMAX};
use super::einsum;
use crate::model::graph::{Attribute, Node};
use crate::model::tensor_table::TensorTable;
use onnxray_format::elements;

/// Mean, difference, square, variance, quotient and scale: for each element of a normalization.
const NORMALIZATION: u64 = 6;
/// Square, mean, quotient and scale: a normalization without mean and difference.
const ROOT_MEAN_SQUARE: u64 = 4;

/// FLOPs of one execution of `node`.
pub(crate) fn flops(node: &Node, tensors: &TensorTable) -> Option<u64> {
    let input = |index: usize| tensors.shape(node.input(index)?);
    let results = || elements(tensors.shape(node.output(0)?)?);
    let operands = || elements(input(0)?);
    let given = |index: usize| u64::from(node.input(index).is_some());
    let by_operand = |each: u64| elements(&[each, operands()?]);
    let by_result = |each: u64| elements(&[each, results()?]);
    // A product along that many elements, a bias that may be there, and operations behind.
    let product = |depth: u64, bias: usize, behind: u64| {
        by_result(depth.checked_mul(2)?.checked_add(given(bias) + behind)?)
    };
    let activation = || u64::from(node.attributes.contains_key("activation"));
    match node.operator_type.as_str() {
        "MatMul" | "MatMulInteger" | "QLinearMatMul" => product(*input(0)?.last()?, NONE, 0),
        "FusedMatMul" | "TransposeMatMul" | "FusedMatMulActivation" => {
            product(depth_of_transposed(node, input(0)?)?, NONE, activation())
        }
        "DynamicQuantizeMatMul" => product(*input(0)?.last()?, 4, 0),
        "MatMulIntegerToFloat" => product(*input(0)?.last()?, 6, 0),
        "MatMulNBits" => product(*input(0)?.last()?, 5, 0),
        "MatMulBnb4" => product(*input(0)?.last()?, NONE, 0),
        "Gemm" | "FusedGemm" | "GemmFloat8" => {
            product(depth_of_gemm(node, input(0)?)?, 2, activation())
        }
        "QGemm" => product(depth_of_gemm(node, input(0)?)?, 6, 0),
        "GemmFastGelu" => product(*input(0)?.last()?, 2, 1),
        "Conv" | "ConvInteger" => {
            product(elements(input(1)?.get(1..)?)?, bias_of_convolution(node), 0)
        }
        "FusedConv" | "NhwcFusedConv" => {
            product(elements(input(1)?.get(1..)?)?, 2, activation() + given(3))
        }
        // A mask for each element that is read, beside what is read between pixels.
        "DeformConv" => product(elements(input(1)?.get(1..)?)?, 3, 0),
        "QLinearConv" => product(elements(input(3)?.get(1..)?)?, 8, 0),
        "ConvTranspose" => {
            // Every input element is spread over the kernel of its outputs.
            let kernel = elements(input(1)?.get(1..)?)?;
            let bias = if node.input(2).is_some() { results()? } else { 0 };
            elements(&[2, kernel, operands()?])?.checked_add(bias)
        }
        "Einsum" => einsum::flops(node, tensors),
        "Attention"
        | "QAttention"
        | "MultiHeadAttention"
        | "DecoderMaskedMultiHeadAttention"
        | "GroupQueryAttention" => attention::flops(node, tensors),
        "RotaryEmbedding" => attention::rotation(node, tensors),
        // Of the cell's state two products and a sum; of its function a product.
        "LSTM" | "DynamicQuantizeLSTM" => recurrence(node, tensors, 4, 5),
        // The state behind its gate; what is left of it, two products and a sum.
        "GRU" => recurrence(node, tensors, 3, 5),
        "RNN" => recurrence(node, tensors, 1, 0),
        "LinearRegressor" | "LinearClassifier" => linear(node, input(0)?),
        "MoE" => experts(node, tensors, [2, 4, 6], 1),
        "QMoE" => {
            let bits = node.int("expert_weight_bits").unwrap_or(4);
            experts(node, tensors, [2, 5, 8], u64::try_from(8 / bits.max(1)).ok()?)
        }
        "Max" | "Min" | "Sum" => by_result(node.inputs.len().saturating_sub(1) as u64),
        "Mean" => by_result(node.inputs.len() as u64),
        "BatchNormalization" => by_result(2),
        "LayerNormalization" => by_operand(NORMALIZATION + given(2)),
        "SkipLayerNormalization" => by_operand(1 + NORMALIZATION + given(3) + given(4)),
        // Of words, positions and perhaps segments.
        "EmbedLayerNormalization" => by_result(1 + given(4) + NORMALIZATION + 1),
        "RMSNormalization" | "SimplifiedLayerNormalization" => by_operand(ROOT_MEAN_SQUARE),
        "SkipSimplifiedLayerNormalization" => by_operand(1 + ROOT_MEAN_SQUARE + given(3)),
        "InstanceNormalization" | "GroupNormalization" => by_operand(NORMALIZATION + 1),
        // A sigmoid and a product behind it.
        "GroupNorm" => by_operand(NORMALIZATION + 1 + silu(node)),
        "SkipGroupNorm" => by_operand(1 + given(4) + NORMALIZATION + 1 + silu(node)),
        "MeanVarianceNormalization" => by_operand(NORMALIZATION - 1),
        // Power, sum, quotient.
        "LpNormalization" | "Normalizer" => by_operand(3),
        "LRN" => {
            // A square; the sum of neighbours; a factor, a summand, a power, a quotient.
            by_operand(u64::try_from(node.int("size")?).ok()?.checked_add(5)?)
        }
        "Softmax" | "LogSoftmax" | "QLinearSoftmax" => by_result(SOFTMAX),
        "BiasSoftmax" => by_result(SOFTMAX + 1),
        "AveragePool" | "MaxPool" | "LpPool" | "QLinearAveragePool" | "NhwcMaxPool" => {
            let kernel: Vec<u64> =
                node.ints("kernel_shape")?.iter().map(|&size| size.max(0) as u64).collect();
            elements(&[elements(&kernel)?, results()?])
        }
        "QuantizeLinear" | "DequantizeLinear" | "GatherBlockQuantized" | "Scaler" => by_result(2),
        "DynamicQuantizeLinear" => by_operand(4),
        "FastGelu" => by_result(1 + given(1)),
        "BiasGelu" | "BiasAdd" => by_result(2),
        "BiasDropout" => by_result(1 + given(2)),
        // Nearest neighbours are copied.
        "Resize" | "Upsample" if is_nearest(node) => Some(0),
        name if ELEMENT_WISE.contains(&name) => results(),
        name if REDUCTIONS.contains(&name) => operands(),
        name if DATA_MOVEMENT.contains(&name) => Some(0),
        _ => None,
    }
}

/// Position of a bias that an operator does not have.
const NONE: usize = usize::MAX;

/// ConvInteger has zero points in its place.
fn bias_of_convolution(node: &Node) -> usize {
    if node.operator_type == "Conv" { 2 } else { NONE }
}

/// The node multiplies and adds along an axis.
pub(crate) fn is_contraction(operator_type: &str) -> bool {
    #[rustfmt::skip] // one a line would take pages
    const CONTRACTIONS: [&str; 23] = [
        "MatMul", "MatMulInteger", "QLinearMatMul", "Gemm", "Conv", "ConvInteger",
        "QLinearConv", "ConvTranspose", "Einsum", "FusedMatMul", "TransposeMatMul",
        "FusedMatMulActivation", "DynamicQuantizeMatMul", "MatMulIntegerToFloat", "MatMulNBits",
        "MatMulBnb4", "FusedGemm", "GemmFloat8", "GemmFastGelu", "QGemm", "FusedConv",
        "NhwcFusedConv", "DeformConv",
    ];
    CONTRACTIONS.contains(&operator_type)
}

/// The node only moves data, so that an engine may leave it out.
pub(crate) fn moves_data(operator_type: &str) -> bool {
    DATA_MOVEMENT.contains(&operator_type)
}

/// One operation per element of the result.
#[rustfmt::skip] // one a line would take pages
const ELEMENT_WISE: [&str; 68] = [
    "Add", "Sub", "Mul", "Div", "Pow", "Mod", "Abs", "Neg", "Sign", "Reciprocal", "Sqrt", "Exp",
    "Log", "Erf", "Floor", "Ceil", "Round", "Sin", "Cos", "Tan", "Asin", "Acos", "Atan", "Sinh",
    "Cosh", "Tanh", "Asinh", "Acosh", "Atanh", "Sigmoid", "HardSigmoid", "HardSwish", "Relu",
    "LeakyRelu", "PRelu", "ThresholdedRelu", "Elu", "Selu", "Celu", "Gelu", "Mish", "Softplus",
    "Softsign", "Clip", "Shrink", "CumSum", "BitShift", "And", "Or", "Xor", "Not", "Equal",
    "Greater", "GreaterOrEqual", "Less", "LessOrEqual", "IsNaN", "IsInf", "BitwiseAnd",
    "BitwiseOr", "BitwiseXor", "BitwiseNot", "QuickGelu", "Swish", "QLinearAdd", "QLinearMul",
    "QLinearSigmoid", "QLinearLeakyRelu",
];

/// One operation per element of the operand.
#[rustfmt::skip] // one a line would take pages
const REDUCTIONS: [&str; 17] = [
    "ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2",
    "ReduceSumSquare", "ReduceLogSum", "ReduceLogSumExp", "ArgMax", "ArgMin",
    "GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool", "QLinearGlobalAveragePool",
    "QLinearReduceMean",
];

/// Operators without arithmetic.
#[rustfmt::skip] // one a line would take pages
const DATA_MOVEMENT: [&str; 50] = [
    "Reshape", "Transpose", "Squeeze", "Unsqueeze", "Flatten", "Identity", "Dropout", "Concat",
    "Split", "Slice", "Gather", "GatherElements", "GatherND", "Scatter", "ScatterElements",
    "ScatterND", "Expand", "Tile", "Pad", "Cast", "CastLike", "Constant", "ConstantOfShape",
    "Shape", "Size", "Range", "Where", "DepthToSpace", "SpaceToDepth", "EyeLike", "OneHot",
    "NonZero", "Compress", "ReverseSequence", "Trilu", "BitCast", "CenterCropPad",
    "TensorScatter", "QLinearConcat", "QLinearWhere", "SequenceConstruct", "SequenceAt",
    "SequenceInsert", "SplitToSequence", "ConcatFromSequence", "LabelEncoder",
    "ArrayFeatureExtractor",
    // The work is in their bodies, which are operators of their own.
    "Scan", "Loop", "If",
];

/// Elements along which a Gemm sums.
fn depth_of_gemm(node: &Node, operand: &[u64]) -> Option<u64> {
    let transposed = node.int("transA").unwrap_or(0) != 0;
    operand.get(usize::from(!transposed)).copied()
}

/// Elements along which com.microsoft's FusedMatMul sums.
fn depth_of_transposed(node: &Node, operand: &[u64]) -> Option<u64> {
    let is_set = |name: &str| node.int(name).unwrap_or(0) != 0;
    match (is_set("transA"), is_set("transBatchA")) {
        (false, _) => operand.last().copied(),
        (true, false) => operand.iter().rev().nth(1).or(operand.last()).copied(),
        // Rows lie in front of the batches.
        (true, true) => operand.first().copied(),
    }
}

fn silu(node: &Node) -> u64 {
    if node.int("activation").unwrap_or(0) != 0 { 2 } else { 0 }
}

fn is_nearest(node: &Node) -> bool {
    match node.attributes.get("mode") {
        None => true,
        Some(mode) => matches!(mode, Attribute::Text(mode) if mode == "nearest"),
    }
}

/// Coefficients are an attribute: for each row a product and a sum each, and an intercept.
fn linear(node: &Node, operand: &[u64]) -> Option<u64> {
    let count = |name: &str| match node.attributes.get(name) {
        Some(Attribute::Floats(floats)) => floats.len() as u64,
        _ => 0,
    };
    // A vector is a single row.
    let rows = if operand.len() > 1 { operand[0] } else { 1 };
    let each = count("coefficients").checked_mul(2)?.checked_add(count("intercepts"))?;
    elements(&[rows, each])
}

/// For each token the products of the experts that are chosen, and a softmax over all of them.
/// `in_element` numbers lie in an element of a weight.
fn experts(
    node: &Node,
    tensors: &TensorTable,
    weights: [usize; 3],
    in_element: u64,
) -> Option<u64> {
    let router = tensors.shape(node.input(1)?)?;
    let (&all, rows) = router.split_last()?;
    let tokens = elements(rows)?;
    let chosen = u64::try_from(node.int("k").unwrap_or(1)).ok()?;
    let given = weights.into_iter().filter_map(|index| node.input(index));
    let mut numbers = given.map(|name| elements(tensors.shape(name)?));
    let numbers = numbers.try_fold(0u64, |sum, own| sum.checked_add(own?))?;
    let each = numbers.checked_mul(in_element)?.checked_div(all)?;
    elements(&[2, tokens, chosen, each])?.checked_add(elements(&[SOFTMAX, tokens, all])?)
}

/// For every step, direction and sequence: the products of input and state with `gates` x
/// hidden rows each, a sum of both, a bias where there is one, a function per gate, and `mixing` operations per element of the state.
fn recurrence(node: &Node, tensors: &TensorTable, gates: u64, mixing: u64) -> Option<u64> {
    let shape = |index: usize| tensors.shape(node.input(index)?);
    let [first, second, inputs] = *shape(0)? else { return None };
    // As quantized, weights are transposed.
    let (directions, hidden) = match (shape(2)?, node.operator_type.as_str()) {
        (&[directions, hidden, _], "DynamicQuantizeLSTM") => (directions, hidden),
        (&[directions, _, hidden], _) => (directions, hidden),
        _ => return None,
    };
    let cells = elements(&[first, second, directions])?;
    let products = elements(&[2, gates, hidden, inputs.checked_add(hidden)?])?;
    let sums = if node.input(3).is_some() { 2 } else { 1 };
    let gate = elements(&[gates, hidden, sums + 1])?;
    let cell = products.checked_add(gate)?.checked_add(elements(&[mixing, hidden])?)?;
    elements(&[cells, cell])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn node(operator_type: &str, inputs: &[&str], attributes: &[(&str, Attribute)]) -> Node {
        Node {
            name: "n".to_string(),
            is_named: true,
            operator_type: operator_type.to_string(),
            inputs: inputs.iter().map(|name| name.to_string()).collect(),
            outputs: vec!["y".to_string()],
            attributes: attributes
                .iter()
                .map(|(name, value)| (name.to_string(), value.clone()))
                .collect::<BTreeMap<_, _>>(),
            bodies: Vec::new(),
        }
    }

    /// Counts multiply-adds one by one, as a program that computes them would.
    fn convolve_by_loops(
        (channels, height, width): (u64, u64, u64),
        outputs: u64,
        (kernel, stride, padding, group): (u64, u64, u64, u64),
    ) -> (u64, [u64; 4]) {
        let size = |extent: u64| (extent + 2 * padding - kernel) / stride + 1;
        let (rows, columns) = (size(height), size(width));
        let mut multiply_adds = 0;
        for _output in 0..outputs {
            for _position in 0..rows * columns {
                for _input in 0..channels / group {
                    for _tap in 0..kernel * kernel {
                        multiply_adds += 1;
                    }
                }
            }
        }
        (multiply_adds, [1, outputs, rows, columns])
    }

    #[test]
    fn matrix_products() {
        let tensors = TensorTable::of_shapes(&[
            ("a", &[8, 128, 256]),
            ("b", &[256, 1024]),
            ("y", &[8, 128, 1024]),
        ]);
        let matmul = node("MatMul", &["a", "b"], &[]);
        assert_eq!(flops(&matmul, &tensors), Some(2 * 8 * 128 * 256 * 1024));

        let tensors = TensorTable::of_shapes(&[
            ("a", &[64, 3]),
            ("b", &[64, 5]),
            ("c", &[5]),
            ("y", &[3, 5]),
        ]);
        let gemm = node("Gemm", &["a", "b", "c"], &[("transA", Attribute::Int(1))]);
        assert_eq!(flops(&gemm, &tensors), Some(2 * 3 * 5 * 64 + 3 * 5));
    }

    #[test]
    fn convolutions_agree_with_a_count_by_loops() {
        for (input, outputs, geometry) in [
            ((3, 96, 96), 16, (3, 2, 1, 1)),   // strided
            ((64, 48, 48), 64, (3, 2, 1, 64)), // depthwise
            ((48, 12, 12), 48, (3, 1, 1, 4)),  // grouped
            ((16, 7, 5), 24, (1, 1, 0, 1)),    // pointwise
        ] {
            let (multiply_adds, output) = convolve_by_loops(input, outputs, geometry);
            let (kernel, _, _, group) = geometry;
            let weight = [outputs, input.0 / group, kernel, kernel];
            let tensors = TensorTable::of_shapes(&[
                ("x", &[1, input.0, input.1, input.2]),
                ("w", &weight),
                ("y", &output),
            ]);
            let plain = node("Conv", &["x", "w"], &[]);
            assert_eq!(flops(&plain, &tensors), Some(2 * multiply_adds));
            let biased = node("Conv", &["x", "w", "b"], &[]);
            let results: u64 = output.iter().product();
            assert_eq!(flops(&biased, &tensors), Some(2 * multiply_adds + results));
        }
    }

    /// Counts the operations of a recurrence cell by cell, as its definition in ONNX has them.
    fn recur_by_loops(kind: &str, cells: u64, inputs: u64, hidden: u64, bias: bool) -> u64 {
        let mut operations = 0;
        for _cell in 0..cells {
            let gates = match kind {
                "LSTM" => 4,
                "GRU" => 3,
                _ => 1,
            };
            for _gate in 0..gates {
                for _row in 0..hidden {
                    operations += 2 * inputs + 2 * hidden; // W x, R h
                    operations += 1 + u64::from(bias); // W x + R h + (Wb + Rb)
                    operations += 1; // sigmoid or tanh
                }
            }
            for _row in 0..hidden {
                operations += match kind {
                    "LSTM" => 3 + 2,        // f * c + i * g; o * tanh(c)
                    "GRU" => 1 + 1 + 1 + 2, // r * h; 1 - z; (1 - z) * n + z * h
                    _ => 0,
                };
            }
        }
        operations
    }

    #[test]
    fn recurrences_agree_with_a_count_by_loops() {
        for (kind, gates) in [("LSTM", 4), ("GRU", 3), ("RNN", 1)] {
            for (bias, directions) in [(false, 1), (true, 2)] {
                let (steps, batch, inputs, hidden) = (5, 3, 7, 4);
                let tensors = TensorTable::of_shapes(&[
                    ("x", &[steps, batch, inputs]),
                    ("w", &[directions, gates * hidden, inputs]),
                    ("r", &[directions, gates * hidden, hidden]),
                    ("b", &[directions, 2 * gates * hidden]),
                ]);
                let operands = ["x", "w", "r", if bias { "b" } else { "" }];
                let cells = steps * batch * directions;
                assert_eq!(
                    flops(&node(kind, &operands, &[]), &tensors),
                    Some(recur_by_loops(kind, cells, inputs, hidden, bias)),
                    "{kind}, bias {bias}"
                );
            }
        }
    }

    #[test]
    fn what_has_no_formula_or_no_shape_is_unknown() {
        let tensors = TensorTable::of_shapes(&[("x", &[2, 2])]);
        assert_eq!(flops(&node("NonMaxSuppression", &["x"], &[]), &tensors), None);
        assert_eq!(flops(&node("Relu", &["x"], &[]), &tensors), None, "y has no shape");
        assert_eq!(flops(&node("Reshape", &["x"], &[]), &tensors), Some(0));
    }
}

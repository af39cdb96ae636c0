//! Operations of one execution of an ONNX node, by closed form from its shapes.
//!
//! A multiply-add is two operations; an element-wise function is one per
//! element of its result, however costly; moving data is none. The definitions
//! stand in `docs/statistics.md`. A node without a formula is unknown, not zero.

use super::graph::{Attribute, Node};
use super::tensor_table::TensorTable;
use onnxray_format::elements;

/// FLOPs of one execution of `node`.
pub(crate) fn flops(node: &Node, tensors: &TensorTable) -> Option<u64> {
    let input = |index: usize| tensors.shape(node.input(index)?);
    let output = || tensors.shape(node.output(0)?);
    let results = || elements(output()?);
    let operands = || elements(input(0)?);
    match node.operator_type.as_str() {
        "MatMul" | "MatMulInteger" | "QLinearMatMul" | "FusedMatMul" => {
            let depth = *input(0)?.last()?;
            elements(&[2, depth, results()?])
        }
        "Gemm" => {
            let transposed = node.int("transA").unwrap_or(0) != 0;
            let depth = *input(0)?.get(usize::from(!transposed))?;
            let bias = if node.input(2).is_some() { results()? } else { 0 };
            elements(&[2, depth, results()?])?.checked_add(bias)
        }
        "Conv" => convolution(input(1)?, results()?, node.input(2).is_some()),
        "ConvInteger" => convolution(input(1)?, results()?, false),
        "QLinearConv" => convolution(input(3)?, results()?, node.input(8).is_some()),
        "ConvTranspose" => {
            // Every input element is spread over the kernel of its outputs.
            let kernel = elements(input(1)?.get(1..)?)?;
            let bias = if node.input(2).is_some() { results()? } else { 0 };
            elements(&[2, kernel, operands()?])?.checked_add(bias)
        }
        "Einsum" => einsum(node, tensors),
        // Of the cell's state two products and a sum; of its function a product.
        "LSTM" => recurrence(node, tensors, 4, 5),
        // The state behind its gate; what is left of it, two products and a sum.
        "GRU" => recurrence(node, tensors, 3, 5),
        "RNN" => recurrence(node, tensors, 1, 0),
        "Max" | "Min" | "Sum" => {
            elements(&[node.inputs.len().saturating_sub(1) as u64, results()?])
        }
        "Mean" => elements(&[node.inputs.len() as u64, results()?]),
        "BatchNormalization" => elements(&[2, results()?]),
        "LayerNormalization" => {
            // Mean, difference, square, variance, quotient; then scale and bias.
            elements(&[if node.input(2).is_some() { 7 } else { 6 }, operands()?])
        }
        "InstanceNormalization" | "GroupNormalization" => elements(&[7, operands()?]),
        // Maximum, difference, exponential, sum, quotient.
        "Softmax" | "LogSoftmax" => elements(&[5, results()?]),
        "AveragePool" | "MaxPool" => {
            let kernel: Vec<u64> =
                node.ints("kernel_shape")?.iter().map(|&size| size.max(0) as u64).collect();
            elements(&[elements(&kernel)?, results()?])
        }
        "QuantizeLinear" | "DequantizeLinear" => elements(&[2, results()?]),
        "DynamicQuantizeLinear" => elements(&[4, operands()?]),
        name if ELEMENT_WISE.contains(&name) => results(),
        name if REDUCTIONS.contains(&name) => operands(),
        name if DATA_MOVEMENT.contains(&name) => Some(0),
        _ => None,
    }
}

/// Whether the node multiplies and adds along an axis.
pub(crate) fn is_contraction(operator_type: &str) -> bool {
    #[rustfmt::skip] // one a line would take pages
    const CONTRACTIONS: [&str; 10] = [
        "MatMul", "MatMulInteger", "QLinearMatMul", "Gemm", "Conv", "ConvInteger",
        "QLinearConv", "ConvTranspose", "Einsum", "FusedMatMul",
    ];
    CONTRACTIONS.contains(&operator_type)
}

/// Whether the node only moves data, so that an engine may leave it out.
pub(crate) fn moves_data(operator_type: &str) -> bool {
    DATA_MOVEMENT.contains(&operator_type)
}

/// One operation per element of the result.
#[rustfmt::skip] // one a line would take pages
const ELEMENT_WISE: [&str; 62] = [
    "Add", "Sub", "Mul", "Div", "Pow", "Mod", "Abs", "Neg", "Sign", "Reciprocal", "Sqrt", "Exp",
    "Log", "Erf", "Floor", "Ceil", "Round", "Sin", "Cos", "Tan", "Asin", "Acos", "Atan", "Sinh",
    "Cosh", "Tanh", "Asinh", "Acosh", "Atanh", "Sigmoid", "HardSigmoid", "HardSwish", "Relu",
    "LeakyRelu", "PRelu", "ThresholdedRelu", "Elu", "Selu", "Celu", "Gelu", "Mish", "Softplus",
    "Softsign", "Clip", "Shrink", "CumSum", "BitShift", "And", "Or", "Xor", "Not", "Equal",
    "Greater", "GreaterOrEqual", "Less", "LessOrEqual", "IsNaN", "IsInf", "BitwiseAnd",
    "BitwiseOr", "BitwiseXor", "BitwiseNot",
];

/// One operation per element of the operand.
#[rustfmt::skip] // one a line would take pages
const REDUCTIONS: [&str; 14] = [
    "ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2",
    "ReduceSumSquare", "ReduceLogSum", "ReduceLogSumExp", "ArgMax", "ArgMin",
    "GlobalAveragePool", "GlobalMaxPool",
];

/// No operations.
#[rustfmt::skip] // one a line would take pages
const DATA_MOVEMENT: [&str; 38] = [
    "Reshape", "Transpose", "Squeeze", "Unsqueeze", "Flatten", "Identity", "Dropout", "Concat",
    "Split", "Slice", "Gather", "GatherElements", "GatherND", "Scatter", "ScatterElements",
    "ScatterND", "Expand", "Tile", "Pad", "Cast", "CastLike", "Constant", "ConstantOfShape",
    "Shape", "Size", "Range", "Where", "DepthToSpace", "SpaceToDepth", "EyeLike", "OneHot",
    "NonZero", "Compress", "ReverseSequence", "Trilu",
    // The work is in their bodies, which are operators of their own.
    "Scan", "Loop", "If",
];

/// `weight` is output channels x input channels of a group x kernel.
fn convolution(weight: &[u64], results: u64, bias: bool) -> Option<u64> {
    let depth = elements(weight.get(1..)?)?;
    elements(&[2, depth, results])?.checked_add(if bias { results } else { 0 })
}

/// For every step, direction and sequence: the products of input and state with `gates` x
/// hidden rows each, a sum of both, a bias where there is one, a function per gate, and `mixing` operations per element of the state.
fn recurrence(node: &Node, tensors: &TensorTable, gates: u64, mixing: u64) -> Option<u64> {
    let shape = |index: usize| tensors.shape(node.input(index)?);
    let [first, second, inputs] = *shape(0)? else { return None };
    let [directions, _, hidden] = *shape(2)? else { return None };
    let cells = elements(&[first, second, directions])?;
    let products = elements(&[2, gates, hidden, inputs.checked_add(hidden)?])?;
    let sums = if node.input(3).is_some() { 2 } else { 1 };
    let gate = elements(&[gates, hidden, sums + 1])?;
    let cell = products.checked_add(gate)?.checked_add(elements(&[mixing, hidden])?)?;
    elements(&[cells, cell])
}

/// Two operands without ellipsis: one multiply-add for every combination of the
/// indices that occur.
fn einsum(node: &Node, tensors: &TensorTable) -> Option<u64> {
    let Some(Attribute::Text(equation)) = node.attributes.get("equation") else { return None };
    let terms: Vec<&str> = equation.split("->").next()?.split(',').map(str::trim).collect();
    if terms.len() != 2 || node.inputs.len() != 2 {
        return None;
    }
    let mut sizes: Vec<(char, u64)> = Vec::new();
    for (index, term) in terms.iter().enumerate() {
        let shape = tensors.shape(node.input(index)?)?;
        if term.chars().count() != shape.len() {
            return None;
        }
        for (letter, &size) in term.chars().zip(shape) {
            match sizes.iter().find(|(index, _)| *index == letter) {
                Some((_, other)) if *other != size => return None,
                Some(_) => {}
                None => sizes.push((letter, size)),
            }
        }
    }
    sizes.iter().try_fold(2u64, |total, (_, size)| total.checked_mul(*size))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn node(operator_type: &str, inputs: &[&str], attributes: &[(&str, Attribute)]) -> Node {
        Node {
            name: "n".to_string(),
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

    #[test]
    fn einsum_counts_the_indices_that_occur() {
        let tensors = TensorTable::of_shapes(&[("a", &[2, 3, 4]), ("b", &[2, 4, 5])]);
        let equation = ("equation", Attribute::Text("bij,bjk->bik".to_string()));
        assert_eq!(
            flops(&node("Einsum", &["a", "b"], &[equation]), &tensors),
            Some(2 * 2 * 3 * 4 * 5)
        );
    }
}

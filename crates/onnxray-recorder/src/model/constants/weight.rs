//! The constant matrix of a product or convolution: its source and its layout.

use super::packed::Packing;
use super::values::{Code, Elements, Packed, Spread, Stored};
use crate::model::graph::{Constant, Graph, Node};
use onnxray_format::{DataType, Weight};

/// A constant used as a weight, through nodes that only dequantize or transpose it.
struct Source<'a> {
    name: &'a str,
    constant: &'a Constant,
    quantization: Quantization<'a>,
    transposed: bool,
}

/// The inputs that make real values of integers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Quantization<'a> {
    scale: Option<&'a str>,
    zero_point: Option<&'a str>,
    /// Axis of the weight along which they vary; negative ones count from the end.
    axis: i64,
    /// Neighbours along `axis` that share one, with one for each element along the other axes; 0 if
    /// there is one for each position along `axis`.
    block: u64,
}

impl Quantization<'_> {
    /// Quantization of the transposed matrix.
    fn transposed(self) -> Self {
        Quantization { axis: 1i64.wrapping_sub(self.axis), ..self }
    }
}

/// The weight of a matrix product or convolution; `None` if the node is neither
/// or has no constant operand of the right rank.
pub(in crate::model) fn weight(node: &Node, graph: &Graph, elements: &Elements) -> Option<Weight> {
    stored(node, graph).map(|(constant, stored)| describe(constant, stored, elements))
}

/// Constant that holds the weight of a node, and its layout; `None` as for [`weight`].
pub(crate) fn stored<'a>(node: &'a Node, graph: &'a Graph) -> Option<(&'a Constant, Stored)> {
    // A constant operand, and which inputs are its scale and its zero point.
    let input = |index: usize, scale: Option<usize>, zero_point: Option<usize>| {
        let mut source = source(node.input(index)?, graph)?;
        let named = |index: Option<usize>| index.and_then(|index| node.input(index));
        let (scale, zero_point) = (named(scale), named(zero_point));
        if scale.or(zero_point).is_some() {
            // These operators have one per output.
            let axis = if node.operator_type.contains("Conv") { 0 } else { 1 };
            let own = Quantization { scale, zero_point, axis, block: 0 };
            source.quantization = if source.transposed { own.transposed() } else { own };
        }
        Some(source)
    };
    let plain = |index: usize| input(index, None, None);
    let is_set = |name: &str| node.int(name).unwrap_or(0) != 0;
    match node.operator_type.as_str() {
        // The first operand may be the constant one: then its rows are outputs.
        "MatMul" => match plain(1) {
            Some(right) => matrix(right, false),
            None => matrix(plain(0)?, true),
        },
        "FusedMatMul" | "TransposeMatMul" => match plain(1) {
            Some(right) => matrix(right, is_set("transB")),
            None => matrix(plain(0)?, !is_set("transA")),
        },
        "MatMulInteger" => matrix(input(1, None, Some(3))?, false),
        "QLinearMatMul" => matrix(input(3, Some(4), Some(5))?, false),
        "DynamicQuantizeMatMul" => matrix(input(1, Some(2), Some(3))?, false),
        "MatMulIntegerToFloat" => matrix(input(1, Some(3), Some(5))?, false),
        "QGemm" => matrix(input(3, Some(4), Some(5))?, is_set("transB")),
        "Gemm" | "FusedGemm" => matrix(plain(1)?, is_set("transB")),
        // Of com.microsoft: what makes queries, keys and values of its input.
        "Attention" if node.int("num_heads").is_some() => matrix(plain(1)?, false),
        "QAttention" => matrix(input(1, Some(4), Some(7))?, false),
        "MatMulNBits" => blocks(node, graph),
        "MatMulBnb4" => bits_and_bytes(node, graph),
        "Conv" | "FusedConv" | "NhwcFusedConv" | "DeformConv" => filters(plain(1)?),
        "ConvInteger" => filters(input(1, None, Some(3))?),
        "QLinearConv" => filters(input(3, Some(4), Some(5))?),
        _ => None,
    }
}

/// Outputs x inputs in blocks along the inputs, each with a scale and perhaps a zero point.
fn blocks<'a>(node: &'a Node, graph: &'a Graph) -> Option<(&'a Constant, Stored)> {
    let (name, zero_point) = (node.input(1)?, node.input(3));
    let constant = graph.constant(name)?;
    let weight = Packing::of(node, 1, constant)?;
    let data_type = match weight.bits {
        2 => DataType::U2,
        4 => DataType::U4,
        _ => DataType::U8,
    };
    // Zero points of the scales' type are as they are.
    let zero_points = zero_point.and_then(|name| Packing::of(node, 3, graph.constant(name)?));
    let stored = Stored {
        name: name.to_string(),
        data_type,
        zero_point: zero_point.map(str::to_string),
        scale: node.input(2).map(str::to_string),
        spread: Some(Spread { outputs: 1, inputs: block_size(node)? }),
        outputs: usize::try_from(weight.rows).ok()?,
        inputs: usize::try_from(weight.columns).ok()?,
        rows_are_outputs: true,
        packed: Some(Packed { weight, zero_points, code: Code::Distance }),
    };
    Some((constant, stored))
}

/// Outputs x inputs as entries of a table, with a scale per block.
fn bits_and_bytes<'a>(node: &'a Node, graph: &'a Graph) -> Option<(&'a Constant, Stored)> {
    let name = node.input(1)?;
    let constant = graph.constant(name)?;
    let weight = Packing::of(node, 1, constant)?;
    let size = |name: &str| usize::try_from(node.int(name)?).ok();
    let (outputs, inputs, block) = (size("N")?, size("K")?, block_size(node)?);
    // ONNX Runtime: 0 is FP4, 1 is NF4.
    let code = match node.int("quant_type").unwrap_or(1) {
        0 => Code::Float4,
        _ => Code::NormalFloat4,
    };
    let stored = Stored {
        name: name.to_string(),
        data_type: DataType::U4,
        zero_point: None,
        scale: node.input(2).map(str::to_string),
        // Blocks go on from row to row.
        spread: inputs.is_multiple_of(block).then_some(Spread { outputs: 1, inputs: block }),
        outputs,
        inputs,
        rows_are_outputs: true,
        packed: Some(Packed { weight, zero_points: None, code }),
    };
    Some((constant, stored))
}

fn block_size(node: &Node) -> Option<usize> {
    node.int("block_size").and_then(|size| usize::try_from(size).ok()).filter(|&size| size > 0)
}

/// Block-sparse kernels apply: their blocks span four outputs.
pub(in crate::model) fn sparse_support(weight: &Weight) -> bool {
    weight.outputs > 0 && weight.outputs.is_multiple_of(4)
}

fn source<'a>(name: &'a str, graph: &'a Graph) -> Option<Source<'a>> {
    let (mut name, mut transposed) = (name, false);
    // And whether a transposition lies between it and the node.
    let mut quantization = (Quantization::default(), false);
    loop {
        if let Some(constant) = graph.constant(name) {
            // Transposing twice is not transposing; more than two axes are not
            // followed.
            if transposed && constant.shape.len() != 2 {
                return None;
            }
            let (of_node, before) = quantization;
            let quantization = if before == transposed { of_node } else { of_node.transposed() };
            return Some(Source { name, constant, quantization, transposed });
        }
        let producer = &graph.nodes[*graph.producers.get(name)?];
        match producer.operator_type.as_str() {
            "DequantizeLinear" => {
                // 1 is ONNX's default of DequantizeLinear.
                let axis = producer.int("axis").unwrap_or(1);
                let block = producer.int("block_size").unwrap_or(0).max(0) as u64;
                let (scale, zero_point) = (producer.input(1), producer.input(2));
                quantization = (Quantization { scale, zero_point, axis, block }, transposed);
            }
            "Identity" | "Cast" => {}
            "Transpose" if producer.ints("perm") == Some(&[0, 1]) => {}
            "Transpose" => transposed = !transposed,
            _ => return None,
        }
        // Ends, since a file whose nodes need their own results is refused when it is read.
        name = producer.input(0)?;
    }
}

fn matrix(source: Source<'_>, rows_are_outputs: bool) -> Option<(&Constant, Stored)> {
    let &[rows, columns] = source.constant.shape.as_slice() else { return None };
    // A transposition between constant and node swaps what rows are.
    let rows_are_outputs = rows_are_outputs != source.transposed;
    let (outputs, inputs) = if rows_are_outputs { (rows, columns) } else { (columns, rows) };
    Some((source.constant, lying(&source, outputs, inputs, rows_are_outputs)))
}

fn filters(source: Source<'_>) -> Option<(&Constant, Stored)> {
    let (&outputs, rest) = source.constant.shape.split_first()?;
    if rest.len() < 2 {
        return None;
    }
    let inputs = onnxray_format::elements(rest)?;
    Some((source.constant, lying(&source, outputs, inputs, true)))
}

fn lying(source: &Source, outputs: u64, inputs: u64, rows_are_outputs: bool) -> Stored {
    let Quantization { scale, zero_point, .. } = source.quantization;
    let (outputs, inputs) = (outputs as usize, inputs as usize);
    Stored {
        name: source.name.to_string(),
        data_type: source.constant.data_type,
        zero_point: zero_point.map(str::to_string),
        scale: scale.map(str::to_string),
        spread: spread(source, outputs, inputs, rows_are_outputs),
        outputs,
        inputs,
        rows_are_outputs,
        packed: None,
    }
}

/// Blocks of a weight that share a zero point and a scale; `None` if they are not blocks of outputs
/// and inputs.
fn spread(
    source: &Source,
    outputs: usize,
    inputs: usize,
    rows_are_outputs: bool,
) -> Option<Spread> {
    let Quantization { axis, block, .. } = source.quantization;
    let shape = &source.constant.shape;
    let rank = shape.len() as i64;
    // Negative axes count from the end; a transposed one may be beyond it.
    let axis = axis.rem_euclid(rank.max(1));
    let outputs_axis = if rows_are_outputs { 0 } else { rank - 1 };
    let block = usize::try_from(block).ok()?;
    match (axis == outputs_axis, block) {
        (true, 0) => Some(Spread { outputs: 1, inputs }),
        (true, block) => Some(Spread { outputs: block, inputs: 1 }),
        // Elements of one input channel follow each other.
        (false, 0) if rank == 2 || axis == 1 => {
            let kernel = onnxray_format::elements(shape.get(2..).unwrap_or(&[]))?;
            Some(Spread { outputs, inputs: usize::try_from(kernel).ok()? })
        }
        (false, block) if rank == 2 && block > 0 => Some(Spread { outputs: 1, inputs: block }),
        (false, _) => None,
    }
}

fn describe(constant: &Constant, stored: Stored, elements: &Elements) -> Weight {
    let (name, outputs, inputs) = (stored.name.clone(), stored.outputs, stored.inputs);
    let data_type = stored.data_type;
    let contents = elements.contents(stored);
    Weight {
        name,
        data_type,
        stored_shape: constant.shape.clone(),
        outputs: outputs as u64,
        inputs: inputs as u64,
        sparse_ratios: contents.sparse_ratios,
        magnitudes: contents.magnitudes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::graph::Attribute;
    use crate::model::graph::Constants;
    use onnxray_format::Block;
    use std::collections::HashMap;
    use std::rc::Rc;

    /// A constant `w`.
    fn weight_of(shape: &[u64]) -> Rc<Constants> {
        let shape = shape.to_vec();
        let (data_type, initializer, is_sparse) = (DataType::S8, true, false);
        let weight = Constant { shape, data_type, initializer, numbers: None, is_sparse };
        let own = HashMap::from([("w".to_string(), weight)]);
        Rc::new(Constants { own, outer: None })
    }

    /// A graph of one constant `w` behind nodes from last to first.
    fn graph(nodes: &[(&str, &[(&str, Attribute)])]) -> Graph {
        let mut graph = Graph { constants: weight_of(&[8, 8]), ..Graph::default() };
        for (index, (operator_type, attributes)) in nodes.iter().enumerate() {
            let input =
                if index + 1 == nodes.len() { "w".to_string() } else { format!("t{}", index + 1) };
            graph.producers.insert(format!("t{index}"), index);
            graph.nodes.push(Node {
                name: format!("n{index}"),
                is_named: true,
                operator_type: operator_type.to_string(),
                inputs: vec![input, "scale".to_string(), "zero_point".to_string()],
                outputs: vec![format!("t{index}")],
                attributes: attributes.iter().map(|(k, v)| (k.to_string(), v.clone())).collect(),
                bodies: Vec::new(),
            });
        }
        graph
    }

    #[test]
    fn the_axis_of_scales_is_that_of_the_stored_weight() {
        let dequantize = ("DequantizeLinear", &[("axis", Attribute::Int(0))][..]);
        let transpose = ("Transpose", &[][..]);
        let check = |nodes: &[(&str, &[(&str, Attribute)])], transposed, axis| {
            let graph = graph(nodes);
            let source = source("t0", &graph).unwrap();
            let (scale, zero_point) = (Some("scale"), Some("zero_point"));
            let (axis, block) = axis;
            assert_eq!(source.quantization, Quantization { scale, zero_point, axis, block });
            assert_eq!(source.transposed, transposed);
        };
        check(&[dequantize], false, (0, 0));
        // Weight, dequantized, then transposed: the axis is the weight's own.
        check(&[transpose, dequantize], true, (0, 0));
        // Weight, transposed, then dequantized: its axis 0 is the weight's 1.
        check(&[dequantize, transpose], true, (1, 0));
        check(&[transpose, dequantize, transpose], false, (1, 0));
        let attributes = [("axis", Attribute::Int(0)), ("block_size", Attribute::Int(8))];
        check(&[("DequantizeLinear", &attributes)], false, (0, 8));
    }

    /// One to 64, scales of 1 to 8, and a zero point of ten.
    fn numbers(name: &str) -> Option<Vec<f64>> {
        match name {
            "w" => Some((1..=64).map(f64::from).collect()),
            "scales" => Some((1..=8).map(f64::from).collect()),
            "ten" => Some(vec![10.0]),
            _ => None,
        }
    }

    #[test]
    fn scales_come_from_the_inputs_that_hold_them() {
        // Mean of the three largest of 64, and the share of zeros.
        let check = |kind: &str, inputs: &[&str], shape: &[u64], largest, zeros| {
            let mut graph = graph(&[("DequantizeLinear", &[("axis", Attribute::Int(1))])]);
            graph.nodes[0].inputs = ["w", "scales", "ten"].map(str::to_string).to_vec();
            graph.constants = weight_of(shape);
            let node = Node {
                name: String::new(),
                is_named: true,
                operator_type: kind.to_string(),
                inputs: inputs.iter().map(|name| name.to_string()).collect(),
                outputs: Vec::new(),
                attributes: Default::default(),
                bodies: Vec::new(),
            };
            let weight = weight(&node, &graph, &Elements::new(numbers)).unwrap();
            assert_eq!(weight.magnitudes.last().copied(), largest, "{kind} {inputs:?}");
            assert_eq!(weight.sparse_ratio(Block::new(1, 1)), zeros, "{kind} {inputs:?}");
        };
        let (matrix, filters) = (&[8, 8][..], &[8, 2, 2, 2][..]);
        let one = Some(1.0 / 64.0);
        // (64 - 10) * 8, (63 - 10) * 7 and (56 - 10) * 8: a scale for each column.
        let by_column = Some(390.3333);
        check("MatMul", &["x", "t0"], matrix, by_column, one);
        check("QLinearMatMul", &["x", "a", "b", "w", "scales", "ten"], matrix, by_column, one);
        // (64 - 10) * 8, (63 - 10) * 8 and (62 - 10) * 8: one for each row.
        check("QLinearConv", &["x", "a", "b", "w", "scales", "ten"], filters, Some(424.0), one);
        // The same elements, whose columns are inputs.
        check("MatMul", &["t0", "x"], matrix, by_column, one);
        check("QLinearConv", &["x", "a", "b", "w", "computed", "ten"], filters, None, one);
        check("MatMulInteger", &["x", "w", "a", "ten"], matrix, None, one);
        check("MatMul", &["x", "w"], matrix, None, Some(0.0));
    }
}

//! The constant matrix of a product or convolution, and how sparse it is.

use crate::onnx::{Constant, Graph, Node};
use onnxray_format::{Block, SparseRatio, Weight};
use std::collections::HashMap;
use tract_onnx::data_resolver::MmapDataResolver;
use tract_onnx::pb;
use tract_onnx::prelude::*;

/// Contents of the model's initializers, loaded when asked for.
pub struct Initializers<'a> {
    tensors: HashMap<&'a str, &'a pb::TensorProto>,
    folder: Option<&'a str>,
}

impl<'a> Initializers<'a> {
    /// `folder` is where external data lies.
    pub fn new(proto: &'a pb::ModelProto, folder: Option<&'a str>) -> Initializers<'a> {
        let mut tensors = HashMap::new();
        if let Some(graph) = &proto.graph {
            collect(graph, &mut tensors);
        }
        Initializers { tensors, folder }
    }

    fn load(&self, name: &str) -> Option<Tensor> {
        let tensor = self.tensors.get(name)?;
        tract_onnx::tensor::load_tensor(&MmapDataResolver, tensor, self.folder).ok()
    }
}

fn collect<'a>(graph: &'a pb::GraphProto, tensors: &mut HashMap<&'a str, &'a pb::TensorProto>) {
    for node in &graph.node {
        for attribute in &node.attribute {
            if let Some(body) = &attribute.g {
                collect(body, tensors);
            }
            if let (Some(tensor), Some(output)) = (&attribute.t, node.output.first())
                && node.op_type == "Constant"
            {
                tensors.insert(output, tensor);
            }
        }
    }
    tensors.extend(graph.initializer.iter().map(|tensor| (tensor.name.as_str(), tensor)));
}

/// A constant that stands for a weight, found behind the nodes that only
/// dequantize or transpose it.
struct Source<'a> {
    name: &'a str,
    constant: &'a Constant,
    zero_point: Option<&'a str>,
    /// The axis of the stored shape along which there are several zero points.
    zero_point_axis: i64,
    transposed: bool,
}

/// The weight of a matrix product or convolution; `None` if the node is neither
/// or has no constant operand of the right rank.
pub fn weight(node: &Node, graph: &Graph, initializers: &Initializers) -> Option<Weight> {
    let input = |index: usize, zero_point: usize| {
        let mut source = source(node.input(index)?, graph)?;
        if let Some(name) = node.input(zero_point) {
            source.zero_point = Some(name);
            // These operators have one per output.
            let axis = if node.operator_type.contains("Conv") { 0 } else { 1 };
            source.zero_point_axis = if source.transposed { 1 - axis } else { axis };
        }
        Some(source)
    };
    match node.operator_type.as_str() {
        // The first operand may be the constant one: then its rows are outputs.
        "MatMul" => {
            let no_zero_point = usize::MAX;
            if let Some(right) = input(1, no_zero_point) {
                matrix(right, false, initializers)
            } else {
                matrix(input(0, no_zero_point)?, true, initializers)
            }
        }
        "MatMulInteger" => matrix(input(1, 3)?, false, initializers),
        "QLinearMatMul" => matrix(input(3, 5)?, false, initializers),
        "Gemm" => {
            let rows_are_outputs = node.int("transB").unwrap_or(0) != 0;
            matrix(input(1, usize::MAX)?, rows_are_outputs, initializers)
        }
        "Conv" => filters(input(1, usize::MAX)?, initializers),
        "ConvInteger" => filters(input(1, 3)?, initializers),
        "QLinearConv" => filters(input(3, 5)?, initializers),
        _ => None,
    }
}

/// Whether block-sparse kernels apply: blocks span four outputs.
pub fn sparse_support(weight: &Weight) -> bool {
    weight.outputs > 0 && weight.outputs.is_multiple_of(4)
}

fn source<'a>(name: &'a str, graph: &'a Graph) -> Option<Source<'a>> {
    let (mut name, mut transposed) = (name, false);
    // The input with the zero points, their axis, and whether a transposition
    // lies between them and the node.
    let mut zero_points: Option<(Option<&str>, i64, bool)> = None;
    loop {
        if let Some(constant) = graph.constant(name) {
            // Transposing twice is not transposing; more than two axes are not
            // followed.
            if transposed && constant.shape.len() != 2 {
                return None;
            }
            let (zero_point, axis, before) = zero_points.unwrap_or((None, 1, transposed));
            let zero_point_axis = if before == transposed { axis } else { 1 - axis };
            return Some(Source { name, constant, zero_point, zero_point_axis, transposed });
        }
        let producer = &graph.nodes[*graph.producers.get(name)?];
        match producer.operator_type.as_str() {
            "DequantizeLinear" => {
                let axis = producer.int("axis").unwrap_or(1);
                zero_points = Some((producer.input(2), axis, transposed));
            }
            "Identity" | "Cast" => {}
            "Transpose" if producer.ints("perm") == Some(&[0, 1]) => {}
            "Transpose" => transposed = !transposed,
            _ => return None,
        }
        name = producer.input(0)?;
    }
}

fn matrix(source: Source, rows_are_outputs: bool, initializers: &Initializers) -> Option<Weight> {
    let &[rows, columns] = source.constant.shape.as_slice() else { return None };
    let rows_are_outputs = rows_are_outputs != source.transposed;
    let (outputs, inputs) = if rows_are_outputs { (rows, columns) } else { (columns, rows) };
    Some(describe(&source, outputs, inputs, rows_are_outputs, initializers))
}

fn filters(source: Source, initializers: &Initializers) -> Option<Weight> {
    let (&outputs, rest) = source.constant.shape.split_first()?;
    if rest.len() < 2 {
        return None;
    }
    let inputs = onnxray_format::elements(rest)?;
    Some(describe(&source, outputs, inputs, true, initializers))
}

fn describe(
    source: &Source,
    outputs: u64,
    inputs: u64,
    rows_are_outputs: bool,
    initializers: &Initializers,
) -> Weight {
    let zeros = zeros(source, outputs as usize, inputs as usize, rows_are_outputs, initializers);
    let sparse_ratios = Block::ALL
        .iter()
        .map(|&block| {
            let ratio = zeros
                .as_ref()
                .and_then(|zeros| sparse_ratio(zeros, outputs as usize, inputs as usize, block));
            SparseRatio { block, ratio }
        })
        .collect();
    Weight {
        name: source.name.to_string(),
        data_type: source.constant.data_type,
        stored_shape: source.constant.shape.clone(),
        outputs,
        inputs,
        sparse_ratios,
    }
}

/// Which elements are zero, row-major in outputs x inputs. An element of a
/// quantized weight is zero where it equals its zero point, which may differ
/// per output. `rows_are_outputs` tells how the weight is stored.
fn zeros(
    source: &Source,
    outputs: usize,
    inputs: usize,
    rows_are_outputs: bool,
    initializers: &Initializers,
) -> Option<Vec<bool>> {
    let values = numbers(&initializers.load(source.name)?)?;
    let zero_points = match source.zero_point {
        Some(name) => numbers(&initializers.load(name)?)?,
        None => vec![0.0],
    };
    let rank = source.constant.shape.len() as i64;
    let outputs_axis = if rows_are_outputs { 0 } else { rank - 1 };
    let per_output = (source.zero_point_axis + rank) % rank == outputs_axis;
    let usable = zero_points.len() == 1 || (zero_points.len() == outputs && per_output);
    if values.len() != outputs * inputs || !usable {
        return None;
    }
    let zero = |output: usize, input: usize| {
        let index =
            if rows_are_outputs { output * inputs + input } else { input * outputs + output };
        let zero_point = if zero_points.len() == 1 { 0 } else { output };
        values[index] == zero_points[zero_point]
    };
    Some((0..outputs * inputs).map(|index| zero(index / inputs, index % inputs)).collect())
}

/// Elements as numbers; 32-bit integers and all shorter types are exact.
fn numbers(tensor: &Tensor) -> Option<Vec<f64>> {
    let tensor = tensor.cast_to::<f64>().ok()?;
    let values = tensor.to_plain_array_view::<f64>().ok()?;
    Some(values.iter().copied().collect())
}

/// Share of blocks in which every element is zero. Remainders beyond a multiple
/// of the block are left out; `None` if there is no whole block.
fn sparse_ratio(zeros: &[bool], outputs: usize, inputs: usize, block: Block) -> Option<f64> {
    let (rows, columns) = (block.outputs as usize, block.inputs as usize);
    let (down, across) = (outputs / rows, inputs / columns);
    if down * across == 0 {
        return None;
    }
    let mut empty = 0usize;
    for top in (0..down).map(|index| index * rows) {
        for left in (0..across).map(|index| index * columns) {
            let all_zero = (top..top + rows)
                .all(|row| zeros[row * inputs + left..][..columns].iter().all(|&zero| zero));
            empty += usize::from(all_zero);
        }
    }
    Some(empty as f64 / (down * across) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::onnx::Attribute;
    use onnxray_format::DataType;

    #[test]
    fn blocks_lie_in_outputs_by_inputs() {
        // Four outputs by four inputs; input 1 is zero for all outputs.
        let zeros: Vec<bool> = (0..16).map(|index| index % 4 == 1).collect();
        let ratio = |outputs, inputs| sparse_ratio(&zeros, 4, 4, Block::new(outputs, inputs));
        assert_eq!(ratio(1, 1), Some(0.25));
        assert_eq!(ratio(4, 1), Some(0.25), "a column of four outputs");
        assert_eq!(ratio(1, 4), Some(0.0));
        assert_eq!(ratio(1, 16), None, "no whole block");
    }

    #[test]
    fn remainders_are_left_out() {
        let zeros = vec![true; 5 * 3];
        assert_eq!(sparse_ratio(&zeros, 5, 3, Block::new(4, 1)), Some(1.0));
        let mut zeros = vec![true; 5 * 3];
        zeros[4 * 3] = false; // in the remainder
        assert_eq!(sparse_ratio(&zeros, 5, 3, Block::new(4, 1)), Some(1.0));
    }

    /// A graph of one constant `w` behind nodes from last to first.
    fn graph(nodes: &[(&str, &[(&str, Attribute)])]) -> Graph {
        let mut graph = Graph::default();
        let weight = Constant { shape: vec![8, 8], data_type: DataType::S8, initializer: true };
        graph.constants.insert("w".to_string(), weight);
        for (index, (operator_type, attributes)) in nodes.iter().enumerate() {
            let input =
                if index + 1 == nodes.len() { "w".to_string() } else { format!("t{}", index + 1) };
            graph.producers.insert(format!("t{index}"), index);
            graph.nodes.push(Node {
                name: format!("n{index}"),
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
    fn the_axis_of_zero_points_is_that_of_the_stored_weight() {
        let dequantize = ("DequantizeLinear", &[("axis", Attribute::Int(0))][..]);
        let transpose = ("Transpose", &[][..]);
        let check = |nodes: &[(&str, &[(&str, Attribute)])], transposed, axis| {
            let graph = graph(nodes);
            let found = source("t0", &graph).unwrap();
            assert_eq!((found.transposed, found.zero_point_axis), (transposed, axis));
            assert_eq!(found.zero_point, Some("zero_point"));
        };
        check(&[dequantize], false, 0);
        // Weight, dequantized, then transposed: the axis is the weight's own.
        check(&[transpose, dequantize], true, 0);
        // Weight, transposed, then dequantized: its axis 0 is the weight's 1.
        check(&[dequantize, transpose], true, 1);
        check(&[transpose, dequantize, transpose], false, 1);
    }
}

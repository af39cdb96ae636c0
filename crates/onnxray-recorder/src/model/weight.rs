//! The constant matrix of a product or convolution: where it is and how it lies.

use super::graph::{Constant, Graph, Node};
use super::values::{Elements, Stored};
use onnxray_format::Weight;

/// A constant that stands for a weight, found behind the nodes that only
/// dequantize or transpose it.
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
    /// The axis of the weight along which there are several of them; below 0 it
    /// counts from the end. `None` if there is one for each block.
    axis: Option<i64>,
}

impl Quantization<'_> {
    /// The same of the transposed matrix.
    fn transposed(self) -> Self {
        Quantization { axis: self.axis.map(|axis| 1i64.wrapping_sub(axis)), ..self }
    }
}

/// The weight of a matrix product or convolution; `None` if the node is neither
/// or has no constant operand of the right rank.
pub(super) fn weight(node: &Node, graph: &Graph, elements: &Elements) -> Option<Weight> {
    stored(node, graph).map(|(constant, stored)| describe(constant, stored, elements))
}

/// The constant that holds the weight of a node, and how it lies in it; `None` as of
/// [`weight`].
pub(crate) fn stored<'a>(node: &'a Node, graph: &'a Graph) -> Option<(&'a Constant, Stored)> {
    // A constant operand, and which inputs are its scale and its zero point.
    let input = |index: usize, scale: Option<usize>, zero_point: Option<usize>| {
        let mut source = source(node.input(index)?, graph)?;
        let named = |index: Option<usize>| index.and_then(|index| node.input(index));
        let (scale, zero_point) = (named(scale), named(zero_point));
        if scale.or(zero_point).is_some() {
            // These operators have one per output.
            let axis = Some(if node.operator_type.contains("Conv") { 0 } else { 1 });
            let own = Quantization { scale, zero_point, axis };
            source.quantization = if source.transposed { own.transposed() } else { own };
        }
        Some(source)
    };
    let plain = |index: usize| input(index, None, None);
    match node.operator_type.as_str() {
        // The first operand may be the constant one: then its rows are outputs.
        "MatMul" => match plain(1) {
            Some(right) => matrix(right, false),
            None => matrix(plain(0)?, true),
        },
        "MatMulInteger" => matrix(input(1, None, Some(3))?, false),
        "QLinearMatMul" => matrix(input(3, Some(4), Some(5))?, false),
        "Gemm" => {
            let rows_are_outputs = node.int("transB").unwrap_or(0) != 0;
            matrix(plain(1)?, rows_are_outputs)
        }
        "Conv" => filters(plain(1)?),
        "ConvInteger" => filters(input(1, None, Some(3))?),
        "QLinearConv" => filters(input(3, Some(4), Some(5))?),
        _ => None,
    }
}

/// Whether block-sparse kernels apply: blocks span four outputs.
pub(super) fn sparse_support(weight: &Weight) -> bool {
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
                let blocked = producer.int("block_size").unwrap_or(0) != 0;
                let axis = (!blocked).then(|| producer.int("axis").unwrap_or(1));
                let (scale, zero_point) = (producer.input(1), producer.input(2));
                quantization = (Quantization { scale, zero_point, axis }, transposed);
            }
            "Identity" | "Cast" => {}
            "Transpose" if producer.ints("perm") == Some(&[0, 1]) => {}
            "Transpose" => transposed = !transposed,
            _ => return None,
        }
        name = producer.input(0)?;
    }
}

fn matrix(source: Source<'_>, rows_are_outputs: bool) -> Option<(&Constant, Stored)> {
    let &[rows, columns] = source.constant.shape.as_slice() else { return None };
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
    let rank = source.constant.shape.len() as i64;
    let outputs_axis = if rows_are_outputs { 0 } else { rank - 1 };
    let Quantization { scale, zero_point, axis } = source.quantization;
    Stored {
        name: source.name.to_string(),
        data_type: source.constant.data_type,
        zero_point: zero_point.map(str::to_string),
        scale: scale.map(str::to_string),
        per_output: axis.is_some_and(|axis| axis.rem_euclid(rank) == outputs_axis),
        outputs: outputs as usize,
        inputs: inputs as usize,
        rows_are_outputs,
    }
}

fn describe(constant: &Constant, stored: Stored, elements: &Elements) -> Weight {
    let (name, outputs, inputs) = (stored.name.clone(), stored.outputs, stored.inputs);
    let contents = elements.contents(stored);
    Weight {
        name,
        data_type: constant.data_type,
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
    use onnxray_format::{Block, DataType};
    use std::collections::HashMap;
    use std::rc::Rc;

    /// A constant `w`.
    fn weight_of(shape: &[u64]) -> Rc<Constants> {
        let shape = shape.to_vec();
        let weight = Constant { shape, data_type: DataType::S8, initializer: true, numbers: None };
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
            assert_eq!(source.quantization, Quantization { scale, zero_point, axis });
            assert_eq!(source.transposed, transposed);
        };
        check(&[dequantize], false, Some(0));
        // Weight, dequantized, then transposed: the axis is the weight's own.
        check(&[transpose, dequantize], true, Some(0));
        // Weight, transposed, then dequantized: its axis 0 is the weight's 1.
        check(&[dequantize, transpose], true, Some(1));
        check(&[transpose, dequantize, transpose], false, Some(1));
        let attributes = [("axis", Attribute::Int(0)), ("block_size", Attribute::Int(8))];
        check(&[("DequantizeLinear", &attributes)], false, None);
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
        check("MatMul", &["t0", "x"], matrix, None, one); // a scale for each input
        check("QLinearConv", &["x", "a", "b", "w", "computed", "ten"], filters, None, one);
        check("MatMulInteger", &["x", "w", "a", "ten"], matrix, None, one);
        check("MatMul", &["x", "w"], matrix, None, Some(0.0));
    }
}

//! How the outputs of a model are compared, by what its graph says of them.

use super::spec::MeasureChoice;
use crate::model::file::OnnxFile;
use crate::model::graph::{Graph, Node};
use onnxray_format::{LossMeasure, LossOutput};

/// Chooses how an output is compared, with the reason for it.
pub(super) fn measure(
    file: &OnnxFile,
    name: &str,
    shape: &[usize],
    choice: MeasureChoice,
) -> LossOutput {
    let graph = &*file.graph;
    let is_probabilities = probabilities(file, name, shape.len());
    let (measure, reason) = match choice {
        MeasureChoice::L2 => (LossMeasure::RelativeL2, "asked for"),
        MeasureChoice::Kl if is_probabilities => {
            (LossMeasure::KlProbabilities, "asked for; a Softmax makes it")
        }
        MeasureChoice::Kl => (LossMeasure::KlLogits, "asked for"),
        MeasureChoice::Auto if is_probabilities => {
            (LossMeasure::KlProbabilities, "a Softmax makes it")
        }
        MeasureChoice::Auto if name.to_ascii_lowercase().contains("logit") => {
            (LossMeasure::KlLogits, "its name")
        }
        // With three axes it may be a hidden state, whose last axis is not of classes.
        MeasureChoice::Auto if shape.len() == 2 && is_of_product(graph, name) => {
            (LossMeasure::KlLogits, "a matrix product makes it, items by classes")
        }
        MeasureChoice::Auto => (LossMeasure::RelativeL2, "nothing says that it is of classes"),
    };
    LossOutput { name: name.to_string(), measure: Some(measure), reason: reason.to_string() }
}

/// The node that makes a tensor, looking through changes of storage.
fn maker<'a>(graph: &'a Graph, name: &str) -> Option<&'a Node> {
    let mut name = name;
    loop {
        let node = &graph.nodes[*graph.producers.get(name)?];
        match node.operator_type.as_str() {
            // They keep what the values mean. The model has run, so this is not a circle.
            "Identity" | "Cast" | "QuantizeLinear" | "DequantizeLinear" => name = node.input(0)?,
            _ => return Some(node),
        }
    }
}

/// Whether the output is a Softmax along its last axis.
fn probabilities(file: &OnnxFile, name: &str, rank: usize) -> bool {
    let Some(node) = maker(&file.graph, name).filter(|node| node.operator_type == "Softmax") else {
        return false;
    };
    // Until operator set 13 it went over all axes from one on, the second unless stated.
    let flattens = file.protobuf.operator_set().is_none_or(|version| version < 13);
    let axis = node.int("axis").unwrap_or(if flattens { 1 } else { -1 });
    // Only along the last axis are rows distributions, which the divergence is summed over.
    axis == -1 || axis == rank as i64 - 1
}

/// Whether the output is a matrix product, perhaps with a constant added or scaled by one.
fn is_of_product(graph: &Graph, name: &str) -> bool {
    let mut name = name;
    loop {
        let Some(node) = maker(graph, name) else { return false };
        match node.operator_type.as_str() {
            "Gemm" | "MatMul" | "MatMulInteger" | "QLinearMatMul" | "QGemm" => return true,
            "Add" | "Mul" => {
                let is_constant =
                    |name: &&str| graph.constant(name).is_some() || graph.is_folded(name);
                let (first, second) = (node.input(0), node.input(1));
                let computed: Vec<&str> = [first, second]
                    .into_iter()
                    .flatten()
                    .filter(|name| !is_constant(name))
                    .collect();
                name = match (computed[..].first(), computed.get(1), node.operator_type.as_str()) {
                    (Some(only), None, _) => only,
                    // The scale of what was quantized on the way is computed as well.
                    (Some(first), Some(_), "Mul") if is_integer_product(graph, first) => {
                        return true;
                    }
                    _ => return false,
                };
            }
            _ => return false,
        }
    }
}

fn is_integer_product(graph: &Graph, name: &str) -> bool {
    maker(graph, name).is_some_and(|node| node.operator_type == "MatMulInteger")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn of(model: &str, shape: &[usize], choice: MeasureChoice) -> LossMeasure {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/models");
        let file = OnnxFile::read(&folder.join(model)).unwrap();
        measure(&file, &file.graph.outputs[0], shape, choice).measure.unwrap()
    }

    #[test]
    fn outputs_of_classes_are_told_from_others() {
        let auto = MeasureChoice::Auto;
        for model in ["cnn.onnx", "cnn-int8.onnx"] {
            assert_eq!(of(model, &[1, 10], auto), LossMeasure::KlLogits, "{model}");
            assert_eq!(of(model, &[1, 10], MeasureChoice::L2), LossMeasure::RelativeL2);
        }
        assert_eq!(of("scan.onnx", &[8, 1, 32], auto), LossMeasure::RelativeL2);
        assert_eq!(of("scan.onnx", &[8, 1, 32], MeasureChoice::Kl), LossMeasure::KlLogits);
    }
}

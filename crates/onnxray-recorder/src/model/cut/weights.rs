//! Which weights a model reads behind a cut.

use super::places::computing;
use crate::model::graph::{Constant, Graph, Node};
use crate::model::tensor_table::TensorTable;
use onnxray_format::elements;
use std::collections::HashMap;

/// The weights of a model: at which position of its nodes each is read first, and its bytes. Those of
/// unknown size are not among them.
pub(crate) struct Weights(Vec<Weight>);

#[derive(Debug, PartialEq)]
struct Weight {
    first: usize,
    bytes: u64,
}

impl Weights {
    pub(crate) fn of(graph: &Graph, tensors: &TensorTable) -> Weights {
        let mut found: HashMap<&str, Weight> = HashMap::new();
        let mut bodies = Vec::new();
        for (position, node) in computing(graph) {
            let mut read = |name, bytes: Option<u64>| {
                let Some(bytes) = bytes else { return };
                found.entry(name).or_insert(Weight { first: position, bytes });
            };
            for name in read_whole(node) {
                read(name, bytes(graph, tensors, name));
            }
            for (_, body) in &node.bodies {
                in_body(body, &mut |own, name| match graph.constant(name) {
                    Some(constant) => read(name, size(constant)),
                    // Of the body itself, which no other node reads.
                    None => bodies
                        .extend(own.and_then(size).map(|bytes| Weight { first: position, bytes })),
                });
            }
        }
        Weights(found.into_values().chain(bodies).collect())
    }

    /// Bytes of those that nodes from this position on read alone.
    pub(crate) fn behind(&self, end: usize) -> u64 {
        self.sum(|weight| weight.first >= end)
    }

    fn sum(&self, is_counted: impl Fn(&Weight) -> bool) -> u64 {
        let own = self.0.iter().filter(|weight| is_counted(weight));
        own.fold(0, |sum, weight| sum.saturating_add(weight.bytes))
    }
}

/// Inputs of a node but for a table, of which it reads a few rows.
fn read_whole(node: &Node) -> impl Iterator<Item = &str> {
    let tables = match node.operator_type.as_str() {
        "Gather" | "GatherElements" | "GatherND" => 0..1,
        // Of words, positions and segments.
        "EmbedLayerNormalization" => 2..5,
        _ => 0..0,
    };
    let inputs = node.inputs.iter().enumerate();
    inputs.filter(move |(at, _)| !tables.contains(at)).map(|(_, name)| name.as_str())
}

/// Tells the constants that the nodes of a body read, with those of bodies in it.
fn in_body<'a>(body: &'a Graph, tell: &mut impl FnMut(Option<&'a Constant>, &'a str)) {
    for node in &body.nodes {
        for name in read_whole(node) {
            tell(body.constant(name), name);
        }
        node.bodies.iter().for_each(|(_, inner)| in_body(inner, tell));
    }
}

/// Bytes of a tensor that is the same in each run; `None` of another one, or of unknown size. Of a
/// quantized weight, those of its small integers: kernels read them.
fn bytes(graph: &Graph, tensors: &TensorTable, name: &str) -> Option<u64> {
    if let Some(constant) = graph.constant(name) {
        return size(constant);
    }
    let producer = graph.is_folded(name).then(|| graph.producers.get(name)).flatten();
    let producer = &graph.nodes[*producer?];
    match producer.operator_type.as_str() {
        "DequantizeLinear" => bytes(graph, tensors, producer.input(0)?),
        _ => tensors.tensor(name).bytes(),
    }
}

fn size(constant: &Constant) -> Option<u64> {
    constant.data_type.bytes_of(elements(&constant.shape)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::infer;
    use crate::model::cut::{Blocks, places};
    use crate::model::file::OnnxFile;
    use crate::model::sizes::dimensions::{GivenDimensions, bind};
    use std::path::Path;

    fn file(model: &str) -> OnnxFile {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/models");
        OnnxFile::read(&folder.join(model)).unwrap()
    }

    #[test]
    fn weights_are_those_of_the_file_and_fewer_behind_each_cut() {
        for model in ["encoder.onnx", "cnn.onnx", "encoder-int8.onnx"] {
            let file = file(model);
            let is_encoder = model.starts_with("encoder");
            let sizes = is_encoder.then(|| ("sequence".to_string(), 16)).into_iter().collect();
            let given = GivenDimensions { sizes, ..GivenDimensions::default() };
            let bound = bind(&file.graph, &given).unwrap();
            let tensors = infer(&file, &bound).unwrap();
            let weights = Weights::of(&file.graph, &tensors);
            let (all, stored) = (weights.behind(0), file.stored_bytes());
            // Of the encoders' tables of words, a run reads a few rows.
            let least = if is_encoder { 0.6 } else { 0.9 };
            let share = all as f64 / stored as f64;
            assert!((least..=1.0).contains(&share), "{model}: {all} of {stored} bytes");
            let cuts = places(&file.graph, &tensors, &Blocks { most: 6, ..Blocks::default() });
            let behind: Vec<u64> = cuts.iter().map(|cut| weights.behind(cut.end)).collect();
            assert!(behind.is_sorted_by(|one, next| one > next) && behind[0] < all, "{behind:?}");
            assert_eq!(weights.behind(file.graph.nodes.len()), 0);
        }
    }

    #[test]
    fn constants_of_bodies_count_and_need_no_engine() {
        for (model, least) in [("scan.onnx", 1000), ("encoder.onnx", 1_000_000)] {
            let weights = Weights::of(&file(model).graph, &TensorTable::default());
            assert!(weights.behind(0) >= least, "{model}: {}", weights.behind(0));
        }
    }
}

//! What an ONNX file says of each of its nodes, for traces of engines that this
//! crate does not run.

use crate::engine;
use crate::error::RecordError;
use crate::model::constants::values::Elements;
use crate::model::describe::{Group, bytes, describe};
use crate::model::file::OnnxFile;
use crate::model::graph::Graph;
use crate::model::sizes::dimensions::{GivenDimensions, bind};
use crate::model::tensor_table::TensorTable;
use onnxray_format::{Dimension, Operator};
use onnxray_import::ModelNodes;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::rc::Rc;

/// Beyond this many nodes and inputs, shapes stay unknown: the time that it takes to infer
/// them grows with the square of their number, to minutes.
const LARGEST: usize = 50_000;

/// The nodes of a model, one operator each, bodies after the node that holds
/// them.
#[derive(Serialize, Deserialize)]
pub struct OnnxNodes {
    /// Name of the file without its folder.
    pub file_name: String,
    /// SHA-256 of the file in hexadecimal.
    pub sha256: Option<String>,
    /// Elements of all parameters.
    pub parameters: Option<u64>,
    /// Size of the batch, where the inputs have one.
    pub batch_size: Option<u64>,
    /// The free dimensions and their sizes; empty if they could not be bound.
    pub dimensions: Vec<Dimension>,
    /// A row for each node.
    pub model: ModelNodes,
    /// Why shapes, and with them FLOPs, are unknown.
    pub shapes_unknown: Option<String>,
}

impl OnnxNodes {
    /// Reads the file. Shapes are inferred where our own engine can do so;
    /// where it cannot, types and weights are known all the same.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is not a whole ONNX model.
    pub fn read(path: &Path, given: &GivenDimensions) -> Result<OnnxNodes, RecordError> {
        OnnxNodes::of(path, given, None)
    }

    /// Without shapes if there is a reason.
    pub(crate) fn of(
        path: &Path,
        given: &GivenDimensions,
        unknown: Option<String>,
    ) -> Result<OnnxNodes, RecordError> {
        let file = Rc::new(OnnxFile::read(path)?);
        // A trace may state a batch that the model does not have.
        let bound = bind(&file.graph, given).or_else(|error| match error {
            RecordError::FixedBatch { .. } | RecordError::NoBatch { .. } => {
                bind(&file.graph, &GivenDimensions { batch_size: None, ..given.clone() })
            }
            error => Err(error),
        });
        let inferred = match (&bound, unknown) {
            (_, Some(reason)) => Err(reason),
            (Ok(_), None) if size(&file.graph) > LARGEST => Err(format!(
                "shapes are inferred for up to {LARGEST} nodes and inputs, and the model has {}",
                size(&file.graph)
            )),
            (Ok(bound), None) => engine::infer(&file, bound).map_err(|error| error.to_string()),
            (Err(error), None) => Err(error.to_string()),
        };
        let bound = bound.ok();
        let no_tensors = TensorTable::default();
        let tensors = inferred.as_ref().unwrap_or(&no_tensors);
        let mut nodes = Vec::new();
        add(&file.graph, tensors, &file.elements(), None, &mut nodes);
        let (nodes, constant) = nodes.into_iter().unzip();
        let mut calls = file.graph.calls.clone();
        file.graph.walk(&mut |node| {
            for call in node.bodies.iter().flat_map(|(_, body)| &body.calls) {
                if !calls.contains(call) {
                    calls.push(call.clone());
                }
            }
        });
        Ok(OnnxNodes {
            file_name: file.name(),
            sha256: file.sha256(),
            parameters: file.parameters(),
            batch_size: bound.as_ref().and_then(|bound| bound.batch_size),
            dimensions: bound.map(|bound| bound.dimensions).unwrap_or_default(),
            model: ModelNodes { nodes, constant, calls },
            shapes_unknown: inferred.err(),
        })
    }
}

/// Nodes and inputs, those of bodies included.
fn size(graph: &Graph) -> usize {
    let mut nodes = 0;
    graph.walk(&mut |_| nodes += 1);
    nodes + graph.inputs.len()
}

fn add(
    graph: &Graph,
    tensors: &TensorTable,
    elements: &Elements,
    parent: Option<u32>,
    nodes: &mut Vec<(Operator, bool)>,
) {
    let no_tensors = TensorTable::default();
    for (node, &is_constant) in graph.nodes.iter().zip(&graph.folded) {
        // Before its bodies: they come after it, and refer to it.
        let number = nodes.len() as u32;
        let group = Group { naming: node, nodes: vec![node], graph, tensors, runs: 1 };
        let mut operator = Operator {
            number,
            name: node.name.clone(),
            operator_type: node.operator_type.clone(),
            parent,
            attributes: node.attribute_texts(),
            ..Operator::default()
        };
        describe(&mut operator, &group, elements);
        operator.flops = group.flops();
        operator.bytes = bytes(&operator, Some(graph), 1);
        nodes.push((operator, is_constant));
        for (attribute, body) in &node.bodies {
            let inner = tensors.body(&node.name, attribute).unwrap_or(&no_tensors);
            add(body, inner, elements, Some(number), nodes);
        }
    }
}

//! What an ONNX file says of each of its nodes, for traces of engines that this
//! crate does not run.

use crate::dimensions::{self, GivenDimensions};
use crate::error::RecordError;
use crate::model::{self, Model};
use crate::onnx::{self, Graph, OnnxModel};
use crate::operators::{Group, bytes, describe};
use crate::tensors::TensorTable;
use crate::values::Initializers;
use onnxray_format::{Dimension, Operator};
use std::path::Path;

/// The nodes of a model, one operator each, bodies after the node that holds
/// them.
pub struct OnnxNodes {
    pub file_name: String,
    pub sha256: Option<String>,
    pub parameters: Option<u64>,
    pub batch_size: Option<u64>,
    pub dimensions: Vec<Dimension>,
    pub nodes: Vec<Operator>,
    /// Why shapes, and with them FLOPs, are unknown.
    pub shapes_unknown: Option<String>,
}

impl OnnxNodes {
    /// Reads the file. Shapes are inferred where the engine can load the model;
    /// where it cannot, types and weights are known all the same.
    pub fn read(path: &Path, given: &GivenDimensions) -> Result<OnnxNodes, RecordError> {
        let onnx = OnnxModel::read(path)?;
        let initializers = Initializers::new(&onnx.proto, model::folder(path));
        let loaded = Model::load(path, given);
        let bound = dimensions::bind(&onnx.graph, given).ok();
        let (tensors, shapes_unknown) = match loaded {
            Ok(model) => (model.tensors, None),
            Err(error) => (TensorTable::default(), Some(error.to_string())),
        };
        let mut nodes = Vec::new();
        add(&onnx.graph, &tensors, &initializers, None, &mut nodes);
        let name = path.file_name().unwrap_or(path.as_os_str());
        Ok(OnnxNodes {
            file_name: name.to_string_lossy().into_owned(),
            sha256: onnx::sha256(path).ok(),
            parameters: onnx.graph.parameters(),
            batch_size: bound.as_ref().and_then(|bound| bound.batch_size),
            dimensions: bound.map(|bound| bound.dimensions).unwrap_or_default(),
            nodes,
            shapes_unknown,
        })
    }
}

fn add(
    graph: &Graph,
    tensors: &TensorTable,
    initializers: &Initializers,
    parent: Option<u32>,
    nodes: &mut Vec<Operator>,
) {
    let empty = TensorTable::default();
    for node in &graph.nodes {
        let number = nodes.len() as u32;
        let group = Group { naming: node, nodes: vec![node], graph, tensors, runs: 1 };
        let attributes = node.attributes.iter().map(|(k, v)| (k.clone(), v.to_string()));
        let mut operator = Operator {
            number,
            name: node.name.clone(),
            operator_type: node.operator_type.clone(),
            parent,
            attributes: attributes.collect(),
            ..Operator::default()
        };
        describe(&mut operator, &group, initializers);
        operator.flops = group.flops();
        operator.bytes = bytes(&operator, Some(graph), 1);
        nodes.push(operator);
        for (attribute, body) in &node.bodies {
            let inner = tensors.body(&node.name, attribute).unwrap_or(&empty);
            add(body, inner, initializers, Some(number), nodes);
        }
    }
}

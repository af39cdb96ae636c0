//! Reads the types and shapes of the file's tensors off the model before it is
//! optimized, while every tensor still has its name.

use super::kernels::{data_type, fact_shape, typed_bodies};
use crate::model::graph::Graph;
use crate::model::tensor_table::{TensorTable, TensorType};
use std::collections::HashMap;
use tract_onnx::prelude::*;

/// The table of `graph`, with those of its bodies.
pub(super) fn tensor_table(graph: &Graph, model: &TypedModel) -> TensorTable {
    within(graph, model, None)
}

/// `outer` is the table of the graph around a body.
fn within(graph: &Graph, model: &TypedModel, outer: Option<&TensorTable>) -> TensorTable {
    let mut inferred = Vec::new();
    for node in model.nodes() {
        for (slot, output) in node.outputs.iter().enumerate() {
            let label = model.outlet_label(OutletId::new(node.id, slot));
            // Inputs and constants may have no label: there the node bears the tensor's name.
            let source = (node.inputs.is_empty() && slot == 0).then_some(node.name.as_str());
            let Some(name) = label.or(source) else { continue };
            let data_type = Some(data_type(output.fact.datum_type));
            let tensor = TensorType { data_type, shape: fact_shape(&output.fact) };
            inferred.push((name.to_string(), tensor));
        }
    }
    let mut table = TensorTable::new(graph, inferred, outer);
    let by_name: HashMap<&str, &TypedNode> =
        // In reverse, so that of nodes that share a name the first one stays.
        model.nodes().iter().rev().map(|typed| (typed.name.as_str(), typed)).collect();
    for node in graph.nodes.iter().filter(|node| !node.bodies.is_empty()) {
        let Some(typed) = by_name.get(node.name.as_str()) else { continue };
        for (attribute, body) in typed_bodies(typed) {
            if let Some((_, body_graph)) = node.bodies.iter().find(|(name, _)| name == attribute) {
                let inner = within(body_graph, body, Some(&table));
                table.insert_body(&node.name, attribute, inner);
            }
        }
    }
    table
}

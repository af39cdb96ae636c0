//! Element type and shape of every ONNX tensor, as the engine inferred them.

use crate::engine;
use crate::onnx::Graph;
use onnxray_format::{DataType, Tensor};
use std::collections::HashMap;
use tract_onnx::prelude::*;

/// The tensors of one graph and, below it, of its bodies.
#[derive(Debug, Default)]
pub struct TensorTable {
    known: HashMap<String, Known>,
    bodies: HashMap<(String, String), TensorTable>,
}

#[derive(Clone, Debug)]
struct Known {
    data_type: Option<DataType>,
    shape: Option<Vec<u64>>,
}

impl TensorTable {
    /// Reads the table off a typed model that is not optimized yet, in which
    /// every ONNX tensor still has its name.
    pub fn new(graph: &Graph, model: &TypedModel) -> TensorTable {
        TensorTable::with_outer(graph, model, &HashMap::new())
    }

    fn with_outer(
        graph: &Graph,
        model: &TypedModel,
        outer: &HashMap<String, Known>,
    ) -> TensorTable {
        let mut known = outer.clone();
        for (name, constant) in &graph.constants {
            let shape = Some(constant.shape.clone());
            known.insert(name.clone(), Known { data_type: Some(constant.data_type), shape });
        }
        for node in model.nodes() {
            for (slot, output) in node.outputs.iter().enumerate() {
                let label = model.outlet_label(OutletId::new(node.id, slot));
                let source = (node.inputs.is_empty() && slot == 0).then_some(node.name.as_str());
                let Some(name) = label.or(source) else { continue };
                let data_type = Some(engine::data_type(output.fact.datum_type));
                let shape = engine::fact_shape(&output.fact);
                known.insert(name.to_string(), Known { data_type, shape });
            }
        }
        let mut bodies = HashMap::new();
        for node in graph.nodes.iter().filter(|node| !node.bodies.is_empty()) {
            let Some(typed) = model.nodes().iter().find(|typed| typed.name == node.name) else {
                continue;
            };
            for (attribute, body) in engine::typed_bodies(typed) {
                if let Some((_, body_graph)) = node.bodies.iter().find(|(a, _)| a == attribute) {
                    let table = TensorTable::with_outer(body_graph, body, &known);
                    bodies.insert((node.name.clone(), attribute.to_string()), table);
                }
            }
        }
        TensorTable { known, bodies }
    }

    /// The table of the graph in `attribute` of `node`.
    pub fn body(&self, node: &str, attribute: &str) -> Option<&TensorTable> {
        self.bodies.get(&(node.to_string(), attribute.to_string()))
    }

    pub fn shape(&self, name: &str) -> Option<&[u64]> {
        self.known.get(name)?.shape.as_deref()
    }

    pub fn tensor(&self, name: &str) -> Tensor {
        let known = self.known.get(name);
        Tensor {
            name: name.to_string(),
            data_type: known.and_then(|known| known.data_type),
            shape: known.and_then(|known| known.shape.clone()),
        }
    }

    #[cfg(test)]
    pub fn of_shapes(shapes: &[(&str, &[u64])]) -> TensorTable {
        let known = shapes.iter().map(|(name, shape)| {
            let known = Known { data_type: Some(DataType::Fp32), shape: Some(shape.to_vec()) };
            (name.to_string(), known)
        });
        TensorTable { known: known.collect(), bodies: HashMap::new() }
    }
}

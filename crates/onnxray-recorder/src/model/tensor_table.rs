//! Element type and shape of every tensor of a model, as an engine inferred them.

use super::graph::Graph;
use onnxray_format::{DataType, Tensor};
use std::collections::HashMap;

/// The tensors of one graph and, below it, of its bodies.
#[derive(Debug, Default)]
pub struct TensorTable {
    tensors: HashMap<String, TensorType>,
    bodies: HashMap<(String, String), TensorTable>,
}

/// `None` is unknown.
#[derive(Clone, Debug)]
pub(crate) struct TensorType {
    pub(crate) data_type: Option<DataType>,
    pub(crate) shape: Option<Vec<u64>>,
}

impl TensorTable {
    /// The table of `graph` before its other tensors are added: the constants, and for
    /// a body the tensors of the graph around it.
    pub(crate) fn new(graph: &Graph, outer: Option<&TensorTable>) -> TensorTable {
        let mut tensors = outer.map(|outer| outer.tensors.clone()).unwrap_or_default();
        tensors.extend(graph.constants.iter().map(|(name, constant)| {
            let shape = Some(constant.shape.clone());
            (name.clone(), TensorType { data_type: Some(constant.data_type), shape })
        }));
        TensorTable { tensors, bodies: HashMap::new() }
    }

    /// Adds a tensor.
    pub(crate) fn insert(&mut self, name: &str, tensor: TensorType) {
        self.tensors.insert(name.to_string(), tensor);
    }

    /// Adds the table of the graph in `attribute` of `node`.
    pub(crate) fn insert_body(&mut self, node: &str, attribute: &str, body: TensorTable) {
        self.bodies.insert((node.to_string(), attribute.to_string()), body);
    }

    /// The table of the graph in `attribute` of `node`.
    pub(crate) fn body(&self, node: &str, attribute: &str) -> Option<&TensorTable> {
        self.bodies.get(&(node.to_string(), attribute.to_string()))
    }

    pub(crate) fn shape(&self, name: &str) -> Option<&[u64]> {
        self.tensors.get(name)?.shape.as_deref()
    }

    pub(crate) fn tensor(&self, name: &str) -> Tensor {
        let tensor = self.tensors.get(name);
        Tensor {
            name: name.to_string(),
            data_type: tensor.and_then(|tensor| tensor.data_type),
            shape: tensor.and_then(|tensor| tensor.shape.clone()),
        }
    }

    #[cfg(test)]
    pub(super) fn of_shapes(shapes: &[(&str, &[u64])]) -> TensorTable {
        let mut table = TensorTable::default();
        for (name, shape) in shapes {
            let tensor =
                TensorType { data_type: Some(DataType::Fp32), shape: Some(shape.to_vec()) };
            table.insert(name, tensor);
        }
        table
    }
}

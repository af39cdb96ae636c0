//! Element type and shape of every tensor of a model, as an engine inferred them.

use super::graph::Graph;
use onnxray_format::{DataType, Tensor};
use std::collections::HashMap;
use std::rc::Rc;

/// The tensors of one graph and, below it, of its bodies.
#[derive(Debug, Default)]
pub struct TensorTable {
    tensors: Rc<Tensors>,
    bodies: HashMap<(String, String), TensorTable>,
}

/// The tensors that a graph may read: its own, and those of the graphs around it, which
/// bodies share.
#[derive(Debug, Default)]
struct Tensors {
    own: HashMap<String, TensorType>,
    outer: Option<Rc<Tensors>>,
}

impl Tensors {
    fn get(&self, name: &str) -> Option<&TensorType> {
        let mut scopes = std::iter::successors(Some(self), |scope| scope.outer.as_deref());
        scopes.find_map(|scope| scope.own.get(name))
    }
}

/// Type of a tensor; `None` is unknown.
#[derive(Clone, Debug)]
pub(crate) struct TensorType {
    pub(crate) data_type: Option<DataType>,
    pub(crate) shape: Option<Vec<u64>>,
}

impl TensorTable {
    /// The table of `graph`, without its bodies: its constants, what was `inferred`, and
    /// for a body the tensors of the graph around it.
    pub(crate) fn new(
        graph: &Graph,
        inferred: impl IntoIterator<Item = (String, TensorType)>,
        outer: Option<&TensorTable>,
    ) -> TensorTable {
        let constants = graph.constants.own.iter().map(|(name, constant)| {
            let shape = Some(constant.shape.clone());
            (name.clone(), TensorType { data_type: Some(constant.data_type), shape })
        });
        // What was inferred comes last and so replaces what the file says of a constant.
        let own = constants.chain(inferred).collect();
        let outer = outer.map(|outer| Rc::clone(&outer.tensors));
        TensorTable { tensors: Rc::new(Tensors { own, outer }), bodies: HashMap::new() }
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
        let tensor = |shape: &[u64]| TensorType {
            data_type: Some(DataType::Fp32),
            shape: Some(shape.to_vec()),
        };
        let tensors = shapes.iter().map(|(name, shape)| (name.to_string(), tensor(shape)));
        TensorTable::new(&Graph::default(), tensors, None)
    }
}

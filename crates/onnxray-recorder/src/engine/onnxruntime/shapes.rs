//! Types and shapes of a model's tensors, from a run of it.

use super::executed::{Executed, ExecutedNode};
use crate::model::dimensions::BoundDimensions;
use crate::model::graph::{Graph, Node};
use crate::model::tensor_table::{TensorTable, TensorType};
use onnxray_format::Tensor;

/// The tensors of a graph that are known before it runs: constants and inputs.
pub(super) fn given(graph: &Graph, bound: &BoundDimensions) -> TensorTable {
    TensorTable::new(graph, inputs(graph, bound), None)
}

fn inputs<'a>(
    graph: &'a Graph,
    bound: &'a BoundDimensions,
) -> impl Iterator<Item = (String, TensorType)> + 'a {
    graph.inputs.iter().zip(&bound.shapes).map(|(input, shape)| {
        let shape = Some(shape.clone());
        (input.name.clone(), TensorType { data_type: Some(input.data_type), shape })
    })
}

/// The tensors of `graph`, of whose nodes those of `executed` are. A tensor that was never
/// computed is unknown.
pub(super) fn seen(graph: &Graph, bound: &BoundDimensions, executed: &Executed) -> TensorTable {
    let known = inputs(graph, bound).collect();
    within(graph, executed, None, known, None)
}

fn within(
    graph: &Graph,
    executed: &Executed,
    home: Option<(usize, &str)>,
    mut known: Vec<(String, TensorType)>,
    outer: Option<&TensorTable>,
) -> TensorTable {
    let numbers = executed.of_graph(home);
    for &number in numbers {
        let node = &executed.nodes[number];
        if let Some(saved) = executed.saved(node) {
            known.extend(tensors(graph, saved, node));
        }
    }
    let mut table = TensorTable::new(graph, known, outer);
    for &number in numbers {
        let Some(&position) = graph.names.get(&executed.nodes[number].name) else { continue };
        let holder = &graph.nodes[position];
        for (attribute, body) in &holder.bodies {
            let home = Some((number, attribute.as_str()));
            let inner = within(body, executed, home, Vec::new(), Some(&table));
            table.insert_body(&holder.name, attribute, inner);
        }
    }
    table
}

/// What a profile says of a node's tensors. It has no names, and leaves out weights that
/// were packed and what is not a tensor: the rest counts only if its number tells what it is.
fn tensors(graph: &Graph, saved: &Node, node: &ExecutedNode) -> Vec<(String, TensorType)> {
    let named = |names: &[String], seen: &[Tensor]| -> Vec<(String, TensorType)> {
        let given = names.iter().filter(|name| !name.is_empty());
        let varying = given.clone().filter(|name| graph.constant(name).is_none());
        let names: Vec<&String> = match seen.len() {
            count if count == given.clone().count() => given.collect(),
            count if count == varying.clone().count() => varying.collect(),
            _ => return Vec::new(),
        };
        let types = seen
            .iter()
            .map(|tensor| TensorType { data_type: tensor.data_type, shape: tensor.shape.clone() });
        names.into_iter().cloned().zip(types).collect()
    };
    let mut tensors = named(&saved.inputs, &node.inputs);
    tensors.extend(named(&saved.outputs, &node.outputs));
    tensors
}

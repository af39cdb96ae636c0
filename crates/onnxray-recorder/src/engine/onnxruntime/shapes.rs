//! Types and shapes of a model's tensors, from a run of it.

use super::executed::Executed;
use super::executed_node::ExecutedNode;
use super::origins::own_names;
use crate::model::graph::Graph;
use crate::model::sizes::dimensions::BoundDimensions;
use crate::model::tensor_table::{TensorTable, TensorType};
use onnxray_format::Tensor;
use onnxray_import::origins::OwnNames;
use std::borrow::Cow;

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
    let names = own_names(graph, executed, numbers);
    for (&number, names) in numbers.iter().zip(&names) {
        known.extend(tensors(graph, names, &executed.nodes[number]));
    }
    let mut table = TensorTable::new(graph, known, outer);
    for (&number, names) in numbers.iter().zip(&names) {
        let name = if names.name.is_empty() { &executed.nodes[number].name } else { &*names.name };
        let Some(&position) = graph.names.get(name) else { continue };
        let holder = &graph.nodes[position];
        for (attribute, body) in &holder.bodies {
            let home = Some((number, attribute.as_str()));
            let inner = within(body, executed, home, Vec::new(), Some(&table));
            table.insert_body(&holder.name, attribute, inner);
        }
    }
    table
}

/// Types and shapes from a node's profile. It names no tensors, and omits packed weights and
/// anything that is not a tensor: it counts only if the number of tensors tells which they are.
fn tensors(graph: &Graph, own: &OwnNames, node: &ExecutedNode) -> Vec<(String, TensorType)> {
    let named = |names: &[Cow<str>], seen: &[Tensor]| -> Vec<(String, TensorType)> {
        let given = names.iter().map(|name| &**name).filter(|name| !name.is_empty());
        // Packed weights are missing in a profile: then only what varies can be counted off.
        let varying = given.clone().filter(|name| graph.constant(name).is_none());
        let names: Vec<&str> = match seen.len() {
            count if count == given.clone().count() => given.collect(),
            count if count == varying.clone().count() => varying.collect(),
            _ => return Vec::new(),
        };
        let types = seen
            .iter()
            .map(|tensor| TensorType { data_type: tensor.data_type, shape: tensor.shape.clone() });
        names.into_iter().map(str::to_string).zip(types).collect()
    };
    let mut tensors = named(&own.inputs, &node.inputs);
    tensors.extend(named(&own.outputs, &node.outputs));
    tensors
}

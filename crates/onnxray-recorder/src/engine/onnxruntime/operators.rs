//! The table of operators: a row for every node that a session executes.

use super::executed::Executed;
use super::executed_node::ExecutedNode;
use super::origins::{Origin, origins};
use crate::engine::row_names::RowNames;
use crate::model::constants::values::Elements;
use crate::model::describe::{Group, bytes, describe};
use crate::model::file::OnnxFile;
use crate::model::graph::Graph;
use crate::model::tensor_table::TensorTable;
use onnxray_format::Operator;
use std::collections::HashMap;

/// Makes the table of what was `executed` for a model. `tensors` are those of the model's
/// graph, `own` those of the graph that is executed.
pub(super) fn operators(
    file: &OnnxFile,
    executed: &Executed,
    tensors: &TensorTable,
    own: &TensorTable,
) -> Vec<Operator> {
    let elements = file.elements();
    let mut builder =
        Builder { executed, elements: &elements, names: RowNames::default(), rows: Vec::new() };
    builder.rows.resize_with(executed.nodes.len(), Operator::default);
    let scope = Scope { graph: Some(&file.graph), tensors, own };
    builder.add_graph(None, &scope);
    // Those of no graph that was saved; if none was, names have led to their nodes.
    for number in 0..executed.nodes.len() {
        let node = &executed.nodes[number];
        if node.position.is_none() && (executed.is_saved() || node.home.is_some()) {
            builder.rows[number] = builder.row(number, &Origin::default(), &scope);
        }
    }
    builder.rows
}

/// A graph of the model, and the tensors of it and of the one that is executed for it.
struct Scope<'a> {
    /// `None` for a body that the runtime made.
    graph: Option<&'a Graph>,
    tensors: &'a TensorTable,
    own: &'a TensorTable,
}

struct Builder<'a> {
    executed: &'a Executed,
    elements: &'a Elements<'a>,
    names: RowNames,
    rows: Vec<Operator>,
}

impl Builder<'_> {
    fn add_graph(&mut self, home: Option<(usize, &str)>, scope: &Scope) {
        let executed = self.executed;
        let numbers = executed.of_graph(home);
        let origins = match scope.graph {
            Some(graph) => origins(graph, executed, numbers),
            None => vec![Origin::default(); numbers.len()],
        };
        let nothing = TensorTable::default();
        for (&number, origin) in numbers.iter().zip(&origins) {
            self.rows[number] = self.row(number, origin, scope);
        }
        self.type_helpers(numbers, &origins);
        for (&number, origin) in numbers.iter().zip(&origins) {
            let Some(saved) = executed.saved(&executed.nodes[number]) else { continue };
            let owner = origin.named_after.zip(scope.graph).map(|(node, graph)| &graph.nodes[node]);
            for (attribute, _) in &saved.bodies {
                let of_model = owner.and_then(|owner| {
                    let (_, body) = owner.bodies.iter().find(|(name, _)| name == attribute)?;
                    Some((&**body, scope.tensors.body(&owner.name, attribute)))
                });
                let inner = Scope {
                    graph: of_model.map(|(body, _)| body),
                    tensors: of_model.and_then(|(_, tensors)| tensors).unwrap_or(&nothing),
                    own: scope.own.body(&saved.name, attribute).unwrap_or(&nothing),
                };
                self.add_graph(Some((number, attribute)), &inner);
            }
        }
    }

    /// A node and its helpers are one operator, of the type that the node ran as.
    fn type_helpers(&mut self, numbers: &[usize], origins: &[Origin]) {
        let (helpers, others): (Vec<_>, Vec<_>) =
            numbers.iter().zip(origins).partition(|(_, origin)| origin.nodes.is_empty());
        let others = others.into_iter().filter(|(_, origin)| !origin.is_part);
        let ran: HashMap<usize, String> = others
            .filter_map(|(&row, origin)| {
                Some((origin.named_after?, self.rows[row].operator_type.clone()))
            })
            .collect();
        for (&row, origin) in helpers {
            if let Some(ran) = origin.named_after.and_then(|node| ran.get(&node)) {
                self.rows[row].operator_type.clone_from(ran);
            }
        }
    }

    fn row(&mut self, number: usize, origin: &Origin, scope: &Scope) -> Operator {
        let node = &self.executed.nodes[number];
        let mut row = Operator {
            number: number as u32,
            kernel: Some(node.operator_type.clone()),
            provider: node.provider.clone(),
            parent: node.home.as_ref().map(|(holder, _)| *holder as u32),
            // Not seen in the one run that was observed: unknown, and not never.
            executions: Some(node.executions).filter(|&executions| executions > 0),
            allocated_bytes: node.allocated_bytes,
            ..Operator::default()
        };
        let naming = origin.named_after.zip(scope.graph).map(|(node, graph)| &graph.nodes[node]);
        let Some((naming, graph)) = naming.zip(scope.graph) else {
            self.describe_alone(&mut row, node, scope);
            return row;
        };
        row.attributes = naming.attribute_texts();
        let is_helper = origin.nodes.is_empty();
        let role = if is_helper { node.operator_type.as_str() } else { "" };
        row.name = self.names.unique(&naming.name, role);
        // A helper does what its node needs, and a part not all of it; anything else is what the
        // runtime made of its nodes.
        let is_all = !is_helper && !origin.is_part;
        let ran = if is_all { &node.operator_type } else { &naming.operator_type };
        row.operator_type.clone_from(ran);
        if is_helper {
            row.nodes = vec![naming.name.clone()];
            // The row of its node has them: counted twice, sums would be too large.
            (row.flops, row.parameters) = (Some(0), Some(0));
            (row.inputs, row.outputs) = (node.inputs.clone(), node.outputs.clone());
            row.bytes = bytes(&row, None, 1);
            return row;
        }
        let nodes = origin.nodes.iter().map(|&node| &graph.nodes[node]).collect();
        let group = Group { naming, nodes, graph, tensors: scope.tensors, runs: 1 };
        describe(&mut row, &group, self.elements);
        row.flops = group.flops();
        row.bytes = bytes(&row, Some(graph), 1);
        row
    }

    /// Describes a node that the model does not have, such as one of a function's body, as it was
    /// saved.
    fn describe_alone(&mut self, row: &mut Operator, node: &ExecutedNode, scope: &Scope) {
        row.name = self.names.unique(&node.name, "");
        row.operator_type = match self.executed.is_saved() {
            true => node.operator_type.clone(),
            false => without_numbers(&node.operator_type).to_string(),
        };
        let Some((graph, saved)) = self.executed.graph_of(node).zip(self.executed.saved(node))
        else {
            (row.inputs, row.outputs) = (node.inputs.clone(), node.outputs.clone());
            return;
        };
        row.attributes = saved.attribute_texts();
        let group = Group { naming: saved, nodes: vec![saved], graph, tensors: scope.own, runs: 1 };
        describe(row, &group, self.elements);
        row.flops = group.flops();
        row.bytes = bytes(row, Some(graph), 1);
    }
}

/// The type of a node that a provider compiled: `ggml` of `ggml_12006121150619075896_0`, where the
/// first number is of the model, and the second counts such nodes.
fn without_numbers(name: &str) -> &str {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    match name.rsplit_once('_') {
        Some((rest, number)) if is_number(number) && !rest.is_empty() => without_numbers(rest),
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_compiled_nodes_are_without_numbers() {
        assert_eq!(without_numbers("ggml_12006121150619075896_0"), "ggml");
        assert_eq!(without_numbers("OpenVINO-EP-subgraph_2"), "OpenVINO-EP-subgraph");
        assert_eq!(without_numbers("_1"), "_1");
        assert_eq!(without_numbers("cpu_ep"), "cpu_ep");
    }
}

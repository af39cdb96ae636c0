//! The table of operators: what is known of a model without running it.
//!
//! One row for every node that the engine executes, bodies of loops and branches
//! included, numbered in depth-first order; `instrument` counts the same way.

use super::kernels::{self, Body, KernelKind};
use super::origin::Origin;
use super::provenance;
use super::sparse::{Dense, SparseProduct};
use crate::engine::row_names::RowNames;
use crate::model::constants::values::Elements;
use crate::model::cost::flops::flops;
use crate::model::describe::{Group, bytes, describe};
use crate::model::file::OnnxFile;
use crate::model::graph::{Graph, Node};
use crate::model::tensor_table::TensorTable;
use onnxray_format::{Operator, Tensor, ZeroBlocks};
use std::collections::{HashMap, HashSet};
use tract_onnx::prelude::*;

/// Makes the table for an optimized model.
pub(super) fn operators(
    file: &OnnxFile,
    model: &TypedModel,
    tensors: &TensorTable,
    dense: Option<&Dense>,
) -> TractResult<Vec<Operator>> {
    let elements = file.elements();
    let mut builder =
        Builder { elements: &elements, operators: Vec::new(), names: RowNames::default(), dense };
    let scope = Scope {
        graph: Some(&file.graph),
        tensors,
        executions: Some(1),
        parent: None,
        elsewhere: HashSet::new(),
    };
    builder.add_graph(model, &scope)?;
    Ok(builder.operators)
}

struct Builder<'a> {
    elements: &'a Elements<'a>,
    operators: Vec<Operator>,
    names: RowNames,
    /// Why products do not skip zeros, where that was asked for.
    dense: Option<&'a Dense>,
}

/// The graph that is being walked, and its surroundings.
struct Scope<'a> {
    /// `None` for a body that the engine made up, such as an LSTM's.
    graph: Option<&'a Graph>,
    tensors: &'a TensorTable,
    /// Executions of the graph per iteration of the model.
    executions: Option<u64>,
    parent: Option<u32>,
    /// Nodes of the graph that were moved out of it.
    elsewhere: HashSet<usize>,
}

impl Builder<'_> {
    fn add_graph(&mut self, model: &TypedModel, scope: &Scope) -> TractResult<()> {
        let executed = kernels::executed_nodes(model)?;
        let origins = match scope.graph {
            Some(graph) => provenance::origins(graph, model, &executed, &scope.elsewhere),
            None => vec![Origin::default(); executed.len()],
        };
        let mut hoisted: HashMap<(usize, usize), HashSet<usize>> = HashMap::new();
        for origin in &origins {
            if let (Some(body), Some(node)) = (origin.hoisted_from, origin.named_after) {
                hoisted.entry(body).or_default().insert(node);
            }
        }
        for (&id, origin) in executed.iter().zip(&origins) {
            let node = model.node(id);
            let number = self.operators.len() as u32;
            let operator = self.operator(number, model, node, origin, scope);
            let executions = operator.executions;
            self.operators.push(operator);
            for body in kernels::bodies(model, node) {
                self.add_body(&body, number, executions, origin, &hoisted, scope)?;
            }
        }
        Ok(())
    }

    fn add_body(
        &mut self,
        body: &Body,
        parent: u32,
        executions: Option<u64>,
        origin: &Origin,
        hoisted: &HashMap<(usize, usize), HashSet<usize>>,
        scope: &Scope,
    ) -> TractResult<()> {
        // Work that was moved out of a body counts there, and holds none itself.
        let at_home = origin.named_after.filter(|_| origin.hoisted_from.is_none());
        let owner = at_home.zip(scope.graph).map(|(index, graph)| (index, &graph.nodes[index]));
        let onnx_body = owner.and_then(|(index, node)| {
            let position = node.bodies.iter().position(|(name, _)| name == body.attribute)?;
            Some(((index, position), &node.bodies[position].1, &node.name))
        });
        let elsewhere = onnx_body.and_then(|(place, ..)| hoisted.get(&place)).cloned();
        let no_tensors = TensorTable::default();
        let tensors = onnx_body.and_then(|(.., name)| scope.tensors.body(name, body.attribute));
        let inner = Scope {
            graph: onnx_body.map(|(_, graph, _)| &**graph),
            tensors: tensors.unwrap_or(&no_tensors),
            executions: executions.zip(body.runs).and_then(|(outer, runs)| outer.checked_mul(runs)),
            parent: Some(parent),
            elsewhere: elsewhere.unwrap_or_default(),
        };
        self.add_graph(body.model, &inner)
    }

    fn operator(
        &mut self,
        number: u32,
        model: &TypedModel,
        node: &TypedNode,
        origin: &Origin,
        scope: &Scope,
    ) -> Operator {
        let mut operator = Operator {
            number,
            kernel: Some(node.op.name().to_string()),
            parent: scope.parent,
            executions: scope.executions,
            ..Operator::default()
        };
        let (graph, tensors, runs) = self.home(origin, scope, model, node);
        let naming = origin.named_after.zip(graph).map(|(index, graph)| &graph.nodes[index]);
        match naming {
            Some(naming) => {
                operator.operator_type = naming.operator_type.clone();
                let role = if origin.nodes.is_empty() { origin.role.as_str() } else { "" };
                operator.name = self.names.unique(&naming.name, role);
                operator.attributes = naming.attribute_texts();
            }
            // Inside a body that the engine made, work is its parent's.
            None => {
                let parent = scope.parent.map(|parent| &self.operators[parent as usize]);
                let fallback = node.op.name();
                let (name, kind) = match parent {
                    Some(parent) => (parent.name.clone(), parent.operator_type.clone()),
                    None => (node.name.clone(), fallback.to_string()),
                };
                operator.operator_type = kind;
                let role = if parent.is_some() { &*fallback } else { "" };
                operator.name = self.names.unique(&name, role);
            }
        }
        match graph.zip(naming) {
            Some((graph, naming)) if !origin.nodes.is_empty() => {
                let nodes = origin.nodes.iter().map(|&n| &graph.nodes[n]).collect();
                let group = Group { naming, nodes, graph, tensors, runs };
                describe(&mut operator, &group, self.elements);
                let counted = group.flops().filter(|_| !group.nodes.iter().any(|n| is_split(n)));
                operator.flops = counted.or_else(|| kernels::kernel_flops(model, node));
                operator.bytes = bytes(&operator, Some(graph), runs);
            }
            _ => {
                operator.nodes = naming.iter().map(|node| node.name.clone()).collect();
                let counted =
                    naming.is_some_and(|node| !is_split(node) && flops(node, tensors).is_some());
                operator.flops = if counted { Some(0) } else { kernels::kernel_flops(model, node) };
                operator.parameters = Some(0);
                describe_by_facts(&mut operator, model, node);
                operator.bytes = kernels::kernel_bytes(model, node);
            }
        }
        operator.zero_blocks = self.zero_blocks(node, scope);
        operator
    }

    /// Whether a product skips zero blocks; nothing if that was not asked for.
    fn zero_blocks(&self, node: &TypedNode, scope: &Scope) -> Option<ZeroBlocks> {
        let dense = self.dense?;
        if let Some(product) = node.op_as::<SparseProduct>() {
            return Some(ZeroBlocks::Skipped(product.instructions()));
        }
        if kernels::kernel_kind(node) != KernelKind::Contraction {
            return None;
        }
        let reason = match scope.parent {
            Some(_) => "it is in the body of a loop or branch",
            None => {
                dense.get(&node.id).map_or("its kernel multiplies by no matrix", String::as_str)
            }
        };
        Some(ZeroBlocks::Multiplied(reason.to_string()))
    }

    /// The graph that an origin refers to, its tensors, and the executions of its nodes per
    /// execution of the kernel.
    fn home<'a>(
        &self,
        origin: &Origin,
        scope: &'a Scope,
        model: &TypedModel,
        node: &TypedNode,
    ) -> (Option<&'a Graph>, &'a TensorTable, u64) {
        let Some(((index, position), graph)) = origin.hoisted_from.zip(scope.graph) else {
            return (scope.graph, scope.tensors, 1);
        };
        let loop_node = &graph.nodes[index];
        let (attribute, body) = &loop_node.bodies[position];
        let tensors = scope.tensors.body(&loop_node.name, attribute).unwrap_or(scope.tensors);
        // Moved out of its loop, a product is done for all turns at once; the
        // ratio of multiply-adds tells how many.
        let once = origin.named_after.and_then(|n| flops(&body.nodes[n], tensors));
        let all = 2 * kernels::multiply_adds(model, node);
        let runs = once.filter(|&once| once > 0 && all > 0).map_or(1, |once| (all / once).max(1));
        (Some(body), tensors, runs)
    }
}

/// Whether the engine turns the node into a loop, whose kernels are counted one by one.
fn is_split(node: &Node) -> bool {
    matches!(node.operator_type.as_str(), "LSTM" | "GRU" | "RNN")
}

/// Describes a helper by the engine's facts: the model has no node for it.
fn describe_by_facts(operator: &mut Operator, model: &TypedModel, node: &TypedNode) {
    let tensor = |outlet: OutletId| {
        let fact = model.outlet_fact(outlet).ok();
        let source = model.node(outlet.node);
        let label = model.outlet_label(outlet).map(str::to_string);
        Tensor {
            name: label.unwrap_or_else(|| format!("{}:{}", source.name, outlet.slot)),
            data_type: fact.map(|fact| kernels::data_type(fact.datum_type)),
            shape: fact.and_then(kernels::fact_shape),
        }
    };
    operator.inputs = node.inputs.iter().map(|&outlet| tensor(outlet)).collect();
    operator.outputs =
        (0..node.outputs.len()).map(|slot| tensor(OutletId::new(node.id, slot))).collect();
}

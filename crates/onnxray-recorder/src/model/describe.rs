//! What ONNX nodes tell of the operator that does their work.

use super::constants::packed;
use super::constants::values::Elements;
use super::constants::weight;
use super::cost::flops::{flops, is_contraction, moves_data};
use super::graph::{Graph, Node};
use super::tensor_table::TensorTable;
use onnxray_format::{DataType, Operator, Tensor, elements};
use std::collections::{BTreeSet, HashSet};

/// The ONNX nodes behind one operator.
pub(crate) struct Group<'a> {
    pub(crate) naming: &'a Node,
    pub(crate) nodes: Vec<&'a Node>,
    pub(crate) graph: &'a Graph,
    pub(crate) tensors: &'a TensorTable,
    /// Executions of the nodes that one execution of the operator stands for.
    pub(crate) runs: u64,
}

impl Group<'_> {
    /// Sum over the nodes; `None` if one has no formula.
    pub(crate) fn flops(&self) -> Option<u64> {
        let mut nodes = self.nodes.iter();
        let once = nodes.try_fold(0u64, |sum, node| sum.checked_add(flops(node, self.tensors)?));
        once?.checked_mul(self.runs)
    }
}

/// Node that an operator is named after, of at least one: the one that multiplies, or the one that
/// the engine names it after, or else the first that computes anything.
pub(crate) fn naming_node(graph: &Graph, nodes: &[usize], named_after: Option<usize>) -> usize {
    let find = |wanted: &dyn Fn(&Node) -> bool| {
        nodes.iter().copied().find(|&index| wanted(&graph.nodes[index]))
    };
    find(&|node| is_contraction(&node.operator_type))
        .or(named_after.filter(|index| nodes.contains(index)))
        .or_else(|| find(&|node| !moves_data(&node.operator_type)))
        .unwrap_or(nodes[0])
}

/// Fills in an operator's facts from its ONNX nodes.
pub(crate) fn describe(operator: &mut Operator, group: &Group, contents: &Elements) {
    let Group { naming, nodes, graph, tensors, .. } = group;
    operator.nodes = nodes.iter().map(|node| node.name.clone()).collect();
    operator.node_types = nodes.iter().map(|node| node.operator_type.clone()).collect();
    let naming = nodes.iter().position(|node| node.name == naming.name);
    let behind = &nodes[naming.map_or(0, |position| position + 1)..];
    operator.post_ops = behind
        .iter()
        .filter(|node| !moves_data(&node.operator_type))
        .map(|node| node.operator_type.clone())
        .collect();
    (operator.inputs, operator.outputs) = edge(nodes, graph, tensors);
    operator.parameters = operator
        .inputs
        .iter()
        .filter(|tensor| graph.constant(&tensor.name).is_some() || graph.is_folded(&tensor.name))
        .map(|tensor| parameters(tensor, nodes, graph))
        .try_fold(0u64, |sum, elements| sum.checked_add(elements?));
    let own = |node: &&Node| weight::weight(node, graph, contents);
    operator.weight = match nodes.iter().find(|node| is_contraction(&node.operator_type)) {
        // The node that multiplies decides, even if its second operand is not a constant: another
        // node's weight would be a wrong one.
        Some(heavy) => own(heavy),
        // Attention with a projection of its input.
        None => nodes.iter().find_map(own),
    };
    operator.sparse_support = operator.weight.as_ref().is_some_and(weight::sparse_support);
}

/// Elements of a constant, or of what is computed from constants, as the node that reads it
/// knows them.
fn parameters(tensor: &Tensor, nodes: &[&Node], graph: &Graph) -> Option<u64> {
    let reader = nodes
        .iter()
        .find_map(|node| Some((node, node.inputs.iter().position(|name| *name == tensor.name)?)));
    match graph.constant(&tensor.name).zip(reader) {
        Some((constant, (node, index))) => packed::elements_read(node, index, constant),
        None => elements(tensor.shape.as_ref()?),
    }
}

/// The tensors that cross the edge of a group of nodes: what it reads, without
/// shapes and indices that are known beforehand, and what others read of it.
fn edge(nodes: &[&Node], graph: &Graph, tensors: &TensorTable) -> (Vec<Tensor>, Vec<Tensor>) {
    let inside: HashSet<&str> =
        nodes.iter().flat_map(|node| node.outputs.iter().map(String::as_str)).collect();
    let mut seen = HashSet::new();
    let inputs = nodes
        .iter()
        .flat_map(|node| &node.inputs)
        .filter(|name| !name.is_empty() && !inside.contains(name.as_str()))
        .filter(|name| graph.constant(name).is_none_or(|constant| constant.is_parameter()))
        .filter(|name| seen.insert(name.as_str()))
        .map(|name| tensors.tensor(name))
        .filter(|tensor| {
            // Folded integers of 64 bits are shapes and axes, which the engine has computed before
            // a run.
            let is_data = tensor.data_type.is_some_and(|data_type| data_type != DataType::S64);
            is_data || !graph.is_folded(&tensor.name)
        })
        .collect();
    let group: HashSet<&str> = nodes.iter().map(|node| node.name.as_str()).collect();
    let used_outside = |name: &String| {
        let consumers = graph.consumers.get(name).into_iter().flatten();
        graph.is_output(name)
            || consumers
                .map(|&index| &graph.nodes[index])
                .any(|node| !node.reads_shape_only() && !group.contains(node.name.as_str()))
    };
    let outputs = nodes
        .iter()
        .flat_map(|node| &node.outputs)
        .filter(|name| used_outside(name))
        .map(|name| tensors.tensor(name))
        .collect();
    (inputs, outputs)
}

/// Bytes read and written. Every tensor counts once; where one execution is `runs` turns of a loop,
/// all but constants count for each.
pub(crate) fn bytes(operator: &Operator, graph: Option<&Graph>, runs: u64) -> Option<u64> {
    let mut seen = BTreeSet::new();
    operator
        .inputs
        .iter()
        .filter(|tensor| seen.insert(tensor.name.as_str()))
        .chain(&operator.outputs)
        .map(|tensor| {
            let constant = graph.is_some_and(|graph| graph.constant(&tensor.name).is_some());
            tensor.bytes()?.checked_mul(if constant { 1 } else { runs })
        })
        .try_fold(0u64, |sum, bytes| sum.checked_add(bytes?))
}

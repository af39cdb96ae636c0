//! The nodes that read the values of an input, through nodes that keep them.

use crate::model::graph::{Graph, Node};
use crate::model::tensor_table::TensorTable;
use std::collections::HashSet;

/// A node that reads the values of an input.
pub(in crate::model) struct Reader<'a> {
    pub(in crate::model) node: &'a Node,
    /// Index among its inputs.
    pub(in crate::model) position: usize,
    /// The graph that it is in, the model's or a body.
    pub(in crate::model) graph: &'a Graph,
    pub(in crate::model) tensors: Option<&'a TensorTable>,
}

impl Reader<'_> {
    pub(in crate::model) fn shape(&self, input: usize) -> Option<&[u64]> {
        self.tensors?.shape(self.node.input(input)?)
    }

    /// The elements of an input of the node that is a small constant.
    pub(in crate::model) fn numbers(&self, input: usize) -> Option<&[f64]> {
        self.graph.numbers(self.node.input(input)?)
    }
}

#[rustfmt::skip] // one a line would take pages
const KEEPS_VALUES: [&str; 13] = [
    "Cast", "Identity", "Reshape", "Squeeze", "Unsqueeze", "Flatten", "Transpose", "Slice",
    "Expand", "Concat", "Tile", "Clip", "Not",
];

/// All nodes that read a tensor, in bodies as well.
pub(in crate::model) fn readers<'a>(
    graph: &'a Graph,
    tensors: Option<&'a TensorTable>,
    name: &str,
) -> Vec<Reader<'a>> {
    let mut readers = Vec::new();
    let mut pending = vec![name.to_string()];
    let mut seen: HashSet<String> = HashSet::new();
    while let Some(tensor) = pending.pop() {
        for &index in graph.consumers.get(&tensor).into_iter().flatten() {
            let node = &graph.nodes[index];
            let positions = (0..node.inputs.len()).filter(|&input| node.inputs[input] == tensor);
            readers.extend(positions.map(|position| Reader { node, position, graph, tensors }));
            for (attribute, body) in &node.bodies {
                if body.captured.contains(&tensor) && seen.insert(format!("{} {tensor}", node.name))
                {
                    let inner = tensors.and_then(|tensors| tensors.body(&node.name, attribute));
                    readers.extend(self::readers(body, inner, &tensor));
                }
            }
            if KEEPS_VALUES.contains(&node.operator_type.as_str())
                // Its other inputs are shapes, axes or bounds; of a Concat, only the first is
                // followed.
                && node.input(0) == Some(tensor.as_str())
            {
                pending.extend(
                    node.outputs.iter().filter(|name| seen.insert((*name).clone())).cloned(),
                );
            }
        }
    }
    readers
}

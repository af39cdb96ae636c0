//! What the axes of a model's inputs are: which one is the batch, by what the nodes do along it.
//!
//! ```text
//! axis ◀ sizes ◀ follow ─▶ evidence ─▶ roles
//! ```
//!
//! Axes are followed from node to node through whatever keeps them. A convolution or a
//! recurrence takes one of them for the batch; what runs along an axis, such as a softmax or a
//! sum, says that it is none. Where nothing is said, nothing is known.

mod axis;
mod evidence;
mod follow;
mod sizes;

use super::graph::{AxisRole, Graph};

/// Fills in the roles of the axes of all inputs.
pub(super) fn with_roles(mut graph: Graph) -> Graph {
    let evidence = follow::evidence(&graph);
    let roles = |input: usize, count: usize| -> Vec<AxisRole> {
        (0..count).map(|axis| evidence.role((input, axis))).collect()
    };
    for (number, input) in graph.inputs.iter_mut().enumerate() {
        let count = input.dimensions.as_ref().map_or(0, Vec::len);
        input.roles = roles(number, count);
    }
    graph.adds_batch = evidence.adds_batch();
    graph
}

#[cfg(test)]
mod tests;

//! Chains of nodes that compute next to nothing, as ONNX models: what is left of their time is
//! what an engine and its profiler take for any node.

use super::wire::{put, put_integer};

/// Nodes one after the other, all of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chain {
    pub(crate) nodes: u32,
    /// Inputs of each node: the result of the one before, over and over.
    pub(crate) inputs: u32,
    /// Dimensions of every tensor, which has one element.
    pub(crate) rank: u32,
}

/// Of ONNX's own operators: old enough for every engine, and with operators of many inputs.
const OPERATOR_SET: u64 = 13;
/// Version of the file that goes with it.
const IR_VERSION: u64 = 7;
/// ONNX's number for float32.
const FLOAT: u64 = 1;

impl Chain {
    /// Name in place of a file's.
    pub(crate) fn name(self) -> String {
        let Chain { nodes, inputs, rank } = self;
        format!("chain of {nodes}, {inputs} inputs, rank {rank}")
    }

    pub(crate) fn bytes(self) -> Vec<u8> {
        let mut graph = Vec::new();
        for node in 0..self.nodes {
            put(&mut graph, 1, &self.node(node));
        }
        put(&mut graph, 2, b"chain");
        put(&mut graph, 11, &self.value(0));
        put(&mut graph, 12, &self.value(self.nodes));
        let mut operator_set = Vec::new();
        put_integer(&mut operator_set, 2, OPERATOR_SET);
        let mut model = Vec::new();
        put_integer(&mut model, 1, IR_VERSION);
        put(&mut model, 7, &graph);
        put(&mut model, 8, &operator_set);
        model
    }

    /// Engines fold neither a maximum of its own result nor signs that change one by one.
    fn node(self, number: u32) -> Vec<u8> {
        let mut node = Vec::new();
        for _ in 0..self.inputs {
            put(&mut node, 1, tensor(number).as_bytes());
        }
        put(&mut node, 2, tensor(number + 1).as_bytes());
        put(&mut node, 3, format!("node{number}").as_bytes());
        // A `Max` of one input is an identity, which engines may drop.
        put(&mut node, 4, if self.inputs == 1 { b"Sin" } else { b"Max" });
        node
    }

    fn value(self, number: u32) -> Vec<u8> {
        let mut shape = Vec::new();
        for _ in 0..self.rank {
            let mut dimension = Vec::new();
            put_integer(&mut dimension, 1, 1);
            put(&mut shape, 1, &dimension);
        }
        let mut of_tensor = Vec::new();
        put_integer(&mut of_tensor, 1, FLOAT);
        put(&mut of_tensor, 2, &shape);
        let mut of_type = Vec::new();
        put(&mut of_type, 1, &of_tensor);
        let mut value = Vec::new();
        put(&mut value, 1, tensor(number).as_bytes());
        put(&mut value, 2, &of_type);
        value
    }
}

fn tensor(number: u32) -> String {
    format!("t{number}")
}

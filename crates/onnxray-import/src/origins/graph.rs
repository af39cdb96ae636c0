//! What a model says of its nodes, what the runtime says of those that it executed, and where
//! these come from.

use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// A call of a model-local function, whose nodes stand in its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// What the names of its nodes and tensors begin with, before a `/`.
    pub path: String,
    /// Name of the function.
    pub function: String,
}

/// A graph of a model: its own, or a body.
#[derive(Debug, Default)]
pub struct ModelGraph<'a> {
    /// In an order in which they can be computed.
    pub nodes: Vec<ModelNode<'a>>,
    /// The calls that nodes stand in place of, in their order.
    pub calls: &'a [Call],
    /// Constants that may be weights.
    pub weights: HashSet<&'a str>,
}

/// A node of a model.
#[derive(Clone, Debug, Default)]
pub struct ModelNode<'a> {
    /// Unique in its model.
    pub name: &'a str,
    /// Its ONNX op type.
    pub operator_type: &'a str,
    /// Empty for those left out.
    pub inputs: Vec<&'a str>,
    /// What its bodies read of the graph around them.
    pub captured: Vec<&'a str>,
    /// Empty for those left out.
    pub outputs: Vec<&'a str>,
    /// As a text, so that nodes that do the same can be found.
    pub attributes: String,
    /// Whether its result is the same for all inputs, so that the runtime may compute it once.
    pub is_constant: bool,
    /// Whether it runs graphs of its own.
    pub has_bodies: bool,
}

/// A node that the runtime executed.
#[derive(Clone, Debug, Default)]
pub struct ExecutedNode<'a> {
    /// As the runtime calls it; empty where it does not.
    pub name: &'a str,
    /// The type of what ran.
    pub operator_type: &'a str,
    /// Names of its tensors, empty for those left out; none where they are not known.
    pub inputs: Vec<&'a str>,
    /// The same of those that it writes.
    pub outputs: Vec<&'a str>,
    /// How many inputs it has.
    pub operands: usize,
    /// The type of the activation that it applies itself; `None` where that is not known.
    pub activation: Option<&'a str>,
}

/// Where an executed node comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// Positions of the nodes that it computes, in the model's order.
    pub nodes: Vec<usize>,
    /// The one of them that the runtime named it after.
    pub named_after: Option<usize>,
    /// Without nodes: what it helps.
    pub helps: Option<Helps>,
    /// Whether it is one of several that the runtime computes a node of ONNX by.
    pub is_part: bool,
}

/// What an executed node without a node of its own helps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Helps {
    /// A node of the model, by position.
    Node(usize),
    /// An executed node that has nodes, by position.
    Executed(usize),
}

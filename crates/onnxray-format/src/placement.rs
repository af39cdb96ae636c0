//! Which execution provider runs which nodes.

use crate::Tensor;
use serde::{Deserialize, Serialize};

/// The nodes of a model by execution provider, and the tensors that go from one to another.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Placement {
    /// In the order of their first nodes. Where crossings are unknown, all nodes of a provider are
    /// one, since nothing tells which of them hang together.
    pub partitions: Vec<NodePartition>,
    /// `None` if nothing tells what nodes read from each other.
    pub crossings: Option<Vec<Crossing>>,
}

/// Nodes that one provider runs as one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodePartition {
    /// The provider, as its library writes it.
    pub provider: String,
    /// Names of the nodes.
    pub nodes: Vec<String>,
    /// Their operator types, in the same order.
    pub types: Vec<String>,
}

/// A tensor that one partition computes and another one reads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Crossing {
    /// What goes over.
    pub tensor: Tensor,
    /// Position of the partition that computes it.
    pub from: u32,
    /// Position of the partition that reads it, however many of its nodes do.
    pub to: u32,
}

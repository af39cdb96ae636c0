//! Which execution provider runs which nodes.

use crate::Tensor;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// The nodes of a model by execution provider, and the tensors that go from one to another.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Placement {
    /// In the order of their first nodes. Where crossings are unknown, all nodes of a provider are
    /// one, since nothing tells which of them hang together.
    pub partitions: Vec<NodePartition>,
    /// `None` if nothing tells what nodes read from each other.
    pub crossings: Option<Vec<Crossing>>,
}

impl Placement {
    /// The provider of each node.
    pub fn by_node(&self) -> HashMap<&str, &str> {
        let partitions = self.partitions.iter();
        let nodes = partitions.flat_map(|own| own.nodes.iter().map(move |node| (node, own)));
        nodes.map(|(node, own)| (node.as_str(), own.provider.as_str())).collect()
    }

    /// The provider that runs these nodes; `None` where several do, or where none of them is known.
    pub fn of<'a>(providers: &HashMap<&str, &'a str>, nodes: &[String]) -> Option<&'a str> {
        let mut known = nodes.iter().filter_map(|node| providers.get(node.as_str()).copied());
        let first = known.next()?;
        known.all(|other| other == first).then_some(first)
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_of_nodes_has_a_provider_if_one_runs_all_that_are_known() {
        let names =
            |text: &str| -> Vec<String> { text.split_whitespace().map(str::to_string).collect() };
        let partition = |provider: &str, nodes: &str| NodePartition {
            provider: provider.to_string(),
            nodes: names(nodes),
            types: Vec::new(),
        };
        let partitions =
            vec![partition("cpu", "a"), partition("npu", "b c"), partition("cpu", "d")];
        let placement = Placement { partitions, crossings: None };
        let providers = placement.by_node();
        let found = ["a folded d", "b c", "a b", "folded", ""]
            .map(|group| Placement::of(&providers, &names(group)));
        assert_eq!(found, [Some("cpu"), Some("npu"), None, None, None]);
    }
}

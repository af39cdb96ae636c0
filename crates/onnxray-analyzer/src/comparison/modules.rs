//! Modules of a comparison: layers as a tree of the parts of their names, each module judged as one
//! group.

use super::{Compared, ComparedGroup, Folded};
use crate::modules::{Content, Node, Row, tree};
use std::collections::HashMap;

/// The tree of layers, those that repeat as one row.
#[derive(Clone, Debug, Default)]
pub struct Modules {
    /// Parents before their children, in the order of execution; operators are positions of
    /// groups.
    pub nodes: Vec<Node>,
    /// Of each node: the sums per iteration of its layers' times, judged as one group. p is adjusted
    /// over all modules. A row of folded layers, or a layer, has the figures of `Comparison`.
    pub compared: Vec<Compared>,
}

impl Modules {
    /// `judge` judges the groups at these positions as one group each, as a family of their own.
    pub(crate) fn of(
        groups: &[ComparedGroup],
        folded: &[Folded],
        judge: impl FnOnce(&[Vec<usize>]) -> Vec<Compared>,
    ) -> Modules {
        let names: Vec<&str> = groups.iter().map(|group| group.name.as_str()).collect();
        let apart = || names.iter().enumerate().map(|(at, &name)| Row { name, members: vec![at] });
        let of_folded =
            folded.iter().map(|fold| Row { name: &fold.name, members: fold.members.clone() });
        let rows: Vec<Row> =
            if folded.is_empty() { apart().collect() } else { of_folded.collect() };
        let nodes = tree(&names, &rows);
        let members = members(&nodes);
        let is_judged = |node: &Node| matches!(node.content, Content::Module | Content::Part);
        let wanted = nodes.iter().zip(&members).filter(|(node, _)| is_judged(node));
        let wanted: Vec<Vec<usize>> = wanted.map(|(_, members)| members.clone()).collect();
        let rows_of: HashMap<&[usize], &Folded> =
            folded.iter().map(|fold| (&fold.members[..], fold)).collect();
        let mut judged = judge(&wanted).into_iter();
        let compared = nodes.iter().zip(&members).filter_map(|(node, members)| {
            if is_judged(node) {
                return judged.next();
            }
            match (rows_of.get(&members[..]), &members[..]) {
                (Some(row), _) => Some(row.compared.clone()),
                (None, [lone]) => groups.get(*lone).map(|group| group.compared.clone()),
                (None, _) => None,
            }
        });
        let compared: Vec<Compared> = compared.collect();
        // One of each, or the columns would not be of the same rows.
        if compared.len() == nodes.len() { Modules { nodes, compared } } else { Modules::default() }
    }
}

/// Positions of the groups in each node, ascending.
fn members(nodes: &[Node]) -> Vec<Vec<usize>> {
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    for (at, node) in nodes.iter().enumerate() {
        let Content::Operator(group) = node.content else { continue };
        let mut holder = Some(at);
        while let Some(node) = holder {
            members[node].push(group);
            holder = nodes[node].parent;
        }
    }
    members.iter_mut().for_each(|members| members.sort_unstable());
    members
}

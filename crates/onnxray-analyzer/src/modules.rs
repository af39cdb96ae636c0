//! Modules: operators as a tree of the parts of their names.
//!
//! `blocks.0/mlp/fc1` is in module `blocks.0/mlp`, and that in `blocks.0`. Where operators that
//! repeat are one row, so are modules: `blocks.*`, of which there are 40.

use std::collections::{HashMap, HashSet};

/// Most children of a node: more are put together, in their order.
pub const MOST_CHILDREN: usize = 100;

/// Most parts of a name that are modules of their own; what a trace claims may be deeper.
const MOST_PARTS: usize = 32;

/// What the tree's operators are rows of: an operator, or several that are one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row<'a> {
    /// Of a pattern, with `*` for numbers that differ.
    pub name: &'a str,
    /// Positions of its operators.
    pub members: Vec<usize>,
}

/// A module, or what is in one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The part of the name that its parent does not have.
    pub name: String,
    /// Position of its parent, which comes before it.
    pub parent: Option<usize>,
    /// How many modules or operators of different names it stands for.
    pub copies: usize,
    /// What it is.
    pub content: Content,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Operators whose names begin alike.
    Module,
    /// Operators that repeat; each is a child.
    Pattern,
    /// Some of too many children.
    Part,
    /// Position of an operator.
    Operator(usize),
}

/// The tree of rows, parents before their children, in the order of rows; every operator of theirs
/// is in it once. A module with a single child is one node with it.
///
/// Parts of names are between `/` and `.`; a number belongs to the part before it. `names` are
/// those of operators.
pub fn tree(names: &[&str], rows: &[Row]) -> Vec<Node> {
    let mut drafts = vec![Draft::default()];
    let mut modules: HashMap<(usize, &str), usize> = HashMap::new();
    let mut copies: HashMap<usize, HashSet<&str>> = HashMap::new();
    for (at, row) in rows.iter().enumerate() {
        let (mut parent, mut start) = (ROOT, 0);
        let ends = ends_of_parts(row.name);
        let of_members: Vec<Vec<usize>> =
            row.members.iter().map(|&member| ends_of_parts(names[member])).collect();
        for (depth, &end) in ends[..ends.len() - 1].iter().enumerate() {
            let next = drafts.len();
            let module = *modules.entry((parent, &row.name[start..end])).or_insert(next);
            if module == next {
                drafts.push(Draft { row: at, start, end, ..Draft::default() });
                drafts[parent].children.push(module);
            }
            let prefixes = copies.entry(module).or_default();
            prefixes.extend(row.members.iter().zip(&of_members).map(|(&member, ends)| {
                &names[member][..ends.get(depth).copied().unwrap_or(names[member].len())]
            }));
            // Both separators are one byte.
            (parent, start) = (module, end + 1);
        }
        let leaf = drafts.len();
        let (start, end) = (start.min(row.name.len()), row.name.len());
        drafts.push(Draft { row: at, start, end, is_row: true, ..Draft::default() });
        drafts[parent].children.push(leaf);
    }
    let copies = copies.into_iter().map(|(module, prefixes)| (module, prefixes.len())).collect();
    let mut growing = Growing { names, rows, drafts: &drafts, copies, nodes: Vec::new() };
    growing.place_all(&drafts[ROOT].children, None, Growing::place);
    growing.nodes
}

/// What operators have, added up over the nodes of a tree: of each, the sum over its children, in
/// their order; unknown where that of an operator is.
pub fn sums(nodes: &[Node], of_operator: impl Fn(usize) -> Option<f64>) -> Vec<Option<f64>> {
    let mut children = vec![Vec::new(); nodes.len()];
    for (at, node) in nodes.iter().enumerate() {
        if let Some(parent) = node.parent {
            children[parent].push(at);
        }
    }
    let mut sums = vec![None; nodes.len()];
    for (at, node) in nodes.iter().enumerate().rev() {
        sums[at] = match node.content {
            Content::Operator(operator) => of_operator(operator),
            _ => children[at].iter().try_fold(0.0, |sum, &child| Some(sum + sums[child]?)),
        };
    }
    sums
}

/// Position of what holds all others, of which no node is made.
const ROOT: usize = 0;

/// A module or a row, and where its part of the name of a row lies.
#[derive(Default)]
struct Draft {
    row: usize,
    start: usize,
    end: usize,
    is_row: bool,
    children: Vec<usize>,
}

struct Growing<'a> {
    names: &'a [&'a str],
    rows: &'a [Row<'a>],
    drafts: &'a [Draft],
    copies: HashMap<usize, usize>,
    nodes: Vec<Node>,
}

impl Growing<'_> {
    /// Places children; where there are too many, in parts that know their numbers.
    fn place_all(
        &mut self,
        children: &[usize],
        parent: Option<usize>,
        place: fn(&mut Self, usize, Option<usize>),
    ) {
        let mut size = 1;
        while children.len().div_ceil(size) > MOST_CHILDREN {
            size *= MOST_CHILDREN;
        }
        self.place_parts(children, 0, size, parent, place);
    }

    fn place_parts(
        &mut self,
        children: &[usize],
        before: usize,
        size: usize,
        parent: Option<usize>,
        place: fn(&mut Self, usize, Option<usize>),
    ) {
        if size == 1 {
            children.iter().for_each(|&child| place(self, child, parent));
            return;
        }
        for (part, children) in children.chunks(size).enumerate() {
            let first = before + part * size;
            let name = format!("{} to {}", first + 1, first + children.len());
            let node = self.push(name, parent, 1, Content::Part);
            self.place_parts(children, first, size / MOST_CHILDREN, Some(node), place);
        }
    }

    fn place(&mut self, draft: usize, parent: Option<usize>) {
        let mut inner = draft;
        while let [only] = self.drafts[inner].children[..] {
            inner = only;
        }
        let Draft { row, end, is_row, ref children, .. } = self.drafts[inner];
        let Row { name, members } = &self.rows[row];
        let name = name[self.drafts[draft].start..end].to_string();
        match members[..] {
            [operator] if is_row => {
                self.push(name, parent, 1, Content::Operator(operator));
            }
            _ if is_row => {
                let node = self.push(name, parent, members.len(), Content::Pattern);
                self.place_all(members, Some(node), Growing::place_member);
            }
            _ => {
                let copies = self.copies.get(&inner).copied().unwrap_or(1);
                let node = self.push(name, parent, copies, Content::Module);
                self.place_all(children, Some(node), Growing::place);
            }
        }
    }

    fn place_member(&mut self, operator: usize, parent: Option<usize>) {
        self.push(self.names[operator].to_string(), parent, 1, Content::Operator(operator));
    }

    fn push(
        &mut self,
        name: String,
        parent: Option<usize>,
        copies: usize,
        content: Content,
    ) -> usize {
        self.nodes.push(Node { name, parent, copies, content });
        self.nodes.len() - 1
    }
}

/// Where the parts of a name end; at least one.
fn ends_of_parts(name: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut start = 0;
    for part in name.split(['/', '.']) {
        let end = start + part.len();
        let counts = part == "*" || part.bytes().all(|byte| byte.is_ascii_digit());
        match ends.last_mut() {
            _ if part.is_empty() => {}
            Some(last) if counts => *last = end,
            _ => ends.push(end),
        }
        start = end + 1;
    }
    ends.truncate(MOST_PARTS);
    // What follows the last part, were it a separator alone, is of it.
    match ends.last_mut() {
        Some(last) => *last = name.len(),
        None => ends.push(name.len()),
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apart<'a>(names: &[&'a str]) -> Vec<Row<'a>> {
        let row = |(at, &name): (usize, &&'a str)| Row { name, members: vec![at] };
        names.iter().enumerate().map(row).collect()
    }

    /// Lines as a reader sees them, and a tree that holds every operator once.
    fn shown(names: &[&str], rows: &[Row]) -> Vec<String> {
        let nodes = tree(names, rows);
        let mut found: Vec<usize> = nodes
            .iter()
            .filter_map(|node| match node.content {
                Content::Operator(at) => Some(at),
                _ => None,
            })
            .collect();
        found.sort_unstable();
        assert_eq!(found, (0..names.len()).collect::<Vec<_>>());
        let depth = |mut at: usize| {
            std::iter::from_fn(|| {
                at = nodes[at].parent?;
                Some(at)
            })
            .count()
        };
        let line = |(at, node): (usize, &Node)| {
            format!("{}{} x{}", " ".repeat(depth(at)), node.name, node.copies)
        };
        nodes.iter().enumerate().map(line).collect()
    }

    #[test]
    fn names_are_a_tree_and_lone_children_are_one_with_their_module() {
        let names = ["/m/blocks.0/mlp/fc1", "/m/blocks.0/mlp/fc2", "/m/blocks.1/x/y", "/head"];
        let expected =
            ["/m x1", " blocks.0/mlp x1", "  fc1 x1", "  fc2 x1", " blocks.1/x/y x1", "/head x1"];
        assert_eq!(shown(&names, &apart(&names)), expected);
    }

    #[test]
    fn what_repeats_is_one_row_of_so_many_modules() {
        let names: Vec<String> =
            (0..8).map(|i| format!("blocks.{}/{}", i / 2, ["fc1", "add"][i % 2])).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let rows = [("blocks.*/fc1", vec![0, 2, 4, 6]), ("blocks.*/add", vec![1, 3, 5, 7])]
            .map(|(name, members)| Row { name, members });
        let lines = shown(&names, &rows);
        assert_eq!(lines[..3], ["blocks.* x4", " fc1 x4", "  blocks.0/fc1 x1"]);
        assert_eq!(lines[6..8], [" add x4", "  blocks.0/add x1"]);
    }

    #[test]
    fn too_many_children_are_put_together_in_parts() {
        let names: Vec<String> = (0..10_001).map(|i| format!("op{i}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let nodes = tree(&names, &apart(&names));
        let mut children = vec![0; nodes.len() + 1];
        nodes.iter().for_each(|node| children[node.parent.map_or(nodes.len(), |at| at)] += 1);
        assert!(children.iter().all(|&count| count <= MOST_CHILDREN));
        assert_eq!(nodes[0].name, "1 to 10000");
        assert_eq!(nodes[1].name, "1 to 100");
        let last = shown(&names, &apart(&names)).pop();
        assert_eq!(last.as_deref(), Some("  op10000 x1"));
    }

    #[test]
    fn names_from_elsewhere_are_taken_as_they_are() {
        for name in ["", "/", "///", ".", "a/", "a//b", "层/λ.0", "*", "0.1.2"] {
            assert_eq!(shown(&[name], &apart(&[name])), [format!("{name} x1")]);
        }
        let deep = "a/".repeat(100_000);
        assert_eq!(shown(&[&deep], &apart(&[&deep])).len(), 1);
        let same = ["a/b", "a/b", "a"];
        assert_eq!(shown(&same, &apart(&same)), ["a x1", " b x1", " b x1", "a x1"]);
    }

    #[test]
    fn children_add_up_to_their_parents_and_all_to_the_operators() {
        let names: Vec<String> = (0..500).map(|i| format!("b.{}/c{}/d{i}", i % 7, i % 3)).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let nodes = tree(&names, &apart(&names));
        let value = |at: usize| Some(0.1 + at as f64);
        let found = sums(&nodes, value);
        let of = |parent: Option<usize>| -> f64 {
            let children = nodes.iter().zip(&found).filter(|(node, _)| node.parent == parent);
            children.fold(0.0, |sum, (_, value)| sum + value.unwrap())
        };
        for (at, node) in nodes.iter().enumerate() {
            if !matches!(node.content, Content::Operator(_)) {
                assert_eq!(found[at], Some(of(Some(at))), "{}", node.name);
            }
        }
        let all: f64 = (0..names.len()).filter_map(value).sum();
        assert!((of(None) - all).abs() < 1e-9 * all);
        let unknown = sums(&nodes, |at| (at != 3).then_some(1.0));
        assert_eq!(unknown.iter().filter(|sum| sum.is_none()).count(), 3);
    }
}

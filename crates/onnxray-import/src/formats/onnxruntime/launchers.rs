//! Which nodes launched what ran on devices, by what labels state.

use super::profile::{EXECUTOR, fact, is_launched, is_looked_at, is_node};
use crate::chrome::{EventTrace, Label};
use std::collections::{HashMap, HashSet};

/// How the node that launched an execution is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Sought {
    /// A device does nothing for it.
    Nothing,
    /// One of these nodes, which have this name.
    Named(u32),
    /// The one of this type that stands next to it in the file.
    OfType(u32),
    /// The execution of this name whose turn it is.
    InTurn(u32),
    /// The one at work when it begins.
    AtWork,
    /// Nothing says so.
    Unknown,
    /// An event is stated that is not in the file.
    Lost,
    /// Events of devices are stated to have launched each other.
    Circle,
}

/// Numbers of what a node is found by.
#[derive(Clone, Copy)]
pub(super) struct Known {
    /// Its name.
    pub(super) name: u32,
    /// Its name and its number in its graph, if that is stated.
    pub(super) numbered: Option<u32>,
    /// Its type.
    pub(super) of_type: u32,
}

/// Names and types of nodes, by which they are found.
pub(super) struct Launchers {
    names: HashMap<Vec<u8>, u32>,
    /// By the number of a name, and the node's in its graph.
    numbered: HashMap<(u32, i64), u32>,
    types: HashMap<Vec<u8>, u32>,
    /// What launched the events of devices that have this name, if that is stated.
    launched: HashMap<Vec<u8>, Option<Vec<u8>>>,
    /// Of each label of a node.
    pub(super) of_label: Vec<Option<Known>>,
}

impl Launchers {
    pub(super) fn of(trace: &EventTrace) -> Launchers {
        let mut found = Launchers {
            names: HashMap::new(),
            numbered: HashMap::new(),
            types: HashMap::new(),
            launched: HashMap::new(),
            of_label: Vec::with_capacity(trace.labels.len()),
        };
        // Names, and names with numbers, count together.
        let mut next = 0;
        let mut new = || {
            next += 1;
            next - 1
        };
        for label in &trace.labels {
            if !is_node(label) {
                if is_launched(label) {
                    let parent = parent(label).map(<[u8]>::to_vec);
                    // Of events that share a name, the name does not tell which is meant.
                    let known = found.launched.entry(label.raw_name().to_vec());
                    let differs = |known: &mut Vec<u8>| Some(&*known) != parent.as_ref();
                    known.and_modify(|known| _ = known.take_if(differs)).or_insert(parent);
                }
                found.of_label.push(None);
                continue;
            }
            let name = bare(label.raw_name()).to_vec();
            let name = *found.names.entry(name).or_insert_with(&mut new);
            let numbered = node_number(label)
                .map(|number| *found.numbered.entry((name, number)).or_insert_with(&mut new));
            let of_type = label.raw_fact(fact::OPERATOR_TYPE).unwrap_or_default();
            let next = found.types.len() as u32;
            let of_type = *found.types.entry(of_type.to_vec()).or_insert(next);
            found.of_label.push(Some(Known { name, numbered, of_type }));
        }
        found
    }

    pub(super) fn sought(&self, label: &Label) -> Sought {
        if !is_launched(label) {
            return Sought::Nothing;
        }
        if let Some(parent) = parent(label) {
            return self.named(parent, node_number(label));
        }
        if label.raw_category() == b"Kernel" {
            let of_type = label.raw_fact(fact::OPERATOR_TYPE);
            let of_type = of_type.and_then(|of_type| self.types.get(of_type));
            return of_type.map_or(Sought::Unknown, |&of_type| Sought::OfType(of_type));
        }
        let name = label.raw_name();
        let ends = memchr::memrchr_iter(b'&', name);
        let node = ends.filter_map(|end| self.names.get(&name[..end])).next();
        node.map_or(Sought::AtWork, |&name| Sought::InTurn(name))
    }

    /// The node of this name and number, or that which launched the event of this name.
    fn named<'a>(&'a self, mut parent: &'a [u8], number: Option<i64>) -> Sought {
        let mut seen = HashSet::new();
        loop {
            if let Some(&name) = self.names.get(bare(parent)) {
                let numbered = number.and_then(|number| self.numbered.get(&(name, number)));
                return Sought::Named(numbered.copied().unwrap_or(name));
            }
            // Such as what a provider compiles while the session is loaded.
            if is_looked_at(parent) || parent.ends_with(EXECUTOR) {
                return Sought::Unknown;
            }
            if !seen.insert(parent) {
                return Sought::Circle;
            }
            match self.launched.get(parent) {
                Some(Some(above)) => parent = above,
                Some(None) => return Sought::Unknown,
                None => return Sought::Lost,
            }
        }
    }
}

/// The name of the event that launched those of a label, if it is stated.
fn parent(label: &Label) -> Option<&[u8]> {
    let raw = label.raw_fact(fact::PARENT_NAME)?;
    raw.strip_prefix(b"\"")?.strip_suffix(b"\"").filter(|name| !name.is_empty())
}

/// A node's number in its graph, if it is one.
pub(super) fn node_number(label: &Label) -> Option<i64> {
    label.fact(fact::NODE_INDEX)?.as_i64()
}

/// The name of a node, of that of its event.
fn bare(name: &[u8]) -> &[u8] {
    name.strip_suffix(b"_kernel_time").unwrap_or(name)
}

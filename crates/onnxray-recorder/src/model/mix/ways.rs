//! Where two models correspond, and in what they differ there.
//!
//! Both compute the tensors that both name. What a model computes such a tensor by, from others
//! of them, is its way there: nodes, constants, and tensors that only this model names. A change
//! is a tensor to which both have another way.

use super::content::{self, Content, Hash, Key};
use crate::model::bytes::field_numbers::{ATTRIBUTE_TENSOR, NODE_ATTRIBUTE};
use crate::model::parts::{Node, Parts, Source, message_of};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Side {
    A,
    B,
}

/// Two models that correspond.
pub(crate) struct Pair {
    pub(super) parts: [Parts; 2],
    /// Tensors that both compute or are given, and need for their outputs.
    pub(super) shared: HashSet<String>,
    /// Number of a change, by the name of its tensor.
    pub(super) numbers: HashMap<String, usize>,
    /// Changes in the order of A's nodes. Differing statements of the files about tensors are the
    /// last one.
    pub(crate) changes: Vec<Change>,
    /// As ONNX numbers the types of elements, of both models, where they are known.
    pub(super) types: [HashMap<String, i32>; 2],
    /// Contents of each constant, by side and name.
    pub(super) contents: [HashMap<String, Content>; 2],
    ways: [HashMap<String, Way>; 2],
}

/// A tensor to which both models have another way.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Change {
    /// `None` for statements of the files about tensors.
    pub(crate) tensor: Option<String>,
    pub(crate) operator_type: String,
    /// Names of the nodes of both ways.
    pub(crate) nodes: [Vec<String>; 2],
    /// Both ways have the same nodes and differ only in elements of constants or in types: the
    /// tensor means the same.
    pub(crate) is_same_form: bool,
}

/// How a model computes a tensor.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Way {
    form: Key,
    whole: Key,
}

impl Pair {
    /// Finds where two models correspond. External data lies in the folder of each.
    ///
    /// # Errors
    ///
    /// Why they cannot be mixed, in words.
    pub(crate) fn of(files: [Vec<u8>; 2], folders: [&Path; 2]) -> Result<Pair, String> {
        let [a, b] = files.map(|bytes| Parts::read(bytes).ok_or("it is not an ONNX model"));
        let parts = [a?, b?];
        check(&parts)?;
        let mut contents = [HashMap::new(), HashMap::new()];
        for ((parts, contents), folder) in parts.iter().zip(&mut contents).zip(folders) {
            for constant in &parts.constants {
                let own = content::of_stored(parts, constant, folder)
                    .ok_or_else(|| format!("constant `{}` cannot be read", constant.name))?;
                contents.insert(constant.name.clone(), own);
            }
        }
        let shared = shared(&parts);
        if !shared.iter().any(|name| !parts[0].inputs.contains(name)) {
            return Err("they have no tensor in common but their inputs: whatever made one from \
                        the other renamed all of them"
                .to_string());
        }
        let mut pair = Pair {
            parts,
            shared,
            numbers: HashMap::new(),
            changes: Vec::new(),
            types: [HashMap::new(), HashMap::new()],
            contents,
            ways: [HashMap::new(), HashMap::new()],
        };
        pair.ways = [pair.ways(Side::A)?, pair.ways(Side::B)?];
        pair.find_changes();
        Ok(pair)
    }

    pub(super) fn parts(&self, side: Side) -> &Parts {
        &self.parts[side as usize]
    }

    /// Tells the types of elements: what is computed in another type is computed in another way.
    pub(crate) fn learn_types(&mut self, types: [HashMap<String, i32>; 2]) {
        self.types = types;
        self.find_changes();
    }

    /// The type of a tensor in a model, if it is known.
    pub(super) fn element_type(&self, side: Side, name: &str) -> Option<i32> {
        self.types[side as usize].get(name).copied()
    }

    pub(super) fn differs_in_type(&self, name: &str) -> bool {
        let types = [Side::A, Side::B].map(|side| self.element_type(side, name));
        matches!(types, [Some(a), Some(b)] if a != b)
    }

    /// Tensors that both models compute, in the order of A's nodes, then of B's.
    pub(crate) fn computed(&self) -> Vec<&str> {
        let mut seen = HashSet::new();
        let nodes = self.parts.iter().flat_map(|parts| &parts.nodes);
        let outputs = nodes.filter(|node| !node.is_constant()).flat_map(|node| &node.outputs);
        let shared = outputs.map(String::as_str).filter(|name| self.shared.contains(*name));
        shared.filter(|name| seen.insert(*name)).collect()
    }

    fn find_changes(&mut self) {
        let same = |name: &str| {
            let [a, b] = &self.ways;
            let whole = |ways: &HashMap<String, Way>| ways.get(name).map(|way| way.whole);
            whole(a) == whole(b) && !self.differs_in_type(name)
        };
        let tensors: Vec<String> =
            self.computed().into_iter().filter(|name| !same(name)).map(str::to_string).collect();
        let changes: Vec<Change> = tensors.iter().map(|name| self.change(name)).collect();
        self.numbers = tensors.into_iter().zip(0..).collect();
        self.changes = changes;
        if stated(&self.parts[0]) != stated(&self.parts[1]) {
            self.changes.push(Change {
                tensor: None,
                operator_type: String::new(),
                nodes: [Vec::new(), Vec::new()],
                is_same_form: true,
            });
        }
    }

    fn change(&self, name: &str) -> Change {
        let nodes = [Side::A, Side::B].map(|side| {
            let numbers = self.nodes_of_way(side, name);
            let nodes = &self.parts(side).nodes;
            numbers.iter().map(|&node| nodes[node].shown_name().to_string()).collect()
        });
        let producer =
            [Side::A, Side::B].into_iter().find_map(|side| match self.parts(side).source(name) {
                Some(Source::Node(node)) => Some(&self.parts(side).nodes[node]),
                _ => None,
            });
        let forms = [0, 1].map(|side| self.ways[side].get(name).map(|way| way.form));
        Change {
            tensor: Some(name.to_string()),
            operator_type: producer.map_or(String::new(), |node| node.operator_type.clone()),
            nodes,
            is_same_form: forms[0] == forms[1],
        }
    }

    /// The nodes of a way, ascending, without those that hold constants.
    fn nodes_of_way(&self, side: Side, name: &str) -> Vec<usize> {
        let parts = self.parts(side);
        let (mut found, mut open) = (Vec::new(), vec![name]);
        let mut seen = HashSet::new();
        while let Some(tensor) = open.pop() {
            let Some(Source::Node(number)) = parts.source(tensor) else { continue };
            let node = &parts.nodes[number];
            if node.is_constant() || !seen.insert(number) {
                continue;
            }
            found.push(number);
            open.extend(node.reads().filter(|read| !self.shared.contains(*read)));
        }
        // In the order of the file, whatever order they were found in.
        found.sort_unstable();
        found
    }

    /// The tensors that both models have and that a way begins at.
    pub(super) fn begins(&self, side: Side, name: &str) -> Vec<&str> {
        let nodes = &self.parts(side).nodes;
        let numbers = self.nodes_of_way(side, name);
        let reads = numbers.into_iter().flat_map(|node| nodes[node].reads());
        reads.filter(|read| self.shared.contains(*read)).collect()
    }

    /// The ways of a model to all tensors.
    fn ways(&self, side: Side) -> Result<HashMap<String, Way>, String> {
        let (parts, contents) = (self.parts(side), &self.contents[side as usize]);
        let mut ways: HashMap<String, Way> = HashMap::new();
        for (name, content) in contents {
            let kind = b"constant";
            ways.insert(name.clone(), way(kind, &[(content.form, content.whole)]));
        }
        for number in parts.in_order() {
            let node = &parts.nodes[number];
            let own = content::of_node(node)
                .ok_or_else(|| format!("node `{}` cannot be read", node.shown_name()))?;
            let own = match constant_tensor(node) {
                // The same whether a node holds it or the graph.
                Some(tensor) => content::of_tensor(tensor, Path::new(""))
                    .map(|content| way(b"constant", &[(content.form, content.whole)])),
                None => {
                    let mut keys = vec![(own, own)];
                    for read in node.inputs.iter().chain(&node.captured) {
                        keys.push(self.read_as(read, &ways));
                    }
                    Some(way(b"node", &keys))
                }
            };
            let own = own.ok_or_else(|| format!("node `{}` cannot be read", node.shown_name()))?;
            for (place, output) in node.outputs.iter().enumerate() {
                // Outputs of one node differ by their place; a constant has one, the same as in an
                // initializer.
                let own = match (node.is_constant(), place as u64) {
                    (true, _) => own,
                    (false, place) => way(&place.to_le_bytes(), &[(own.form, own.whole)]),
                };
                ways.insert(output.clone(), own);
            }
        }
        Ok(ways)
    }

    /// Hash of an input: a shared tensor by its name, others by their way.
    fn read_as(&self, name: &str, ways: &HashMap<String, Way>) -> (Key, Key) {
        let by_name = || {
            let mut hash = Hash::default();
            hash.add(b"name").add(name.as_bytes());
            hash.key()
        };
        match ways.get(name).filter(|_| !self.shared.contains(name)) {
            Some(way) => (way.form, way.whole),
            None => (by_name(), by_name()),
        }
    }
}

fn way(kind: &[u8], keys: &[(Key, Key)]) -> Way {
    let (mut form, mut whole) = (Hash::default(), Hash::default());
    form.add(kind);
    whole.add(kind);
    for (own_form, own_whole) in keys {
        form.add(own_form);
        whole.add(own_whole);
    }
    Way { form: form.key(), whole: whole.key() }
}

/// The tensor that a Constant node holds, if it holds one.
fn constant_tensor(node: &Node) -> Option<&[u8]> {
    let attribute = node.is_constant().then(|| message_of(&node.bytes, NODE_ATTRIBUTE))??;
    message_of(attribute, ATTRIBUTE_TENSOR).filter(|tensor| !tensor.is_empty())
}

/// Statements of a file about tensors other than inputs.
fn stated(parts: &Parts) -> BTreeMap<&str, &[u8]> {
    let outputs = parts.outputs.iter().map(|(name, value)| (name, value));
    let all = parts.values.iter().chain(outputs);
    all.map(|(name, value)| (name.as_str(), value.as_slice())).collect()
}

/// Tensors that both models need for their outputs and that a node of A computes, and the inputs
/// of both.
fn shared(parts: &[Parts; 2]) -> HashSet<String> {
    let [a, b] = parts;
    let is_computed = |parts: &Parts, name: &str| match parts.source(name) {
        Some(Source::Node(node)) => !parts.nodes[node].is_constant(),
        _ => false,
    };
    let is_input = |parts: &Parts, name: &str| parts.source(name) == Some(Source::Input);
    let (_, live_a) = a.live();
    let (_, live_b) = b.live();
    let both = live_a.intersection(&live_b).copied();
    let shared = both.filter(|name| match is_input(a, name) || is_input(b, name) {
        true => is_input(a, name) && is_input(b, name),
        // What A has as a constant and B computes, such as weights that are dequantized, is a part
        // of what reads it.
        false => is_computed(a, name),
    });
    shared.map(str::to_string).collect()
}

fn check(parts: &[Parts; 2]) -> Result<(), String> {
    let [a, b] = parts;
    for (name, _) in &a.outputs {
        if !b.outputs.iter().any(|(other, _)| other == name) {
            return Err(format!("B lacks A's output `{name}`"));
        }
    }
    for name in &b.inputs {
        if !a.inputs.contains(name) {
            return Err(format!("A lacks B's input `{name}`"));
        }
    }
    for (domain, version) in &b.operator_sets {
        if let Some(own) = a.operator_sets.get(domain).filter(|own| *own != version) {
            let domain = if domain.is_empty() { "ai.onnx" } else { domain };
            return Err(format!(
                "A uses operator set {own} of {domain}, B {version}\n\
                 hint: onnx.version_converter converts one of them"
            ));
        }
    }
    for (name, function) in &b.functions {
        if a.functions.get(name).is_some_and(|own| own != function) {
            let [domain, name, _] = name;
            return Err(format!("both have a function `{name}` of `{domain}`, and they differ"));
        }
    }
    Ok(())
}

impl Parts {
    /// Nodes so that each comes after what it reads, otherwise as in the file.
    pub(super) fn in_order(&self) -> Vec<usize> {
        let (mut order, mut done) = (Vec::new(), vec![false; self.nodes.len()]);
        for first in 0..self.nodes.len() {
            // Depth first with a list of its own: chains may be longer than the stack is deep.
            let mut open = vec![(first, false)];
            while let Some((number, is_ready)) = open.pop() {
                if is_ready {
                    order.push(number);
                    continue;
                }
                if std::mem::replace(&mut done[number], true) {
                    continue;
                }
                open.push((number, true));
                for read in self.nodes[number].reads() {
                    if let Some(Source::Node(other)) = self.source(read) {
                        open.push((other, false));
                    }
                }
            }
        }
        order
    }
}

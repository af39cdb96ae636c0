//! Matches by what operators, nodes, tensors and weights are called.

use super::kind::kind;
use super::names::{converted_tensor, is_name, origins, producer, weight};
use super::sets::Sets;
use super::{Method, Side};
use onnxray_format::Operator;
use std::collections::{HashMap, HashSet};

/// ONNX nodes of an operator, or else its own name.
fn nodes(operator: &Operator) -> impl Iterator<Item = &str> {
    let own = operator.nodes.is_empty().then_some(operator.name.as_str());
    operator.nodes.iter().map(String::as_str).chain(own)
}

/// The first operator of each side that has a key.
#[derive(Clone, Copy, Default)]
pub(crate) struct Owners([Option<usize>; 2]);

/// Operators that compute a node, by the node's name.
pub(crate) type Nodes<'a> = HashMap<&'a str, Owners>;

/// Operators that compute the same ONNX node. Several of one side for one node
/// are steps of it.
pub(crate) fn by_nodes<'a>(a: &'a [Operator], b: &'a [Operator], sets: &mut Sets) -> Nodes<'a> {
    let mut owners: Nodes = HashMap::new();
    for (side, operators) in [(Side::A, a), (Side::B, b)] {
        for (number, operator) in operators.iter().enumerate() {
            let place = sets.place(side, number);
            for node in nodes(operator) {
                let known = owners.entry(node).or_default();
                if let Some(step) = known.0[side as usize] {
                    sets.join(step, place);
                }
                if side == Side::B
                    && let Some(first) = known.0[Side::A as usize]
                {
                    sets.link(first, place, Method::Node);
                }
                known.0[side as usize].get_or_insert(place);
            }
        }
    }
    owners
}

/// Operators whose node is named after a node or a tensor of the other side.
pub(crate) fn by_origins(a: &[Operator], b: &[Operator], owners: &Nodes, sets: &mut Sets) {
    let tensors = [outputs(a), outputs(b)];
    // Names that nobody on the other side has, by what they were made from.
    let mut unknown: HashMap<&str, usize> = HashMap::new();
    for (side, operators) in [(Side::A, a), (Side::B, b)] {
        let other = side.other() as usize;
        for (number, operator) in operators.iter().enumerate() {
            let place = sets.place(side, number);
            for node in nodes(operator) {
                let is_known = |owners: &Owners| owners.0[other].is_some();
                // `X_output_0_QuantizeLinear` would go to X, which makes the tensor; it belongs to
                // what reads it.
                if owners.get(node).is_some_and(is_known) || serves_a_reader(operator, node) {
                    continue;
                }
                let found = origins(node).find_map(|origin| {
                    let node = owners.get(origin).and_then(|owners| owners.0[other]);
                    let maker = || tensors[other].get(origin).copied().flatten();
                    node.or_else(|| Some(sets.place(side.other(), maker()?)))
                });
                if let Some(found) = found {
                    sets.link(found, place, Method::Name);
                    continue;
                }
                // Both names were changed. Only what is put behind an underscore
                // is a change; the rest is a folder, which many nodes share.
                let changed = origins(node).take_while(|o| node.as_bytes()[o.len()] == b'_');
                for origin in changed {
                    match (side, unknown.get(origin)) {
                        (Side::A, None) => _ = unknown.insert(origin, place),
                        (Side::B, Some(&first)) if !sets.is_matched(first) => {
                            sets.link(first, place, Method::Name);
                            break;
                        }
                        _ => {}
                    }
                }
            }
        }
    }
}

/// A conversion inserted for the readers of a tensor, by type and name.
fn serves_a_reader(operator: &Operator, node: &str) -> bool {
    kind(&operator.operator_type).is_conversion() && converted_tensor(node).is_some()
}

/// Operator that makes each tensor, by the tensor's name; `None` if several do.
fn outputs(operators: &[Operator]) -> HashMap<&str, Option<usize>> {
    let mut makers: HashMap<&str, Option<usize>> = HashMap::new();
    for (number, operator) in operators.iter().enumerate() {
        for tensor in operator.outputs.iter().filter(|tensor| is_name(&tensor.name)) {
            let several = makers.contains_key(tensor.name.as_str());
            makers.insert(&tensor.name, (!several).then_some(number));
        }
    }
    makers
}

/// Operators that make the same tensor, where one of them has no counterpart.
pub(crate) fn by_tensors(a: &[Operator], b: &[Operator], owners: &Nodes, sets: &mut Sets) {
    let makers = [outputs(a), outputs(b)];
    for (side, other_side) in [(Side::B, Side::A), (Side::A, Side::B)] {
        let mut tensors: Vec<(&str, usize)> = makers[side as usize]
            .iter()
            .filter_map(|(&tensor, maker)| Some((tensor, (*maker)?)))
            .collect();
        // The order of a HashMap differs from run to run, and which link comes first decides about
        // later ones.
        tensors.sort_unstable_by_key(|&(tensor, maker)| (maker, tensor));
        for (tensor, maker) in tensors {
            let place = sets.place(side, maker);
            let same = makers[other_side as usize].get(tensor).copied().flatten();
            // The other side may have fused the maker, and its tensor with it: the name still tells
            // of the node.
            let found = same.map(|maker| sets.place(other_side, maker)).or_else(|| {
                owners.get(producer(tensor)?).and_then(|owners| owners.0[other_side as usize])
            });
            if let Some(found) =
                found.filter(|&found| !(sets.is_matched(found) && sets.is_matched(place)))
            {
                sets.link(found, place, Method::Tensor);
            }
        }
    }
}

/// Operators without counterpart that read the same weight, which nobody else
/// reads.
pub(crate) fn by_weights(a: &[Operator], b: &[Operator], sets: &mut Sets) {
    let readers = |operators: &[Operator], side: Side, sets: &mut Sets| {
        let mut readers: HashMap<String, Option<usize>> = HashMap::new();
        for (number, operator) in operators.iter().enumerate() {
            let Some(found) = &operator.weight else { continue };
            let name = weight(&found.name).to_string();
            let several = readers.contains_key(&name);
            // A tied weight with several readers does not say which of them it is.
            readers.insert(name, (!several).then(|| sets.place(side, number)));
        }
        readers
    };
    let known = readers(a, Side::A, sets);
    let mut found: Vec<(String, Option<usize>)> = readers(b, Side::B, sets).into_iter().collect();
    // In B's order of execution, not in that of the HashMap.
    found.sort_unstable_by_key(|(_, place)| *place);
    let mut taken: HashSet<usize> = HashSet::new();
    for (name, place) in found {
        let first = known.get(&name).copied().flatten();
        if let (Some(first), Some(second)) = (first, place)
            && !(sets.is_matched(first) && sets.is_matched(second))
            && taken.insert(first)
        {
            sets.link(first, second, Method::Weight);
        }
    }
}

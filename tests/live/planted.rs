//! Two models whose ways are planted: of each node it is known how long it takes, and of each way
//! of B what it does.

use crate::onnx_file::{FLOAT, Message, floats, model as onnx, node, value};
use crate::program::Place;
use crate::tune::NOISE;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// A node: its type, its name, what it reads and what it computes, and the microseconds it takes.
type Planted = (&'static str, &'static str, &'static str, &'static str, u64);

/// Converts what both `left` and `right` read in B: that pays only if both are B's.
const PACK: Planted = ("Neg", "b pack", "second", "packed", 200);
/// The same where it does not pay at all.
const COSTLY: Planted = ("Neg", "b costly pack", "same", "costly", 500);

/// The nodes of A and of B that lead to each tensor.
const TENSORS: [(&str, [&[Planted]; 2]); 11] = [
    // B is faster,
    (
        "first",
        [
            &[("Neg", "a turn", "x", "turned", 200), ("Abs", "a first", "turned", "first", 200)],
            &[("Abs", "b first", "x", "first", 100)],
        ],
    ),
    ("same", [&[("Tanh", "same", "first", "same", 300)]; 2]),
    // slower,
    (
        "second",
        [
            &[("Sigmoid", "a second", "same", "second", 100)],
            &[
                ("Sigmoid", "b plain", "same", "plain", 100),
                ("Abs", "b second", "plain", "second", 200),
            ],
        ],
    ),
    // faster as an island,
    (
        "left",
        [
            &[("Cos", "a left", "second", "left", 200)],
            &[PACK, ("Cos", "b left", "packed", "left", 50)],
        ],
    ),
    (
        "right",
        [
            &[("Abs", "a right", "second", "right", 200)],
            &[PACK, ("Abs", "b right", "packed", "right", 50)],
        ],
    ),
    // slower as an island,
    (
        "far",
        [
            &[("Mul", "a far", "same same", "far", 200)],
            &[COSTLY, ("Mul", "b far", "costly costly", "far", 50)],
        ],
    ),
    (
        "high",
        [
            &[("Cosh", "a high", "same", "high", 200)],
            &[COSTLY, ("Cosh", "b high", "costly", "high", 50)],
        ],
    ),
    ("near", [&[("Add", "near", "left right", "near", 100)]; 2]),
    ("wide", [&[("Add", "wide", "far high", "wide", 100)]; 2]),
    ("all", [&[("Add", "all", "near wide", "all", 100)]; 2]),
    // and faster, but with another result.
    ("y", [&[("Add", "a y", "all quarter", "y", 300)], &[("Add", "b y", "all half", "y", 100)]]),
];

/// What is worth taking from B.
pub(crate) const BEST: [&str; 3] = ["first", "left", "right"];
/// What is not.
pub(crate) const WORSE: [&str; 4] = ["second", "far", "high", "y"];
/// All of it.
pub(crate) const ALL: [&str; 7] = ["first", "second", "left", "right", "far", "high", "y"];

/// The nodes of the model that computes these tensors in the way of B.
fn nodes(from_b: &[&str]) -> Vec<Planted> {
    let mut seen = BTreeSet::new();
    let ways = TENSORS.iter().map(|(tensor, ways)| ways[usize::from(from_b.contains(tensor))]);
    ways.flatten().copied().filter(|(_, name, ..)| seen.insert(*name)).collect()
}

/// Microseconds that it takes.
pub(crate) fn latency(from_b: &[&str]) -> f64 {
    nodes(from_b).iter().map(|(.., time)| *time as f64).sum()
}

/// Names of A's nodes to these tensors.
pub(crate) fn nodes_of_a(tensors: &[&str]) -> BTreeSet<String> {
    let ways = TENSORS.iter().filter(|(tensor, _)| tensors.contains(tensor));
    ways.flat_map(|(_, [a, _])| a.iter()).map(|(_, name, ..)| name.to_string()).collect()
}

/// The model that computes these tensors in the way of B.
pub(crate) fn model(from_b: &[&str]) -> Vec<u8> {
    model_adding(from_b, 0.5)
}

/// The same where B adds something else in its way to `y`.
pub(crate) fn model_adding(from_b: &[&str], half: f32) -> Vec<u8> {
    let shape = [1, 8];
    let nodes = nodes(from_b);
    let read: BTreeSet<&str> =
        nodes.iter().flat_map(|(_, _, reads, ..)| reads.split(' ')).collect();
    let constants = [("quarter", 0.25), ("half", half)].into_iter();
    let constants = constants.filter(|(name, _)| read.contains(name));
    let own = |(kind, name, reads, output, _): &Planted| -> Message {
        node(kind, name, &reads.split(' ').collect::<Vec<_>>(), &[output])
    };
    onnx(
        nodes.iter().map(own).collect(),
        constants.map(|(name, value)| floats(name, &[1], &[value])).collect(),
        vec![value("x", FLOAT, &shape)],
        vec![value("y", FLOAT, &shape)],
    )
}

/// Writes `a.onnx` and `b.onnx`.
pub(crate) fn write(place: &Place) {
    place.write("a.onnx", &model(&[]));
    place.write("b.onnx", &model(&ALL));
}

/// How long each node takes, in A, in B and in all mixes.
pub(crate) fn times() -> Value {
    let all = [nodes(&[]), nodes(&ALL)].concat();
    let operators: Map<String, Value> =
        all.iter().map(|(_, name, .., time)| (name.to_string(), json!(time * 1000))).collect();
    let own = json!({"operator_ns": 0, "operators": operators, "noise": NOISE});
    json!({"a.onnx": own, "b.onnx": own, "mixed.onnx": own})
}

//! What reading an ONNX model costs per node, for models of 10⁴, 10⁵ and 10⁶ nodes.
//!
//! ```text
//! cargo bench --bench onnx_reader
//! ```
//!
//! The figures of a row should not grow with the number of nodes: where one does, a list
//! is walked inside of a walk. `reader` is everything that is ours: the file is decoded,
//! checked, and each node described. `with shapes` is the same with the shapes that tract
//! infers, for 10³ and 10⁴ nodes. `ONNXRAY_BENCH_NODES` is the largest number of nodes.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a bench that fails panics

#[path = "../tests/harness/onnx_file.rs"]
#[allow(dead_code)] // the tests use the rest of it
mod onnx_file;

use onnx_file::{BOOL, FLOAT, Message, floats, graph, graph_attribute, model as onnx, node, value};
use onnxray_recorder::{GivenDimensions, OnnxNodes};
use std::path::Path;
use std::time::Instant;

/// What is special about a model, and one of this many nodes.
type Shape = (&'static str, fn(u64) -> Vec<u8>);

const MODELS: [Shape; 8] = [
    ("a chain of Relu", |nodes| chain("Relu", nodes, &[])),
    ("a chain of Identity in front of a weight", identities),
    ("nodes of one name", one_name),
    ("one tensor with many readers", many_readers),
    ("many tensors with one reader", one_reader),
    ("one weight in many products", |nodes| chain("MatMul", nodes, &["w"])),
    ("many inputs and outputs", many_ends),
    ("many bodies that read many constants", bodies),
];

fn main() {
    let most = std::env::var("ONNXRAY_BENCH_NODES").ok().and_then(|text| text.parse().ok());
    let most: u64 = most.unwrap_or(1_000_000);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("model.onnx");
    println!("{:42} {:>10}  nanoseconds per node", "", "nodes");
    for (title, model) in MODELS {
        for (stage, sizes) in [
            ("reader", [10_000, 100_000, 1_000_000].as_slice()),
            ("with shapes", [1_000, 10_000].as_slice()),
        ] {
            for &nodes in sizes.iter().filter(|&&nodes| nodes <= most) {
                std::fs::write(&path, model(nodes)).expect("room for the model");
                let seconds = seconds(&path, stage == "with shapes");
                println!("{title:42} {nodes:>10} {:>10.0}  {stage}", seconds * 1e9 / nodes as f64);
            }
        }
    }
}

/// The median of three readings.
fn seconds(path: &Path, shapes: bool) -> f64 {
    // Shapes are not even looked for where a size is given for no dimension.
    let wrong = (!shapes).then(|| ("none".to_string(), 1));
    let given = GivenDimensions { sizes: wrong.into_iter().collect(), ..Default::default() };
    let mut times = [(); 3].map(|()| {
        let begun = Instant::now();
        let nodes = OnnxNodes::read(path, &given).expect("a model that reads");
        let elapsed = begun.elapsed().as_secs_f64();
        assert_eq!(nodes.shapes_unknown.is_none(), shapes, "{:?}", nodes.shapes_unknown);
        elapsed
    });
    times.sort_by(f64::total_cmp);
    times[1]
}

fn name(number: u64) -> String {
    format!("t{number}")
}

/// A weight of 64 x 64.
fn weight(name: &str) -> Message {
    floats(name, &[64, 64], &[0.5; 64 * 64])
}

fn row(name: &str) -> Message {
    value(name, FLOAT, &[1, 64])
}

/// Each node reads what the one before it computed, and `constants`.
fn chain(operator_type: &str, nodes: u64, constants: &[&str]) -> Vec<u8> {
    let link = |number| {
        let input = name(number);
        let inputs = [&[input.as_str()], constants].concat();
        node(operator_type, &format!("n{number}"), &inputs, &[&name(number + 1)])
    };
    let constants = constants.iter().map(|name| weight(name)).collect();
    onnx((0..nodes).map(link).collect(), constants, vec![row("t0")], vec![row(&name(nodes))])
}

fn identities(nodes: u64) -> Vec<u8> {
    let link =
        |number| node("Identity", &format!("n{number}"), &[&name(number)], &[&name(number + 1)]);
    let product = node("MatMul", "product", &["x", &name(nodes)], &["y"]);
    let nodes = (0..nodes).map(link).chain([product]).collect();
    onnx(nodes, vec![weight("t0")], vec![row("x")], vec![row("y")])
}

fn one_name(nodes: u64) -> Vec<u8> {
    let link = |number| node("Relu", "same", &[&name(number)], &[&name(number + 1)]);
    onnx((0..nodes).map(link).collect(), vec![], vec![row("t0")], vec![row(&name(nodes))])
}

fn many_readers(nodes: u64) -> Vec<u8> {
    let reader = |number| node("Neg", &format!("n{number}"), &["x"], &[&name(number)]);
    let last = nodes - 1;
    onnx((0..nodes).map(reader).collect(), vec![], vec![row("x")], vec![row(&name(last))])
}

fn one_reader(nodes: u64) -> Vec<u8> {
    let reader = |number| node("Neg", &format!("n{number}"), &["x"], &[&name(number)]);
    let names: Vec<String> = (1..nodes).map(name).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let sum = node("Sum", "sum", &names, &["y"]);
    let nodes = (1..nodes).map(reader).chain([sum]).collect();
    onnx(nodes, vec![], vec![row("x")], vec![row("y")])
}

fn many_ends(nodes: u64) -> Vec<u8> {
    let input = |number| format!("x{number}");
    let link = |number| node("Neg", &format!("n{number}"), &[&input(number)], &[&name(number)]);
    let inputs = (0..nodes).map(|number| row(&input(number))).collect();
    let outputs = (0..nodes).map(|number| row(&name(number))).collect();
    onnx((0..nodes).map(link).collect(), vec![], inputs, outputs)
}

/// As many constants as nodes, of which every tenth is a branch.
fn bodies(nodes: u64) -> Vec<u8> {
    let branches = nodes / 10;
    let constant = |number: u64| format!("c{number}");
    let body = |number: u64, part: &str| {
        let output = format!("{part}{number}");
        let inner = node("Add", &format!("n{output}"), &["x", &constant(number)], &[&output]);
        graph(vec![inner], vec![row(&output)])
    };
    let branch = |number: u64| {
        node("If", &format!("if{number}"), &["flag"], &[&name(number)])
            .message(5, graph_attribute("then_branch", body(number, "then")))
            .message(5, graph_attribute("else_branch", body(number, "else")))
    };
    let constants = (0..nodes).map(|number| floats(&constant(number), &[1], &[1.0])).collect();
    let inputs = vec![row("x"), value("flag", BOOL, &[])];
    let output = row(&name(branches - 1));
    onnx((0..branches).map(branch).collect(), constants, inputs, vec![output])
}

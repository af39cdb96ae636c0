//! Whether iterations in turns give the answer that a closed form or long runs give.
//!
//! `cargo bench --bench changes` makes real changes to a small network, and records each
//! in both ways to take turns: iteration by iteration in ten launches, and launch by launch
//! in `ONNXRAY_BENCH_LAUNCHES` (30) longer ones. Of the whole and of the layers that change
//! it prints the ratio of their operations and both ratios of times, with their intervals.
//! A width of 1120 instead of 1024, a Gelu instead of the five operators that compute it, a
//! batch of twice the size.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a bench that fails panics

#[allow(dead_code)] // a bench writes one kind of model
#[path = "../tests/harness/onnx_file.rs"]
mod onnx_file;
#[allow(dead_code)] // two models here
#[path = "profiles/recorded.rs"]
mod recorded;
#[path = "profiles/sequence.rs"]
mod sequence;

use onnx_file::{FLOAT, Message, floats, model, node};
use onnxray_analyzer::comparison::{
    Change, Comparison, Field, Member, Options, Recording, compare,
};
use onnxray_import::Launch;
use recorded::{configurations, in_turns, recording};
use sequence::Sequence;
use std::path::{Path, PathBuf};

const EACH: [&str; 4] = ["--dim", "rows=32", "--unprofiled-iterations", "0"];

fn main() {
    let launches = std::env::var("ONNXRAY_BENCH_LAUNCHES").unwrap_or("30".to_string());
    let pairs = [&EACH[..], &["--launches", "10"]].concat();
    let long = ["--interleave", "launches", "--launches", &launches, "--iterations", "200"];
    let ways = [pairs, [&EACH[..], &long].concat()];
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    let file = |name: &str, bytes: Vec<u8>| -> PathBuf {
        let path = folder.join(name).with_extension("onnx");
        std::fs::write(&path, bytes).expect("room for the model");
        path
    };
    let original = file("original", network(1024, Gelu::WrittenOut));
    let wider = file("wider", network(1120, Gelu::WrittenOut));
    let fused = file("fused", network(1024, Gelu::OneNode));
    let out = folder.join("out");
    let models = |other: &Path| {
        ways.each_ref().map(|arguments| in_turns([&original, other], arguments, &out))
    };
    show("a width of 1120 instead of 1024", models(&wider));
    show("one Gelu instead of five operators", models(&fused));
    let configurations =
        |arguments: &Vec<&str>| configurations(&original, "--dim rows=64", arguments, &out);
    show("a batch of 64 rows instead of 32", ways.each_ref().map(configurations));
}

/// What both ways to take turns say of a change.
fn show(title: &str, ways: [[Vec<Launch>; 2]; 2]) {
    let comparisons = ways.map(|[a, b]| {
        let [a, b] = [recording("a", a), recording("b", b)];
        let expected_differences = vec![Field::Batch, Field::Shapes];
        let options = Options { expected_differences, ..Options::default() };
        let comparison = compare(&a, &b, &options).expect("a comparison");
        (comparison, [a, b])
    });
    println!("{title}");
    println!("  {:<22}{:>10}  {:<28}launches in turns", "", "operations", "iterations in turns");
    let [(pairs, sides), (long, _)] = &comparisons;
    let row = |name: &str, operations: f64, changes: [&Change; 2]| {
        let [pairs, long] = changes.map(text);
        println!("  {name:<22}{operations:>10.3}  {pairs:<28}{long}");
    };
    let all = |recording: &Recording| {
        recording.summary.operators.iter().filter_map(|operator| operator.flops).sum::<f64>()
    };
    row("whole", all(&sides[1]) / all(&sides[0]), [&pairs.total.change, &long.total.change]);
    for group in &pairs.groups {
        let Some(same) = layer(long, &group.name) else { continue };
        if group.name.starts_with("/1/") || group.name.starts_with("/0/MatMul") {
            let ratio = flops(&sides[1], &group.group.b) / flops(&sides[0], &group.group.a);
            row(&group.name, ratio, [&group.compared.change, same]);
        }
    }
}

fn layer<'a>(comparison: &'a Comparison, name: &str) -> Option<&'a Change> {
    let group = comparison.groups.iter().find(|group| group.name == name)?;
    Some(&group.compared.change)
}

fn flops(recording: &Recording, members: &[Member]) -> f64 {
    let operators = &recording.summary.operators;
    members.iter().filter_map(|member| operators[member.operator as usize].flops).sum()
}

fn text(change: &Change) -> String {
    match (change.ratio, change.ratio_interval) {
        (Some(ratio), Some(ends)) => format!("{ratio:.3} [{:.3}, {:.3}]", ends.low, ends.high),
        _ => "unknown".to_string(),
    }
}

/// How an activation is computed.
#[derive(Clone, Copy)]
enum Gelu {
    OneNode,
    /// x / 2 * (1 + erf(x / √2)).
    WrittenOut,
}

/// Three blocks of two products around an activation, on this many rows of 256 numbers. The
/// block in the middle has the width and the activation that are asked for.
fn network(width: u64, gelu: Gelu) -> Vec<u8> {
    let mut random = Sequence::new(3);
    let mut weights = vec![
        floats("half", &[], &[0.5]),
        floats("one", &[], &[1.0]),
        floats("root", &[], &[std::f32::consts::FRAC_1_SQRT_2]),
    ];
    let mut nodes = Vec::new();
    let mut tensor = "x".to_string();
    for block in 0..3 {
        let changed = block == 1;
        let width = if changed { width } else { 1024 };
        let name = |part: &str| format!("/{block}/{part}");
        for (part, rows, columns) in [("up", 256, width), ("down", width, 256)] {
            let values: Vec<f32> =
                (0..rows * columns).map(|_| random.below(1000) as f32 / 1e4 - 0.05).collect();
            weights.push(floats(&name(part), &[rows, columns], &values));
        }
        let mut add = |operator: &str, part: &str, inputs: [&str; 2]| {
            let inputs: Vec<&str> = inputs.into_iter().filter(|input| !input.is_empty()).collect();
            nodes.push(node(operator, &name(part), &inputs, &[&name(&format!("{part}.out"))]));
            name(&format!("{part}.out"))
        };
        let product = add("MatMul", "MatMul_up", [&tensor, &name("up")]);
        let activated = match gelu {
            Gelu::OneNode if changed => add("Gelu", "Gelu", [&product, ""]),
            _ => {
                let scaled = add("Mul", "Scale", [&product, "root"]);
                let error = add("Erf", "Erf", [&scaled, ""]);
                let sum = add("Add", "Add", [&error, "one"]);
                let half = add("Mul", "Half", [&product, "half"]);
                add("Mul", "Mul", [&half, &sum])
            }
        };
        tensor = add("MatMul", "MatMul_down", [&activated, &name("down")]);
    }
    model(nodes, weights, vec![rows_of_256("x")], vec![rows_of_256(&tensor)])
}

/// A tensor whose first dimension has no size.
fn rows_of_256(name: &str) -> Message {
    let rows = Message::default().text(2, "rows");
    let columns = Message::default().number(1, 256);
    let shape = Message::default().messages(1, [rows, columns]);
    let tensor = Message::default().number(1, FLOAT).message(2, shape);
    Message::default().text(1, name).message(2, Message::default().message(1, tensor))
}

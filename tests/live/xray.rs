//! Blocks between cuts, timed from outside.

use crate::program::Place;
use crate::recorder::model;
use crate::script::Script;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Rows of the operators of a recording: name, nodes and milliseconds.
fn blocks(place: &Place, out: &str) -> Vec<(String, Vec<String>, f64)> {
    let figures: Value = place.figures(out);
    let rows = figures["operators"].as_array().unwrap().iter();
    let row = |row: &Value| {
        let name = row["name"].as_str().unwrap().to_string();
        (name, nodes(row), row["time_ms"].as_f64().unwrap())
    };
    rows.map(row).collect()
}

/// Nodes of an operator; one that has its node's name names no others.
fn nodes(row: &Value) -> Vec<String> {
    let listed = row["nodes"].as_str().or(row["name"].as_str()).unwrap();
    listed.split("; ").map(str::to_string).collect()
}

#[test]
fn blocks_add_up_to_the_latency_and_hold_what_their_operators_take() {
    let place = Place::new();
    let cnn = model("cnn");
    // By a script, an operator of tract takes 100 us, and the classifier 700 us.
    let times =
        json!({"cnn.onnx": {"operator_ns": 100_000, "operators": {"/classifier/Gemm": 700_000}}});
    let script = Script::new(&place, times, &[]);
    script.succeed(&["record", &cnn, "--iterations", "3", "--out", "whole", "--no-roofs"]);
    let run = ["xray", &cnn, "--engine", "tract", "--blocks", "6", "--launches", "2"];
    script.succeed(&[&run, &["--iterations", "3", "--out", "out", "--no-roofs"][..]].concat());
    let (blocks, whole) = (blocks(&place, "out"), place.figures("whole"));
    assert!((3..=6).contains(&blocks.len()), "{blocks:?}");
    let figures = place.figures("out");
    let latency = figures["model"]["latency_median_ms"].as_f64().unwrap();
    assert_eq!(figures["model"]["latency_median_ms"], whole["model"]["latency_median_ms"]);
    let sum: f64 = blocks.iter().map(|(_, _, time)| time).sum();
    assert!((sum - latency).abs() < 1e-9, "{sum} of {latency}");
    // Each node is in one block.
    let nodes: Vec<&String> = blocks.iter().flat_map(|(_, nodes, _)| nodes).collect();
    assert_eq!(nodes.iter().collect::<BTreeSet<_>>().len(), nodes.len());
    // What the operators of a block take by themselves, it takes together; one that both sides of a
    // cut share in the whole is two where they run apart.
    let operators = whole["operators"].as_array().unwrap();
    for (name, nodes, time) in &blocks {
        let within = operators
            .iter()
            .filter(|operator| self::nodes(operator).iter().all(|node| nodes.contains(node)));
        let sum: f64 = within.map(|operator| operator["time_ms"].as_f64().unwrap()).sum();
        assert!((time - sum).abs() < 0.101, "{name}: {time} ms, {sum} ms of operators");
    }
    let slowest = blocks.iter().max_by(|a, b| a.2.total_cmp(&b.2)).unwrap();
    assert!(slowest.1.contains(&"/classifier/Gemm".to_string()), "{slowest:?}");
}

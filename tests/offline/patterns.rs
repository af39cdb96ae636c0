//! Operators that repeat under one name but for numbers: one row, which adds up to its members in
//! every format.

use crate::office::tables::assert_same;
use crate::office::{Job, libreoffice, written};
use crate::program::{Place, json};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A node, the shape that it writes, and the microseconds that it takes.
struct Node {
    name: String,
    shape: Option<Vec<u64>>,
    time: u64,
}

fn node(name: String, shape: &[u64], time: u64) -> Node {
    Node { name, shape: Some(shape.to_vec()), time }
}

/// A trace of ONNX Runtime: iterations of these nodes, each of which takes up to 4 µs more.
fn trace(place: &Place, file: &str, iterations: usize, nodes: &[Node]) {
    let (mut events, mut now) = (Vec::new(), 1000);
    for iteration in 0..iterations {
        let start = now;
        for (index, node) in nodes.iter().enumerate() {
            let time = node.time + (iteration * 7 + index * 3) as u64 % 5;
            let mut args = json!({"op_name": "MatMul", "provider": "CPUExecutionProvider",
                "node_index": index.to_string()});
            if let Some(shape) = &node.shape {
                args["output_type_shape"] = json!([{"float": shape}]);
            }
            events.push(json!({"cat": "Node", "pid": 1, "tid": 1, "ph": "X", "args": args,
                "name": format!("{}_kernel_time", node.name), "ts": now, "dur": time}));
            now += time;
        }
        events.push(json!({"cat": "Session", "pid": 1, "tid": 1, "ph": "X",
            "name": "model_run", "ts": start, "dur": now - start + 3, "args": {}}));
        now += 10;
    }
    place.write(file, serde_json::to_string(&events).unwrap().as_bytes());
}

/// Six blocks of two layers, of which one layer is slow, between two layers that do not repeat.
fn blocks(place: &Place) {
    let mut nodes = vec![node("embed/MatMul".into(), &[1, 32, 8], 700)];
    for block in 0..6 {
        let slow = if block == 4 { 1600 } else { 1000 };
        nodes.push(node(format!("blocks.{block}/mlp/fc1"), &[1, 32, 512], slow));
        nodes.push(node(format!("blocks.{block}/mlp/fc2"), &[1, 32, 128], 800));
    }
    nodes.push(node("head/MatMul".into(), &[1, 10], 300));
    trace(place, "blocks.json", 40, &nodes);
}

fn summary(place: &Place, more: &[&str]) -> Value {
    let arguments = ["summary", "blocks.json", "--level", "operator", "--format", "json"];
    json(&place.succeed(&[&arguments, more].concat()))
}

fn names<'a>(rows: &'a Value, key: &str) -> Vec<&'a str> {
    rows.as_array().unwrap().iter().map(|row| row[key].as_str().unwrap()).collect()
}

/// What adds up over members, by number of the pattern.
fn sums(operators: &Value, key: &str) -> BTreeMap<u64, f64> {
    let mut sums = BTreeMap::new();
    for row in operators.as_array().unwrap() {
        if let Some(pattern) = row["pattern"].as_u64() {
            *sums.entry(pattern).or_default() += row[key].as_f64().unwrap();
        }
    }
    sums
}

fn assert_close(a: f64, b: f64, what: &str) {
    assert!((a - b).abs() <= 1e-9 * a.abs().max(b.abs()), "{what}: {a} is not {b}");
}

/// Fields of a line of CSV without quotes.
fn rows(csv: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    reader.deserialize().map(|row| row.unwrap()).collect()
}

#[test]
fn sums_of_patterns_are_those_of_their_members_in_every_format() {
    let place = Place::new();
    blocks(&place);
    let printed = summary(&place, &[]);
    let (operators, patterns) = (&printed["operators"], &printed["patterns"]);
    assert_eq!(operators.as_array().unwrap().len(), 14, "all of them, always");
    assert_eq!(names(patterns, "name"), ["blocks.*/mlp/fc1", "blocks.*/mlp/fc2"]);
    let csv = rows(&place.succeed(&[
        "summary",
        "blocks.json",
        "--level",
        "operator",
        "--format",
        "csv",
        "--fold",
    ]));
    assert_eq!(csv.len(), 4);
    for key in ["time_ms", "share", "calls", "executions"] {
        let members = sums(operators, key);
        for row in patterns.as_array().unwrap() {
            let of_pattern = row[key].as_f64().unwrap();
            assert_close(of_pattern, members[&row["pattern"].as_u64().unwrap()], key);
            let name = row["name"].as_str().unwrap();
            let in_csv = csv.iter().find(|row| row["name"] == name).unwrap();
            assert_close(of_pattern, in_csv[key].parse().unwrap(), key);
            assert_eq!(in_csv["members"], "6");
        }
        // Patterns and what is in none are all there is.
        let all: f64 =
            operators.as_array().unwrap().iter().map(|row| row[key].as_f64().unwrap()).sum();
        let folded: f64 = csv.iter().map(|row| row[key].parse::<f64>().unwrap()).sum();
        assert_close(all, folded, key);
    }
    let fc1 = &patterns[0];
    assert_eq!(fc1["outlier"], "blocks.4/mlp/fc1");
    let factor = fc1["outlier_factor"].as_f64().unwrap();
    assert!((factor - 1.6).abs() < 0.01, "{factor}");
    assert_eq!(patterns[1]["outliers"], 0);
    let (time, runs) = (fc1["time_ms"].as_f64().unwrap(), fc1["executions"].as_f64().unwrap());
    assert_close(fc1["execution_ms"].as_f64().unwrap(), time / runs, "one execution");
    let least = fc1["fastest_member_ms"].as_f64().unwrap();
    let most = fc1["slowest_member_ms"].as_f64().unwrap();
    assert!(least < 1.01 && most > 1.59, "{least} {most}");
    // Members vary one against the other: their sum varies less than each of them.
    let of = |row: &Value, key: &str| row[key].as_f64().unwrap();
    let reach = |row: &Value| of(row, "time_high_ms") - of(row, "time_low_ms");
    let members = operators.as_array().unwrap().iter().filter(|row| row["pattern"] == 0);
    let together: f64 = members.map(reach).sum();
    assert!(reach(fc1) < together, "{} {together}", reach(fc1));

    let markdown =
        place.succeed(&["summary", "blocks.json", "--level", "operator", "--format", "markdown"]);
    let shown = format!("{:.3}", fc1["time_ms"].as_f64().unwrap());
    let row = markdown.lines().find(|line| line.contains("fc1")).unwrap();
    assert!(row.contains(&shown), "{shown} in {row}");

    // LibreOffice adds up the members anew.
    place.succeed(&["report", "blocks.json", "-o", "blocks.xlsx"]);
    let jobs = [Job::new("blocks.xlsx", Vec::new(), "saved.xlsx")];
    let computed = libreoffice(&place, &jobs).into_iter().next().unwrap();
    assert!(computed.contains_key("Patterns"), "{:?}", computed.keys());
    assert_same(&written(&place.path("blocks.xlsx")), &computed, "blocks.xlsx");
}

#[test]
fn a_screen_has_a_row_for_a_pattern_and_a_line_for_its_outlier() {
    let place = Place::new();
    blocks(&place);
    let screen = place.succeed(&["summary", "blocks.json"]);
    let row = screen.lines().find(|line| line.starts_with("blocks.*/mlp/fc1")).unwrap();
    assert!(row.contains(" x6 ") && row.contains("1x32x512"), "{row}");
    let outlier = "blocks.4/mlp/fc1 takes 1.60x the others of its pattern";
    assert!(screen.lines().any(|line| line.contains(outlier)), "{screen}");
    assert!(screen.lines().count() <= 26, "{screen}");
    let apart = place.succeed(&["summary", "blocks.json", "--no-fold", "--all"]);
    assert!(apart.contains("\nblocks.3/mlp/fc2 ") && !apart.contains('*'), "{apart}");
    assert!(!apart.contains("Outlier"), "{apart}");
    let json = summary(&place, &["--no-fold"]);
    assert!(json.get("patterns").is_none());
}

#[test]
fn modules_take_the_place_of_operators_on_the_screen_and_respect_top() {
    let place = Place::new();
    blocks(&place);
    let screen = place.succeed(&["summary", "blocks.json", "--group", "blocks.*"]);
    assert!(screen.contains("Where the time goes") && screen.contains("\nblocks.4 "), "{screen}");
    assert!(screen.contains("\n2 other operators "), "{screen}");
    assert!(screen.lines().count() <= 26, "{screen}");
    let arguments = ["summary", "blocks.json", "--level", "operator", "--group", "blocks.*"];
    let two = place.succeed(&[&arguments[..], &["--top", "2"]].concat());
    assert!(two.contains("\n4 others "), "{two}");
    assert_eq!(two.lines().filter(|line| line.starts_with("blocks.")).count(), 2, "{two}");
}

#[test]
fn what_is_not_alike_stays_apart() {
    let place = Place::new();
    let mut nodes: Vec<Node> =
        (1..=6).map(|i| node(format!("conv{i}"), &[1, 8 * i, 4, 4], 100)).collect();
    // Without shapes, numbers in a last part may tell anything apart.
    nodes.extend((1..=6).map(|i| Node { name: format!("gemm{i}"), shape: None, time: 100 }));
    // Names of digits alone have nothing in common.
    nodes.extend((1..=6).map(|i| node(i.to_string(), &[1], 100)));
    trace(&place, "blocks.json", 3, &nodes);
    let printed = summary(&place, &[]);
    assert_eq!(printed["operators"].as_array().unwrap().len(), 18);
    assert!(printed.get("patterns").is_none(), "{}", printed["patterns"]);
    let screen = place.succeed(&["summary", "blocks.json"]);
    assert!(!screen.contains(" x6"), "{screen}");
}

#[test]
fn there_may_be_ten_thousand_patterns() {
    let place = Place::new();
    let word = |number: usize| -> String {
        let letter = |place: u32| char::from(b'a' + (number / 26usize.pow(place) % 26) as u8);
        (0..3).map(letter).collect()
    };
    let nodes = (0..40_000).map(|i| node(format!("{}.{}/fc", word(i / 4), i % 4), &[8], 10));
    trace(&place, "blocks.json", 1, &nodes.collect::<Vec<_>>());
    let printed = summary(&place, &[]);
    assert_eq!(printed["patterns"].as_array().unwrap().len(), 10_000);
    let screen = place.succeed(&["summary", "blocks.json"]);
    assert!(screen.contains(".*/fc") && screen.lines().count() <= 26, "{screen}");
}

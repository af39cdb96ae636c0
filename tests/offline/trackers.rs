//! What benchmark trackers are given: the figures that the reports have, with their intervals.

use crate::program::{Place, fixture_file, json};
use serde_json::Value;

/// What B is of.
const MODEL: &str = "encoder-int8";

/// Compares two recordings of ten launches each, with further arguments.
fn arguments(more: &[&str]) -> Vec<String> {
    let recording = |name: &str| fixture_file("guide").join(name).display().to_string();
    let mut all = vec!["compare".to_string(), recording("encoder"), recording("encoder-int8")];
    all.extend(more.iter().map(|word| word.to_string()));
    all
}

fn compared(place: &Place, more: &[&str]) -> Value {
    let all = arguments(more);
    json(&place.succeed(&all.iter().map(String::as_str).collect::<Vec<_>>()))
}

fn close(value: &Value, expected: f64) {
    let value = value.as_f64().unwrap();
    assert!((value / expected - 1.0).abs() < 1e-9, "{value} is not {expected}");
}

#[test]
fn bencher_gets_latencies_and_ratios_with_their_intervals() {
    let place = Place::new();
    let benchmarks = compared(&place, &["--format", "bmf"]);
    let after = arguments(&[]).pop().unwrap();
    let summary = json(&place.succeed(&["summary", &after, "--format", "json", "--all"]));
    let latency = &benchmarks[MODEL]["latency"];
    for (key, own) in [
        ("value", "latency_median_ms"),
        ("lower_value", "latency_median_low_ms"),
        ("upper_value", "latency_median_high_ms"),
    ] {
        close(&latency[key], summary["model"][own].as_f64().unwrap() * 1e6);
    }
    let comparison = compared(&place, &["--format", "json"]);
    let rows = comparison["inference"].as_array().unwrap();
    let whole = rows.iter().find(|row| row["verdict"].is_string()).unwrap();
    close(&benchmarks[MODEL]["ratio"]["value"], whole["ratio"].as_f64().unwrap());
    let operators = summary["operators"].as_array().unwrap();
    for operator in operators.iter().filter(|row| row["time_ms"].is_f64()) {
        let name = operator["name"].as_str().unwrap().trim_start_matches('/');
        let layer = &benchmarks[format!("{MODEL}/{name}")]["latency"];
        close(&layer["value"], operator["time_ms"].as_f64().unwrap() * 1e6);
    }
    let layers = comparison["layers"].as_array().unwrap();
    let known = layers.iter().filter(|row| row["ratio"].is_f64()).count();
    let with_ratio = benchmarks.as_object().unwrap().values().filter(|own| !own["ratio"].is_null());
    assert_eq!(with_ratio.count(), known + 1, "the model, and each layer");
}

#[test]
fn github_action_benchmark_gets_an_array_of_the_same_figures() {
    let place = Place::new();
    let results = compared(&place, &["--format", "benchmark-action"]);
    let benchmarks = compared(&place, &["--format", "bmf"]);
    let results = results.as_array().unwrap();
    let figures = benchmarks.as_object().unwrap().values();
    assert_eq!(results.len(), figures.map(|own| own.as_object().unwrap().len()).sum::<usize>());
    let first = &results[0];
    assert_eq!((&first["name"], &first["unit"]), (&MODEL.into(), &"ms".into()));
    close(&first["value"], benchmarks[MODEL]["latency"]["value"].as_f64().unwrap() / 1e6);
    assert!(first["range"].as_str().unwrap().starts_with("± "), "{first}");
}

#[test]
fn a_layer_can_be_chosen_and_several_models_cannot() {
    let place = Place::new();
    let chosen = compared(&place, &["--format", "bmf", "--layer", "MatMul"]);
    let names: Vec<&String> = chosen.as_object().unwrap().keys().collect();
    assert!(names.len() > 2, "{names:?}");
    assert!(names.iter().all(|name| *name == MODEL || name.contains("MatMul")), "{names:?}");
    let all = arguments(&["--format", "bmf", "--per-recording"]);
    let refused = place.run(&all.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""));
    assert!(refused.err.contains("no format for benchmark trackers"), "{}", refused.err);
    let other = place.run(&["summary", &arguments(&[])[1], "--format", "bmf"]);
    assert!(other.err.contains("possible values: table, json, csv, markdown]"), "{}", other.err);
}

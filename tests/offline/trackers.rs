//! What benchmark trackers are given: the figures that the reports have, with their intervals.

use crate::program::{Place, json};
use crate::recordings::recorded;
use serde_json::Value;

/// Two recordings, and a comparison of them in a format.
fn compared(place: &Place, format: &str) -> String {
    recorded(place, "cnn", "before");
    recorded(place, "cnn-threads-2", "after");
    place.succeed(&[
        "compare",
        "before",
        "after",
        "--expect-different",
        "threads",
        "--format",
        format,
    ])
}

fn close(value: &Value, expected: f64) {
    let value = value.as_f64().unwrap();
    assert!((value / expected - 1.0).abs() < 1e-9, "{value} is not {expected}");
}

#[test]
fn bencher_gets_latencies_and_ratios_with_their_intervals() {
    let place = Place::new();
    let benchmarks = json(&compared(&place, "bmf"));
    let summary = json(&place.succeed(&["summary", "after", "--format", "json", "--all"]));
    let latency = &benchmarks["cnn"]["latency"];
    for (key, own) in [
        ("value", "latency_median_ms"),
        ("lower_value", "latency_median_low_ms"),
        ("upper_value", "latency_median_high_ms"),
    ] {
        close(&latency[key], summary["model"][own].as_f64().unwrap() * 1e6);
    }
    let comparison = json(&compared(&place, "json"));
    let rows = comparison["inference"].as_array().unwrap();
    let whole = rows.iter().find(|row| row["verdict"].is_string()).unwrap();
    close(&benchmarks["cnn"]["ratio"]["value"], whole["ratio"].as_f64().unwrap());
    let operators = summary["operators"].as_array().unwrap();
    for operator in operators.iter().filter(|row| row["time_ms"].is_f64()) {
        let name = operator["name"].as_str().unwrap().trim_start_matches('/');
        let layer = &benchmarks[format!("cnn/{name}")]["latency"];
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
    let results = json(&compared(&place, "benchmark-action"));
    let benchmarks = json(&compared(&place, "bmf"));
    let results = results.as_array().unwrap();
    let figures = benchmarks.as_object().unwrap().values();
    assert_eq!(results.len(), figures.map(|own| own.as_object().unwrap().len()).sum::<usize>());
    let first = &results[0];
    assert_eq!((&first["name"], &first["unit"]), (&"cnn".into(), &"ms".into()));
    close(&first["value"], benchmarks["cnn"]["latency"]["value"].as_f64().unwrap() / 1e6);
    assert!(first["range"].as_str().unwrap().starts_with("± "), "{first}");
}

#[test]
fn a_layer_can_be_chosen_and_several_models_cannot() {
    let place = Place::new();
    compared(&place, "bmf");
    let line = ["compare", "before", "after", "--expect-different", "threads", "--format", "bmf"];
    let chosen = json(&place.succeed(&[&line[..], &["--layer", "Conv"]].concat()));
    let names: Vec<&String> = chosen.as_object().unwrap().keys().collect();
    assert!(names.iter().all(|name| *name == "cnn" || name.contains("Conv")), "{names:?}");
    let refused = place.run(&[&line[..], &["--per-recording"]].concat());
    assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""));
    assert!(refused.err.contains("no format for benchmark trackers"), "{}", refused.err);
    let other = place.run(&["summary", "after", "--format", "bmf"]);
    assert!(other.err.contains("possible values: table, json, csv, markdown]"), "{}", other.err);
}

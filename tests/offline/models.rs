//! `onnxray compare --per-recording`: two folders of recordings, model by model.

use crate::program::{Place, fixture_file, json};
use std::fs;

fn put(place: &Place, from: &str, to: &str) {
    fs::create_dir_all(place.path(to).parent().unwrap()).unwrap();
    fs::copy(fixture_file(from), place.path(to)).unwrap();
}

/// Folders with profiles of two models in both, and of another one in the second.
fn folders() -> Place {
    let place = Place::new();
    for side in ["before", "after"] {
        put(&place, "onnxruntime/1.31.1/cnn.json", &format!("{side}/cnn.json"));
        put(&place, "onnxruntime/1.31.1/loop.json", &format!("{side}/loop.json"));
    }
    put(&place, "onnxruntime/1.31.1/encoder.json.gz", "after/encoder.json.gz");
    place
}

/// Another recording: a microsecond longer, iteration by iteration.
fn record_again(place: &Place, file: &str) {
    let mut trace = json(&fs::read_to_string(place.path(file)).unwrap());
    for event in trace.as_array_mut().unwrap() {
        if event["name"] == "model_run" {
            event["dur"] = (event["dur"].as_u64().unwrap() + 1).into();
        }
    }
    // As ONNX Runtime writes it.
    place.write(file, trace.to_string().replace("\"dur\":", "\"dur\" :").as_bytes());
}

#[test]
fn models_are_compared_to_their_own_and_end_in_a_geometric_mean() {
    let place = folders();
    let report = json(&place.succeed(&[
        "compare",
        "before",
        "after",
        "--per-recording",
        "--format",
        "json",
    ]));
    let models = report["models"].as_array().unwrap();
    let ratio = |row: &serde_json::Value| row["ratio"].as_f64().unwrap();
    assert_eq!(models.len(), 3, "{report:#}");
    let product: f64 = models[..2].iter().map(ratio).product();
    assert!((ratio(&models[2]) - product.sqrt()).abs() < 1e-9, "{report:#}");
    assert_eq!(models[2]["model"], "geometric mean");
    let notes = report["notes"].to_string();
    assert!(notes.contains("encoder is in after only"), "{notes}");
}

#[test]
fn the_gate_judges_every_model() {
    let place = folders();
    record_again(&place, "after/cnn.json");
    record_again(&place, "after/loop.json");
    let gate = ["compare", "before", "after", "--per-recording", "--fail-above", "5%"];
    assert_eq!(place.run(&gate).code, Some(0));
    let slower = std::fs::read_to_string(place.path("after/cnn.json")).unwrap();
    let slower = slower.replace("\"dur\" :", "\"dur\" :9");
    place.write("after/cnn.json", slower.as_bytes());
    let failed = place.run(&gate);
    assert_eq!(failed.code, Some(3), "{}{}", failed.out, failed.err);
    assert!(failed.err.contains("failed: cnn of after"), "{}", failed.err);
}

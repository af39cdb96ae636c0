//! `--warmup` for traces whose producer flags none.

use crate::program::{Place, fixture_file};
use serde_json::Value;

fn profile() -> String {
    fixture_file("onnxruntime/1.31.1/encoder.json.gz").display().to_string()
}

fn figures(place: &Place, more: &[&str]) -> Value {
    let profile = profile();
    let command = [&["summary", &profile, "--format", "json", "--level"][..], more].concat();
    serde_json::from_str(&place.run(&command).out).unwrap()
}

#[test]
fn the_first_iterations_are_left_out_of_figures_and_shown() {
    let place = Place::new();
    let iterations = figures(&place, &["iteration", "--warmup", "1"]);
    let rows = iterations["iterations"].as_array().unwrap();
    let kinds: Vec<&str> = rows.iter().map(|row| row["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["warm-up", "measured", "measured"]);
    let latencies: Vec<f64> = rows.iter().map(|row| row["latency_ms"].as_f64().unwrap()).collect();
    let model = figures(&place, &["model", "--warmup", "1"])["model"].clone();
    let mean = model["latency_mean_ms"].as_f64().unwrap();
    assert!((mean - (latencies[1] + latencies[2]) / 2.0).abs() < 1e-9, "{mean}: {latencies:?}");
    assert_eq!(model["warmup_flagged"], 1);
}

#[test]
fn a_single_iteration_has_a_latency_and_no_percentiles() {
    let place = Place::new();
    let model = figures(&place, &["model", "--warmup", "2"])["model"].clone();
    assert_eq!(model["iterations"], 1);
    assert!(model["latency_median_ms"].is_number());
    assert_eq!(model.get("latency_p90_ms").or(model.get("latency_min_ms")), None);
    let shown = place.run(&["summary", &profile(), "--warmup", "2", "--columns", "name,time_ms"]);
    assert!(shown.out.contains("profiled latency (ms)"), "{}", shown.out);
    assert!(!shown.out.contains("p90"), "{}", shown.out);
    let tables = place.run(&["summary", &profile(), "--warmup", "2", "--level", "type,operator"]);
    assert!(!tables.out.contains("Median") && !tables.out.contains("p90"), "{}", tables.out);
    place.succeed(&["convert", &profile(), "--warmup", "2", "--compact", "-o", "one.json"]);
    let compared = place.run(&["compare", "--baseline", "one.json", &profile()]);
    assert_eq!(compared.code, Some(0), "{}", compared.err);
}

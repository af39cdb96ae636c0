//! Recordings of ONNX Runtime: what its threads run side by side, and its layers beside those of
//! another engine, another optimization level and another version.

use crate::program::{Place, json};
use crate::recordings::recorded;

#[test]
fn operators_that_run_side_by_side_are_kept_apart() {
    let place = Place::new();
    recorded(&place, "encoder-parallel", "out");
    let trace = std::fs::read_to_string(&place.traces("out")[0]).unwrap();
    assert!(trace.contains("\"worker 1\""), "no thread helped");
    let model = &place.figures("out")["model"];
    let options = model["engine_options"].as_str().unwrap();
    assert!(options.contains("execution mode: parallel, 2 threads"), "{options}");
    let figure = |key: &str| model[key].as_f64().unwrap();
    let concurrent = model["concurrent_mean_ms"].as_f64().unwrap_or(0.0);
    let parts = figure("operators_mean_ms") - concurrent + figure("overhead_mean_ms");
    // Of an earlier version, without a profiling cost.
    assert!((parts - figure("typical_mean_ms")).abs() < 1e-6, "{model:#}");
}

#[test]
fn layers_of_engines_levels_and_versions_are_put_together() {
    let place = Place::new();
    for name in ["cnn", "encoder", "encoder-int8"] {
        for (kind, differing) in [
            ("engines", "engine,version,engine_options,registers"),
            ("levels", "engine_options"),
            ("versions", "version"),
        ] {
            let out = format!("{name}-{kind}");
            recorded(&place, &out, &out);
            let [a, b] = ["a", "b"].map(|side| format!("{out}/{name}-{side}"));
            let compare = ["compare", &a, &b, "--expect-different", differing, "--all"];
            let report = json(&place.succeed(&[&compare[..], &["--format", "json"]].concat()));
            for side in report["conservation"].as_array().unwrap() {
                let aligned = side["aligned_by_more_than_place"].as_f64().unwrap();
                assert!(aligned >= 0.95, "{out}: {side:#}");
            }
        }
    }
}

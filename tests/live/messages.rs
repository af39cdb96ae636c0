//! What `record` says in the end: how long an iteration takes, how certain that is, and what to do
//! next.

use crate::program::{Finished, Place, model};
use crate::recorder::record;
use serde_json::Value;

#[test]
fn hints_can_be_pasted_into_a_shell() {
    let place = Place::new();
    record(&place, "cnn", "my traces; rm x", &[]);
    let model = model("cnn");
    let again = ["record", &model, "--out", "my traces; rm x", "--iterations", "2"];
    let said = place.run(&again).err;
    assert!(said.contains("hint: onnxray summary 'my traces; rm x'\n"), "{said}");
}

/// Records the CNN; what was said, and the model's figures.
fn record_cnn(place: &Place, launches: &str, iterations: &str) -> (Finished, Value) {
    let cnn = model("cnn");
    let out = format!("out-{launches}-{iterations}");
    let length = ["--launches", launches, "--iterations", iterations, "--warmup", "1"];
    let done = place.run(&[&["record", &cnn, "--out", &out][..], &length].concat());
    assert_eq!(done.code, Some(0), "{}", done.err);
    (done, place.figures(&out)["model"].clone())
}

#[test]
fn the_latency_that_is_said_has_its_interval() {
    let place = Place::new();
    for (launches, iterations, over) in [
        ("3", "4", "(3 launches)"),
        ("1", "20", "(10 blocks of iterations)"),
        ("2", "10", "(10 blocks of iterations)"),
    ] {
        let (done, model) = record_cnn(&place, launches, iterations);
        let [low, median, high] =
            ["latency_median_low_ms", "latency_median_ms", "latency_median_high_ms"]
                .map(|key| model[key].as_f64().unwrap());
        assert!(low <= median && median <= high, "{model}");
        let text = format!("± {:.1} % {over}", (high / median - 1.0) * 100.0);
        assert_eq!(model["latency_median_interval"].as_str(), Some(text.as_str()));
        let said = format!("median latency {median:.3} ms {text}, p90 ");
        let line = done.err.lines().find(|line| line.contains(" iterations in ")).unwrap();
        assert!(line.contains(&said), "{line} has no {said}");
    }
}

#[test]
fn a_latency_of_too_few_iterations_has_no_interval() {
    let place = Place::new();
    let (done, model) = record_cnn(&place, "1", "4");
    assert!(done.err.contains("ms ± unknown (too few iterations), p90"), "{}", done.err);
    assert!(model["latency_median_low_ms"].is_null());
    assert_eq!(model["latency_median_interval"], "unknown: too few iterations");
}

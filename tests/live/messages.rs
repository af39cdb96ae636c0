//! What `record` says in the end: how long an iteration takes, how certain that is, and what to do
//! next.

use crate::program::{Finished, Place, finished, model};
use crate::recorder::record;
use serde_json::Value;

#[test]
fn hints_can_be_pasted_into_a_shell() {
    let place = Place::new();
    record(&place, "cnn", "my traces; rm x", &[]);
    let model = model("cnn");
    let again = ["record", &model, "--out", "my traces; rm x", "--iterations", "2"];
    let said = place.run(&again).err;
    let trace = place.traces("my traces; rm x")[1].strip_prefix(place.path("")).unwrap().to_owned();
    let word = format!("'{}'", trace.display());
    let expected = format!("hint: onnxray report {word} -o report.html\n");
    assert!(said.contains(&expected), "{said} has no {expected}");
    assert!(said.contains(&format!("\nRecording: {word}\n")), "{said}");
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
        let percent = (high / median - 1.0) * 100.0;
        let decimals = usize::from(percent < 9.95);
        let text = format!("± {percent:.decimals$} % {over}");
        assert_eq!(model["latency_median_interval"].as_str(), Some(text.as_str()));
        let (reach, _) = text.split_once(" (").unwrap();
        let line = done.err.lines().find(|line| line.starts_with("Latency ")).unwrap();
        assert!(line.contains(&format!("s median ({reach})")), "{line} has no {reach}");
    }
}

#[test]
fn a_latency_of_too_few_iterations_has_no_interval() {
    let place = Place::new();
    let (done, model) = record_cnn(&place, "1", "4");
    assert!(done.err.contains("s median (± unknown)   "), "{}", done.err);
    assert!(model["latency_median_low_ms"].is_null());
    assert_eq!(model["latency_median_interval"], "unknown: too few iterations");
}

#[test]
fn an_engine_that_is_installed_and_was_not_chosen_is_named_once() {
    let place = Place::new();
    // It is looked at, and never loaded.
    let library = place.write("libonnxruntime.so", b"OrtGetApiBase VERS_1.31.1\0");
    let cnn = model("cnn");
    let said = |more: &[&str]| {
        let start = ["record", &cnn, "--iterations", "2", "--warmup", "0"];
        let mut command = place.command(&[&start[..], more].concat());
        finished(command.env("ORT_DYLIB_PATH", &library).output().unwrap()).err
    };
    let hint = "hint: ONNX Runtime 1.31.1 is installed: --engine onnxruntime records with it\n";
    assert_eq!(said(&[]).matches(hint).count(), 1);
    for more in [&["--engine", "tract"][..], &["--quiet"]] {
        assert!(!said(more).contains("ONNX Runtime"), "{more:?}");
    }
}

#[test]
fn the_end_of_a_recording_fits_on_a_screen() {
    let place = Place::new();
    let encoder = model("encoder");
    let length = ["--dim", "sequence=4", "--iterations", "3", "--warmup", "0"];
    let start = ["record", &encoder, "--out", "out"];
    for launches in ["1", "2"] {
        let done = place.run(&[&start[..], &length, &["--launches", launches]].concat());
        let screen = done.err.lines().skip_while(|line| line.starts_with("note: "));
        let lines: Vec<&str> = screen.collect();
        assert!(lines[0].starts_with("encoder.onnx   tract "), "{}", done.err);
        assert!((15..=26).contains(&lines.len()), "{} lines:\n{}", lines.len(), done.err);
        let quiet = place.run(&[&start[..], &length, &["--quiet"]].concat());
        assert_eq!(quiet.err, "");
        assert_eq!(quiet.out.lines().count(), 1, "{}", quiet.out);
    }
}

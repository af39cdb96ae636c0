//! `--iteration-marks` for traces whose producer marks none, or others.

use crate::program::{Place, fixture_file};
use serde_json::Value;

fn trace() -> String {
    fixture_file("pytorch/2.5.1/server.json").display().to_string()
}

/// Iterations and median latency.
fn figures(place: &Place, options: &[&str]) -> (u64, Option<f64>) {
    let file = trace();
    let all = [&["summary", &file, "--level", "model", "--format", "json"], options].concat();
    let shown = place.run(&all);
    let model = serde_json::from_str::<Value>(&shown.out).unwrap()["model"].clone();
    (model["iterations"].as_u64().unwrap_or(0), model["latency_median_ms"].as_f64())
}

#[test]
fn annotations_that_are_called_so_are_iterations() {
    let place = Place::new();
    // Those of servers that are known need no word.
    assert_eq!(figures(&place, &[]), (4, Some(0.9)));
    assert_eq!(figures(&place, &["--iteration-marks", "step[DECODE*"]), (4, Some(0.9)));
    assert_eq!(figures(&place, &["--iteration-marks", "sample"]), (4, Some(0.1)));
    let (none, latency) = figures(&place, &["--iteration-marks", "nothing"]);
    assert_eq!((none, latency), (0, None));
}

#[test]
fn every_command_that_reads_traces_takes_them() {
    let place = Place::new();
    let marks = ["--iteration-marks", "sample"];
    for command in [
        &["summary"][..],
        &["report", "-o", "report.html"],
        &["convert", "-o", "converted.json"],
        &["check"],
        &["inspect"],
        &["project", "-o", "projected.xlsx"],
    ] {
        let finished = place.run(&[command, &[&trace()], &marks].concat());
        assert!(!finished.err.contains("unexpected argument"), "{command:?}: {}", finished.err);
    }
    let compared = place.run(&[&["compare", &trace(), &trace()], &marks[..]].concat());
    assert!(!compared.err.contains("unexpected argument"), "{}", compared.err);
}

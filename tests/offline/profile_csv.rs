//! `convert --profile-csv`: the CSV that `record` writes, of any trace.

use crate::program::{Place, fixture_file, json};
use crate::recordings::recorded;

/// What is read from the CSV is what the trace says, operator by operator.
#[test]
fn its_times_are_those_of_summary() {
    let place = Place::new();
    recorded(&place, "cnn-3-launches", "recording");
    let launch = "recording/profiling_trace/*_0.json*".to_string();
    let other = fixture_file("onnxruntime/1.31.1/encoder.json.gz");
    // Of all launches of a recording, it has what `summary` says of the recording.
    for source in [launch, "recording".to_string(), other.to_str().unwrap().to_string()] {
        let line = ["convert", &source, "-o", "t.json", "--profile-csv", "t.csv", "--force"];
        place.succeed(&line);
        let names = |report: &serde_json::Value| -> Vec<(String, String)> {
            let rows = report["operators"].as_array().unwrap().iter();
            let row = |row: &serde_json::Value| {
                let time = row["time_ms"].as_f64().map(|time| format!("{time:.6}"));
                (row["name"].as_str().unwrap().to_string(), time.unwrap_or_default())
            };
            let mut rows: Vec<_> = rows.map(row).collect();
            rows.sort();
            rows
        };
        let report = |of: &str| json(&place.succeed(&["summary", of, "--format", "json"]));
        let of_trace = report(&source);
        let of_csv = report("t.csv");
        let (expected, found) = (names(&of_trace), names(&of_csv));
        assert!(expected.len() > 10, "{source}");
        assert_eq!(found, expected, "{source}");
    }
}

#[test]
fn tables_have_none() {
    let place = Place::new();
    recorded(&place, "cnn-3-launches", "recording");
    let line = ["convert", "recording", "-o", "t.parquet", "--profile-csv", "t.csv"];
    let said = place.run(&line);
    assert_eq!(said.code, Some(2), "{}", said.err);
    assert!(said.err.contains("--profile-csv needs a recording"), "{}", said.err);
    assert!(!place.path("t.csv").exists());
}

//! Recordings of decoders that generate: a phase of theirs is taken for a model.

use crate::program::{Place, json};
use crate::recordings::recorded;
use serde_json::Value;
use std::fs;

fn summary(place: &Place, recording: &str, more: &[&str]) -> Value {
    let arguments = ["summary", recording, "--strict", "--format", "json", "--all"];
    json(&place.succeed(&[&arguments, more].concat()))
}

#[test]
fn everything_downstream_takes_a_phase_for_a_model() {
    let place = Place::new();
    recorded(&place, "decoder", "a");
    recorded(&place, "decoder-again", "b");
    for phase in ["prefill", "decode"] {
        let chosen = ["--phase", phase];
        let compared = ["compare", "a", "b", "--format", "json"];
        let compared = json(&place.succeed(&[&compared, &chosen[..]].concat()));
        assert!(compared["layers"].as_array().unwrap().len() > 20, "{phase}");
        place.succeed(&[&["project", "a", "--target", "0.8"], &chosen[..]].concat());
        place.succeed(&[&["report", "a", "-o", &format!("{phase}.xlsx")], &chosen[..]].concat());
    }
    place.succeed(&["convert", "a", "--phase", "prefill", "-o", "prefill.json"]);
    let other = place.run(&["summary", "prefill.json"]);
    assert!(
        other.err.ends_with("; 5 are of another phase, which --phase chooses\n"),
        "{}",
        other.err
    );
    place.succeed(&["convert", "a", "-o", "again.json"]);
    let [first, again] =
        ["a", "again.json"].map(|file| summary(&place, file, &["--level", "model,iteration"]));
    assert_eq!(first["phases"], again["phases"]);
    assert_eq!(first["iterations"], again["iterations"]);
    place.succeed(&["convert", "a", "-o", "tables.csv"]);
    let lines = |table: &str| -> Vec<String> {
        let text = fs::read_to_string(place.path(&format!("tables.{table}.csv"))).unwrap();
        text.lines().map(str::to_string).collect()
    };
    let iterations = lines("iterations");
    assert!(iterations[0].contains("kind,phase,tokens,cached,"), "{}", iterations[0]);
    assert!(iterations[1].contains("warm-up,prefill,10,0,"), "{}", iterations[1]);
    assert!(iterations[3].contains("warm-up,decode,1,11,"), "{}", iterations[3]);
    let of_phase =
        |phase: &str| lines("operators").iter().filter(|row| row.contains(phase)).count();
    assert!(of_phase(",prefill,") > 20 && of_phase(",prefill,") == of_phase(",decode,"));
    recorded(&place, "decoder-longer", "longer");
    let differing = place.succeed(&["compare", "a", "longer"]);
    assert!(differing.starts_with("Not comparable: input shapes differ."), "{differing}");
    let table = fs::read_to_string(&place.tables("a")[0]).unwrap();
    assert!(table.contains("/lm_head/Gemm,") && table.contains("/lm_head/Gemm (prefill),"));
}

//! `record --as-is`: what becomes of the vector registers stands in the recording, and
//! recordings that differ in it are told apart.

use crate::program::{Place, json, record};
use serde_json::Value;

const CLEARED: &str = "cleared after each operator";
const AS_IS: &str = "as the engine leaves them";

/// By default; where a processor has nothing to clear, the engine is left alone.
fn default() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx") {
        return CLEARED;
    }
    AS_IS
}

fn differences(place: &Place, a: &str, b: &str) -> Vec<Value> {
    let report = json(&place.succeed(&["compare", a, b, "--format", "json"]));
    let rows = report["configuration_differences"].as_array().cloned().unwrap_or_default();
    rows.into_iter().filter(|row| row["field"] == "vector registers").collect()
}

#[test]
fn a_recording_says_whether_registers_were_cleared() {
    let place = Place::new();
    record(&place, "cnn", "default", &[]);
    record(&place, "cnn", "as-is", &["--as-is", "--launches", "2"]);
    assert_eq!(place.figures("default")["model"]["vector_registers"], default());
    assert_eq!(place.figures("as-is")["model"]["vector_registers"], AS_IS);
    for trace in place.traces("as-is") {
        let trace = json(&std::fs::read_to_string(trace).unwrap());
        assert_eq!(trace["otherData"]["vector_registers"], "as_is");
    }
    // Two recordings in turns.
    let models = ["encoder", "encoder-pruned-4x1"].map(crate::program::model);
    let turns = ["--dim", "sequence=4", "--iterations", "2", "--as-is", "--out", "turns"];
    place.succeed(&[&["record", &models[0], "--against", &models[1]], &turns[..]].concat());
    for folder in ["turns/encoder", "turns/encoder-pruned-4x1"] {
        assert_eq!(place.figures(folder)["model"]["vector_registers"], AS_IS);
    }
}

#[test]
fn one_model_takes_turns_with_and_without_clearing() {
    let place = Place::new();
    let cnn = crate::program::model("cnn");
    let done = place.run(&["record", &cnn, "--against-options=--as-is", "--iterations", "20"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    let folders = ["engine_profiling/cnn-a", "engine_profiling/cnn-b"];
    for (folder, expected) in folders.into_iter().zip([default(), AS_IS]) {
        assert_eq!(place.figures(folder)["model"]["vector_registers"], expected);
    }
    // As the hint says, the two can be compared.
    let hint = done.err.lines().last().unwrap_or_default();
    let words: Vec<&str> = hint.split(' ').collect();
    let [_, _, compare @ ..] = words.as_slice() else { panic!("{hint}") };
    assert_eq!(compare[3..], ["--expect-different", "registers"], "{hint}");
    let table = place.succeed(compare);
    assert!(!table.contains("Not comparable"), "{table}");
}

#[test]
fn recordings_that_differ_in_it_are_not_comparable_and_not_mixed() {
    if default() == AS_IS {
        return;
    }
    let place = Place::new();
    record(&place, "cnn", "default", &[]);
    record(&place, "cnn", "as-is", &["--as-is"]);
    let table = place.succeed(&["compare", "default", "as-is", "--view", "inference"]);
    assert!(table.starts_with("Not comparable: vector registers differ."), "{table}");
    let found = &differences(&place, "default", "as-is")[..];
    let [row] = found else { panic!("{found:?}") };
    assert_eq!((&row["a"], &row["b"]), (&CLEARED.into(), &AS_IS.into()));
    assert_eq!(row["meaning"], "not comparable");
    let expected = ["compare", "default", "as-is", "--expect-different", "registers"];
    assert!(!place.succeed(&expected).contains("Not comparable"));
    let (a, b) = (place.traces("default")[0].clone(), place.traces("as-is")[0].clone());
    let mixed = place.run(&["summary", a.to_str().unwrap(), b.to_str().unwrap()]);
    assert_eq!(mixed.code, Some(1));
    let reason =
        format!("state of the vector registers is {CLEARED} in one and {AS_IS} in the other");
    assert!(mixed.err.contains(&reason), "{}", mixed.err);
}

#[test]
fn a_recording_that_does_not_tell_is_unknown() {
    let place = Place::new();
    record(&place, "cnn", "new", &[]);
    let stored = place.succeed(&["summary", "new", "--format", "json"]);
    place.write("stored.json", stored.as_bytes());
    let trace = std::fs::read_to_string(&place.traces("new")[0]).unwrap();
    for (name, value) in [("old", ""), ("strange", "\"vector_registers\":\"boiled\",")] {
        let start = trace.find("\"vector_registers\":").unwrap();
        let end = start + trace[start..].find(',').unwrap() + 1;
        let changed = [&trace[..start], value, &trace[end..]].concat();
        place.write(&format!("{name}.json"), changed.as_bytes());
        let file = format!("{name}.json");
        assert_eq!(place.figures(&file)["model"]["vector_registers"], Value::Null);
        let found = &differences(&place, "new", &file)[..];
        let [row] = found else { panic!("{found:?}") };
        assert_eq!((&row["a"], &row["b"]), (&default().into(), &Value::Null));
        assert_eq!(row["meaning"], "unknown on one side");
    }
    // A stored summary does tell.
    let against = ["compare", "--baseline", "stored.json", "new", "--format", "json"];
    let report = json(&place.succeed(&against));
    let differences = &report["configuration_differences"];
    let mut rows = differences.as_array().into_iter().flatten();
    assert!(rows.all(|row| row["field"] != "vector registers"), "{differences}");
}

//! Recordings that differ in what becomes of the vector registers are told apart.

use crate::program::{Place, json};
use crate::recordings::recorded;
use serde_json::Value;

const CLEARED: &str = "cleared after each operator";
const AS_IS: &str = "as the engine leaves them";

fn differences(place: &Place, a: &str, b: &str) -> Vec<Value> {
    let report = json(&place.succeed(&["compare", a, b, "--format", "json"]));
    let rows = report["configuration_differences"].as_array().cloned().unwrap_or_default();
    rows.into_iter().filter(|row| row["field"] == "vector registers").collect()
}

#[test]
fn recordings_that_differ_in_it_are_not_comparable() {
    let place = Place::new();
    recorded(&place, "cnn", "default");
    recorded(&place, "cnn-as-is", "as-is");
    let found = &differences(&place, "default", "as-is")[..];
    let [row] = found else { panic!("{found:?}") };
    assert_eq!((&row["a"], &row["b"]), (&CLEARED.into(), &AS_IS.into()));
    assert_eq!(row["meaning"], "not comparable");
}

#[test]
fn a_recording_that_does_not_tell_is_unknown() {
    let place = Place::new();
    recorded(&place, "cnn", "new");
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
        assert_eq!((&row["a"], &row["b"]), (&CLEARED.into(), &Value::Null));
        assert_eq!(row["meaning"], "unknown on one side");
    }
}

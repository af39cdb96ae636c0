//! What a check finds in a recording that shared its core with another one, now and then.

use crate::program::{Place, json};
use crate::recordings::recorded;
use serde_json::Value;
use std::fs;

fn finding(place: &Place, subject: &str) -> Value {
    let text = place.succeed(&["check", "loaded", "--format", "json"]);
    let all = json(&text)["checks"].as_array().unwrap().clone();
    all.into_iter().find(|row| row["subject"] == subject).unwrap()
}

#[test]
fn a_load_that_comes_and_goes_is_named() {
    let place = Place::new();
    recorded(&place, "cnn-under-load", "loaded");
    let found = finding(&place, "other load");
    assert_eq!(found["grade"], "doubtful", "{found}");
    let text = found["found"].as_str().unwrap();
    assert!(text.starts_with("other programs used up to "), "{text}");
    assert!(text.contains("the typical latency is"), "{text}");
    let switches = finding(&place, "context switches");
    assert!(switches["found"].as_str().unwrap().contains("descheduled 731 times"), "{switches}");
    // So does the summary.
    let summary = place.run(&["summary", "loaded"]).err;
    assert!(summary.contains("other programs used up to "), "{summary}");
    // And so does a copy of it.
    let trace = place.traces("loaded")[0].display().to_string();
    place.succeed(&["convert", &trace, "-o", "copy.json"]);
    let conditions = |path: &str| json(&fs::read_to_string(path).unwrap())["conditions"].clone();
    let copy = place.path("copy.json").display().to_string();
    assert_eq!(conditions(&copy), conditions(&trace));
}

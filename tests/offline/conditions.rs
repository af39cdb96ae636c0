//! What `convert` keeps of the conditions of a recording.

use crate::program::{Place, json};
use crate::recordings::recorded;
use std::fs;

#[test]
fn a_copy_has_the_conditions_of_the_recording() {
    let place = Place::new();
    recorded(&place, "cnn-under-load", "loaded");
    let trace = place.traces("loaded")[0].display().to_string();
    place.succeed(&["convert", &trace, "-o", "copy.json"]);
    let conditions = |path: &str| json(&fs::read_to_string(path).unwrap())["conditions"].clone();
    let copy = place.path("copy.json").display().to_string();
    assert_eq!(conditions(&copy), conditions(&trace));
}

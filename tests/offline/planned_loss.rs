//! Plans that weigh what pruning costs: loss profiles beside recordings.

use crate::program::{Place, fixture_file, json};
use crate::recordings::recorded;
use serde_json::Value;
use std::fs;

/// Copies a committed loss profile.
fn profile(place: &Place, committed: &str, name: &str) -> Value {
    let bytes = fs::read(fixture_file("recordings").join(committed)).unwrap();
    place.write(name, &bytes);
    serde_json::from_slice(&bytes).unwrap()
}

/// Notes of a report in JSON.
fn notes(report: &str) -> String {
    json(report)["notes"].to_string()
}

#[test]
fn a_plan_has_what_its_layers_let_expect() {
    let place = Place::new();
    recorded(&place, "encoder", "out");
    let loss = profile(&place, "loss-encoder/loss.json", "loss.json");
    let settings = ["--save-settings", "plan.json", "--format", "json"];
    let project = ["project", "out", "--budget", "0.8", "--sensitivity", "loss.json"];
    let planned = json(&place.succeed(&[&project[..], &settings].concat()));
    let planned = &planned["planned_loss"];
    let number = |key: &str| planned[key].as_f64().unwrap();
    for key in ["l1", "l2"] {
        assert!(0.0 < number(key) && number(key) < 0.95, "{planned}");
    }
    assert!(number("sensitivity") > 0.0, "{planned}");
    let plan = json(&fs::read_to_string(place.path("plan.json")).unwrap());
    let levels = plan["targets"]["operators"].as_object().unwrap();
    assert!(levels.len() > 5, "{levels:?}");
    let layers: Vec<&str> = loss["layers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["name"].as_str().unwrap())
        .collect();
    assert!(levels.keys().all(|name| layers.contains(&name.as_str())), "{levels:?}");
}

#[test]
fn a_profile_that_was_cut_is_refused() {
    let place = Place::new();
    recorded(&place, "cnn", "out");
    profile(&place, "loss-cnn/loss.json", "loss.json");
    let whole = fs::read(place.path("loss.json")).unwrap();
    place.write("cut.json", &whole[..whole.len() / 2]);
    let refused = place.run(&["project", "out", "--budget", "0.5", "--sensitivity", "cut.json"]);
    assert_eq!(refused.code, Some(1), "{}", refused.err);
    assert!(refused.err.contains("cut off"), "{}", refused.err);
}

#[test]
fn a_plan_ends_where_the_profile_does() {
    let place = Place::new();
    recorded(&place, "cnn", "out");
    let known = profile(&place, "loss-cnn/loss.json", "loss.json");
    let project = |more: &[&str]| {
        let arguments = ["project", "out", "--budget", "0.45", "--format", "json", "--all"];
        place.run(&[&arguments, more].concat())
    };
    let planned = project(&["--sensitivity", "loss.json"]);
    assert_eq!(planned.code, Some(0), "{}", planned.err);
    for key in ["l1", "l2", "sensitivity"] {
        assert!(json(&planned.out)["planned_loss"][key].as_f64().unwrap() > 0.0, "{key}");
    }
    // Above, as the user wants it, nothing is known.
    let layer = known["layers"][1]["name"].as_str().unwrap().to_string();
    let above = format!("{layer}=0.8");
    let unknown =
        project(&["--sensitivity", "loss.json", "--max-sparsity", "0.9", "--plan-op", &above]);
    assert_eq!(unknown.code, Some(0), "{}", unknown.err);
    for key in ["l1", "l2", "sensitivity"] {
        assert!(json(&unknown.out)["planned_loss"][key].is_null(), "{key}");
    }
    assert!(notes(&unknown.out).contains(&format!("{layer} at 80 %")), "{}", unknown.out);
}

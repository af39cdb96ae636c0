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

/// Latency of the model with the plan.
fn planned_ms(report: &Value) -> f64 {
    let rows = report["plan"].as_array().unwrap();
    let total = rows.iter().find(|row| row["figure"] == "total_latency_ms");
    total.unwrap()["planned"].as_f64().unwrap()
}

#[test]
fn the_fastest_levels_lose_no_more_than_they_may() {
    let place = Place::new();
    recorded(&place, "encoder", "out");
    profile(&place, "loss-encoder/loss.json", "loss.json");
    let plan = |loss: &str| {
        let arguments = ["project", "out", "--max-loss", loss, "--sensitivity", "loss.json"];
        let report = place.succeed(&[&arguments[..], &["--format", "json", "--all"]].concat());
        let report = json(&report);
        let planned = |key: &str| report["planned_loss"][key].as_f64().unwrap();
        let lost = planned("sensitivity");
        (lost, report["headline"].to_string(), planned_ms(&report))
    };
    let mut before = f64::INFINITY;
    for (loss, most) in [("0", 0.0), ("0.001%", 1e-5), ("0.0001", 1e-4), ("5", 5.0)] {
        let (lost, headline, planned) = plan(loss);
        assert!(lost <= most * (1.0 + 1e-9), "{loss}: {lost}");
        assert!(headline.contains("speedup with limited effect on the loss: "), "{headline}");
        assert!(planned < before, "{loss}: {planned} after {before}");
        before = planned;
    }
    let saved = ["--max-loss", "1%", "--sensitivity", "loss.json", "--save-settings", "plan.json"];
    place.succeed(&[&["project", "out"], &saved[..]].concat());
    let settings = json(&fs::read_to_string(place.path("plan.json")).unwrap());
    assert_eq!(settings["plan"]["max_loss"], 0.01);
    // A workbook has the limit and no losses: what is unknown may be above it.
    place.succeed(&[&["project", "out"], &saved[..4], &["-o", "plan.xlsx"]].concat());
    let again = ["project", "out", "--ratios", "plan.xlsx", "-o", "again.html", "--format", "json"];
    let report = json(&place.succeed(&again));
    assert!(report["headline"].to_string().contains("A loss of 0.01 cannot be kept"), "{report:#}");
    assert_eq!(report["plan"][0]["gain"], 1.0);
    // The file has the losses: it is enough.
    place.succeed(&["project", "out", "--ratios", "plan.json", "--max-loss", "2%"]);
}

#[test]
fn a_largest_loss_needs_losses() {
    let place = Place::new();
    recorded(&place, "encoder", "out");
    let refused = place.run(&["project", "out", "--max-loss", "1%"]);
    assert_eq!(refused.code, Some(1), "{}", refused.err);
    assert!(refused.err.contains("--max-loss needs the loss of every layer"), "{}", refused.err);
    for arguments in [["--max-loss", "-1"], ["--max-loss", "much"]] {
        let refused = place.run(&[&["project", "out"], &arguments[..]].concat());
        assert_eq!(refused.code, Some(2), "{}", refused.err);
    }
    let refused = place.run(&["project", "out", "--max-loss", "1%", "--budget", "0.5"]);
    assert_eq!(refused.code, Some(2), "{}", refused.err);
    // Of one layer, nothing was measured at one sparsity.
    let mut loss = profile(&place, "loss-encoder/loss.json", "loss.json");
    let points = loss["layers"]
        .as_array_mut()
        .unwrap()
        .iter_mut()
        .find_map(|layer| layer["points"].as_array_mut().filter(|points| !points.is_empty()));
    points.unwrap()[0]["measured"] = serde_json::json!({ "not_measured": true });
    place.write("part.json", loss.to_string().as_bytes());
    let refused = place.run(&["project", "out", "--max-loss", "1%", "--sensitivity", "part.json"]);
    assert_eq!(refused.code, Some(1), "{}", refused.err);
    assert!(refused.err.contains("layers were measured at all sparsities"), "{}", refused.err);
}

#[test]
fn a_plan_under_a_loss_stays_below_what_failed() {
    let place = Place::new();
    recorded(&place, "encoder", "out");
    let mut known = profile(&place, "loss-encoder/loss.json", "loss.json");
    // All levels of one layer, and the highest ones of another.
    let failed = serde_json::json!({"divergence": null, "output": null, "loss_change": null,
        "accuracy_change": null, "failed": "its divergence is not finite"});
    let mut names = Vec::new();
    for (layer, beyond) in [(1, 0.0), (3, 0.8)] {
        let layer = &mut known["layers"][layer];
        names.push(layer["name"].as_str().unwrap().to_string());
        for point in layer["points"].as_array_mut().unwrap() {
            if point["level"].as_f64().unwrap() > beyond {
                point["measured"] = failed.clone();
            }
        }
    }
    place.write("loss.json", known.to_string().as_bytes());
    let arguments = ["project", "out", "--max-loss", "1000000", "--sensitivity", "loss.json"];
    let said = place.run(&[&arguments[..], &["--format", "json", "--all"]].concat());
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.err.contains("below the sparsity at which their runs failed: "), "{}", said.err);
    let report = json(&said.out);
    let planned = |key: &str| report["planned_loss"][key].as_f64().unwrap();
    assert!(planned("sensitivity") > 0.0, "{}", said.out);
    let level = |name: &str| {
        let layers = report["planned_layers"].as_array().unwrap();
        let layer = layers.iter().find(|layer| layer["name"] == name);
        layer.unwrap_or_else(|| panic!("{name} in {layers:?}"))["level"].as_f64().unwrap()
    };
    assert_eq!(level(&names[0]), 0.0, "nothing is known of it");
    // Fixed, it loses nobody knows what.
    let fixed = format!("{}=0.9", names[0]);
    let fixed = place.run(&[&arguments[..], &["--plan-op", &fixed, "--format", "json"]].concat());
    assert_eq!(fixed.code, Some(0), "{}", fixed.err);
    let headline = json(&fixed.out)["headline"].to_string();
    assert!(headline.contains("The loss is not kept"), "{headline}");
    // Saved, what is not known of it does not make it cheap for a budget.
    place.succeed(&[&arguments[..], &["--save-settings", "cut.json"]].concat());
    let budget = ["project", "out", "--ratios", "cut.json", "--budget", "0.5", "--format", "json"];
    let caveats = json(&place.succeed(&budget))["notes"].to_string();
    assert!(caveats.contains("layers only, and is not used"), "{caveats}");
    let points = known["layers"][3]["points"].as_array().unwrap();
    let last = points.iter().map(|point| point["level"].as_f64().unwrap());
    let last = last.filter(|level| *level <= 0.8).fold(0.0, f64::max);
    assert!(level(&names[1]) > 0.0 && level(&names[1]) <= last, "{} {last}", level(&names[1]));
}

//! Pruned layers are timed, a projection takes their perf ratios, and a sparse recording verifies it.

use crate::program::{Place, json};
use crate::recorder::model;
use serde_json::Value;

const SIZES: [&str; 2] = ["--dim", "sequence=16"];

fn number(row: &Value, key: &str) -> f64 {
    row[key].as_f64().unwrap_or_else(|| panic!("{key}: {row}"))
}

/// Times of layers at 80 and 90 %.
fn timed(place: &Place, more: &[&str]) -> Value {
    let encoder = model("encoder");
    let study = ["sensitivity", &encoder, "--sparsities", "0.8,0.9", "--save", "times.json"];
    place.succeed(&[&study[..], &SIZES, more].concat());
    json(&std::fs::read_to_string(place.path("times.json")).unwrap())
}

#[test]
fn a_projection_takes_measured_ratios_and_a_sparse_recording_verifies_it() {
    let place = Place::new();
    let profile = timed(&place, &["--time-only"]);
    assert_eq!((&profile["times_only"], &profile["timed"]["launches"]), (&true.into(), &5.into()));
    for layer in profile["layers"].as_array().unwrap() {
        // The head has two outputs: no whole block.
        let points = layer["points"].as_array().unwrap();
        assert_eq!(points.is_empty(), layer["name"].as_str().unwrap().contains("classifier"));
        for times in points.iter().flat_map(|point| point["times"].as_array().unwrap()) {
            assert!(number(times, "dense_ns") > 0.0 && number(times, "sparse_ns") > 0.0, "{layer}");
        }
        assert!(points.iter().all(|point| point["times"].as_array().unwrap().len() == 5));
    }
    let encoder = model("encoder");
    place.succeed(&[&["record", &encoder, "--iterations", "10"][..], &SIZES].concat());
    let dense = "engine_profiling";
    let apply = ["--target", "0.85", "--apply", &encoder, "-o", "pruned.onnx"];
    place.succeed(&[&["project", dense, "--ratios", "times.json"][..], &apply].concat());
    let projection = ["project", dense, "--ratios", "times.json", "--target", "0.85", "--all"];
    let projection = json(&place.succeed(&[&projection[..], &["--format", "json"]].concat()));
    let headline = projection["headline"].to_string();
    assert!(headline.contains("by measured perf ratios"), "{headline}");
    let projected = projection["projected_operators"].as_array().unwrap().iter();
    let projected = projected.filter(|row| row["projection"] == "projected");
    for row in projected.clone() {
        assert_eq!(row["origin"], "between 80 % (measured) and 90 % (measured)", "{row}");
    }
    assert_eq!(projected.count(), 13);
    let notes = projection["notes"].to_string();
    assert!(notes.contains("the geometric mean over 5 launches"), "{notes}");
    // Saved settings say so, too.
    let save = ["project", dense, "--ratios", "times.json", "--save-settings", "saved.json"];
    place.succeed(&save);
    let saved = ["project", dense, "--ratios", "saved.json", "--format", "json"];
    let saved = json(&place.succeed(&saved))["notes"].to_string();
    assert!(saved.contains("the geometric mean over 5 launches"), "{saved}");

    let sparse = ["record", "pruned.onnx", "--sparse", "--iterations", "10", "--out", "sparse"];
    place.succeed(&[&sparse[..], &SIZES].concat());
    let verify = ["project", dense, "--ratios", "times.json", "--verify", "sparse"];
    let found = json(&place.succeed(&[&verify[..], &["--format", "json"]].concat()));
    let parts = found["parts"].as_array().unwrap();
    // Parts add up to the whole, on all three sides.
    for key in ["dense_ms", "projected_ms", "measured_ms"] {
        let [parts @ .., total] = &parts[..] else { panic!("{parts:?}") };
        let sum: f64 = parts.iter().map(|part| number(part, key)).sum();
        assert!((sum - number(total, key)).abs() < 1e-6, "{key}: {sum}, {total}");
    }
    let rows = found["operators"].as_array().unwrap();
    let skipped: Vec<&Value> = rows.iter().filter(|row| !row["sparse_ratio"].is_null()).collect();
    assert_eq!(skipped.len(), 13);
    for row in skipped {
        assert!((number(row, "sparse_ratio") - 0.85).abs() < 0.01, "{row}");
        let error = number(row, "projected_ms") / number(row, "measured_ms") - 1.0;
        assert!((number(row, "error") - error).abs() < 1e-9, "{row}");
        // Beside a load, ten iterations may leave no interval, or one that reaches 0: no ends then.
        let least = row["measured_low_ms"].as_f64().filter(|low| *low > 0.0);
        if least.is_none() || row["projected_low_ms"].is_null() {
            assert!(row["error_low"].is_null() && row["error_high"].is_null(), "{row}");
            continue;
        }
        let ends = ["error_low", "error_high"].map(|key| number(row, key));
        let least = number(row, "projected_low_ms") / number(row, "measured_high_ms") - 1.0;
        assert!((ends[0] - least).abs() < 1e-9 && ends[0] <= error && error <= ends[1], "{row}");
    }
    // The same in one command; nothing else is on standard output.
    let run = ["project", dense, "--ratios", "times.json", "--target", "0.85", "--run", &encoder];
    let run = [&run[..], &["-o", "again.onnx", "--launches", "2", "--format", "json"]].concat();
    let found = json(&place.succeed(&run));
    assert_eq!(
        (found["report"].as_str(), found["parts"].as_array().unwrap().len()),
        (Some("verification"), 4)
    );
    assert_eq!(place.traces("again-recordings/again").len(), 2);
    let [once, again] = ["pruned.onnx", "again.onnx"].map(|file| std::fs::read(place.path(file)));
    assert_eq!(once.unwrap(), again.unwrap());
    for (more, expected) in
        [(["--format", "csv"], "--format json"), (["--block", "1x1"], "kernels skip")]
    {
        let run = ["project", dense, "--ratios", "times.json", "--run", &encoder, "-o", "no.onnx"];
        let refused = place.run(&[&run[..], &more].concat());
        assert_ne!(refused.code, Some(0), "{}", refused.err);
        assert!(refused.err.contains(expected), "{}", refused.err);
        assert!(!place.path("no.onnx").exists() && !place.path("no-recordings").exists());
    }
    place.succeed(&[&verify[..], &["-o", "v.html"]].concat());
    place.succeed(&[&verify[..], &["-o", "v.xlsx"]].concat());
    let refused = place.run(&["project", dense, "--verify", dense]);
    assert_eq!(refused.code, Some(1), "{}", refused.err);
    assert!(refused.err.contains("no operator skips the zeros"), "{}", refused.err);
}

#[test]
fn losses_and_times_stand_in_one_row_and_either_may_be_left_out() {
    let place = Place::new();
    let layer = ["--layer", "/bert/pooler/dense/Gemm"];
    let both = timed(&place, &layer);
    let points = |profile: &Value| profile["layers"][0]["points"].as_array().unwrap().clone();
    for point in points(&both) {
        assert!(number(&point["measured"], "divergence") > 0.0, "{point}");
        assert_eq!(point["times"].as_array().unwrap().len(), 5, "{point}");
    }
    let losses = timed(&place, &[&layer[..], &["--loss-only", "--force"]].concat());
    assert!(losses["timed"].is_null() && points(&losses).iter().all(|own| own["times"].is_null()));
    // Blocks that no kernel skips: losses are known all the same.
    let elements = timed(&place, &[&layer[..], &["--block", "1x1", "--force"]].concat());
    let reason = elements["timed"]["left_out"].as_str().unwrap();
    assert!(reason.contains("blocks of 4 outputs"), "{reason}");
    assert!(points(&elements).iter().all(|point| number(&point["measured"], "divergence") > 0.0));
    let encoder = model("encoder");
    let alone = ["sensitivity", &encoder, "--time-only", "--block", "1x1"];
    let refused = place.run(&[&alone[..], &SIZES].concat());
    assert_eq!(refused.code, Some(1), "{}", refused.err);
    let refused = place.run(&["project", "x", "--ratios", "times.json"]);
    assert!(refused.err.contains("without times of layers"), "{}", refused.err);
}

#[test]
fn times_that_a_limit_ends_are_kept_and_the_same_command_continues() {
    let place = Place::new();
    let encoder = model("encoder");
    let study = ["sensitivity", &encoder, "--time-only", "--sparsities", "0.9", "--save", "t.json"];
    let study = [&study[..], &SIZES].concat();
    let limited = place.succeed(&[&study[..], &["--time-limit", "1ms"]].concat());
    assert!(limited.starts_with("Out of time: timed in 1 of 5 launches."), "{limited}");
    let times = |name: &str| {
        let profile = json(&std::fs::read_to_string(place.path(name)).unwrap());
        profile["layers"][0]["points"][0]["times"].as_array().unwrap().clone()
    };
    let first = times("t.json");
    assert_eq!(first.len(), 1);
    // Of one launch nothing tells how far it is off: no perf ratio.
    let refused = place.run(&["project", "x", "--ratios", "t.json"]);
    assert!(refused.err.contains("without times of layers"), "{}", refused.err);
    let journal = place.path("t.json.journal");
    assert_eq!(std::fs::read_to_string(&journal).unwrap().lines().count(), 2);
    let again = place.run(&study);
    assert!(again.err.contains("1 of 5 results are known"), "{}", again.err);
    assert_eq!((times("t.json").len(), &times("t.json")[0]), (5, &first[0]));
    assert!(!journal.exists());
}

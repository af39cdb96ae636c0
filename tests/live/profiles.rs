//! Recordings that become profiles of a project.

use crate::listed_profiles::{listed, names};
use crate::program::{Finished, Place, finished, model};
use crate::script::Script;
use serde_json::json;
use std::process::Stdio;

/// Adds a quick profile to the project `p`.
pub(crate) fn add(place: &Place, model: &str, name: &str, more: &[&str]) -> Finished {
    let name = format!("--name={name}");
    let start = ["record", model, "--profiles", "p", &name];
    let few = ["--iterations", "6", "--warmup", "2", "--unprofiled-iterations", "6"];
    place.run(&[&start[..], &few[..], more].concat())
}

pub(crate) fn added(place: &Place, model: &str, name: &str, more: &[&str]) {
    let added = add(place, model, name, more);
    assert_eq!(added.code, Some(0), "{name}: {}", added.err);
}

#[test]
fn a_profile_is_replaced_in_its_old_place() {
    let place = Place::new();
    let cnn = model("cnn");
    for name in ["kept", "a"] {
        added(&place, &cnn, name, &[]);
    }
    let old = listed(&place, "p")[0].clone();
    added(&place, &cnn, "kept", &["--force", "--batch-size", "2"]);
    let rows = listed(&place, "p");
    assert_eq!(names(&rows), ["kept", "a", "FLOPS"]);
    assert_eq!((&old["batch_size"], &rows[0]["batch_size"]), (&1.into(), &2.into()));
    assert_eq!(place.figures("p:kept")["model"]["batch_size"], 2);
}

/// Of two models: each has its profiles, and those of its cost behind them.
#[test]
fn a_list_has_what_was_recorded() {
    let place = Place::new();
    let (cnn, scan) = (model("cnn"), model("scan"));
    added(&place, &cnn, "a", &[]);
    added(&place, &scan, "s", &["--dim", "frames=4", "--launches", "2"]);
    added(&place, &cnn, "b", &["--batch-size", "4", "--threads", "2"]);
    let rows = listed(&place, "p");
    assert_eq!(names(&rows), ["a", "b", "FLOPS", "s", "FLOPS"]);
    for (row, expected) in [
        (&rows[0], json!(["cnn.onnx", 1, 1, 1])),
        (&rows[1], json!(["cnn.onnx", 4, 2, 1])),
        (&rows[3], json!(["scan.onnx", null, 1, 2])),
    ] {
        let stated = ["model", "batch_size", "threads", "rounds"].map(|key| row[key].clone());
        assert_eq!(json!(stated), expected, "{row}");
        // Each has its recording, of which it has the figures.
        let name = row["profile"].as_str().unwrap();
        let figures = &place.figures(&format!("p:{name}"))["model"];
        assert_eq!(figures["profile"], name);
        let [latency, stated] = [&figures["latency_median_ms"], &row["latency_p50_ms"]];
        let [latency, stated] = [latency, stated].map(|value| value.as_f64().unwrap());
        assert!((stated / latency - 1.0).abs() < 1e-9, "{row}");
    }
}

/// It is of what was measured before.
#[test]
fn a_plan_goes_with_the_recording_that_it_is_of() {
    let (place, encoder) = (Place::new(), model("encoder"));
    // Of a time that a busy machine hides behind that of profiling, no plan is kept.
    let times = json!({"encoder.onnx": {"operator_ns": 10_000}});
    let script = Script::new(&place, times, &[]);
    let start = ["record", &encoder, "--dim", "sequence=8", "--iterations", "6"];
    let add = |more: &[&str]| {
        script.succeed(&[&start[..], &["--profiles", "p", "--name", "e"], more].concat());
        listed(&place, "p").swap_remove(0)
    };
    add(&[]);
    place.succeed(&["project", "p:e", "--budget=0.5", "--keep-plan"]);
    assert!(listed(&place, "p")[0]["planned_ms"].is_number());
    assert!(add(&["--force"])["planned_ms"].is_null());
}

/// Two are there, whoever was first; of two under one name, one.
#[test]
fn recordings_that_end_at_once_are_all_added() {
    let place = Place::new();
    let cnn = model("cnn");
    let start = |name: &str| {
        let arguments = ["record", &cnn, "--profiles", "p", "--name", name];
        let mut command =
            place.command(&[&arguments[..], &["--iterations", "4", "--warmup", "1"]].concat());
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let children = ["a", "b", "c", "d"].map(start);
    for child in children {
        let ended = finished(child.wait_with_output().unwrap());
        assert_eq!(ended.code, Some(0), "{}", ended.err);
    }
    let rows = listed(&place, "p");
    let mut found = names(&rows);
    found.sort_unstable();
    assert_eq!(found, ["FLOPS", "a", "b", "c", "d"]);
    for name in ["a", "b", "c", "d"] {
        assert_eq!(place.figures(&format!("p:{name}"))["model"]["profile"], name);
    }

    let ended =
        ["same", "same"].map(start).map(|child| finished(child.wait_with_output().unwrap()));
    let mut codes = ended.each_ref().map(|ended| ended.code);
    codes.sort_unstable();
    assert_eq!(codes, [Some(0), Some(1)], "{ended:?}");
    let refused = ended.iter().find(|ended| ended.code == Some(1)).unwrap();
    assert!(refused.err.contains("has a profile `same` already"), "{}", refused.err);
    let rows = listed(&place, "p");
    assert_eq!(names(&rows).iter().filter(|name| **name == "same").count(), 1);
}

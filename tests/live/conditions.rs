//! Under which conditions a recording was made.
#![cfg(target_os = "linux")] // elsewhere nothing is told

use crate::json_schemas::valid;
use crate::program::{Place, json, model};
use serde_json::Value;
use std::fs;

fn conditions(place: &Place, out: &str) -> Value {
    json(&fs::read_to_string(&place.traces(out)[0]).unwrap())["conditions"].clone()
}

fn finding(place: &Place, recording: &str, subject: &str) -> Value {
    let text = place.succeed(&["check", recording, "--format", "json"]);
    let all = valid("check", &text)["checks"].as_array().unwrap().clone();
    all.into_iter().find(|row| row["subject"] == subject).unwrap()
}

#[test]
fn a_recording_says_which_core_it_was_bound_to() {
    let place = Place::new();
    let cnn = model("cnn");
    place.succeed(&["record", &cnn, "--pin", "--iterations", "6", "--out", "bound"]);
    let seen = conditions(&place, "bound");
    let core = &seen["pinned"];
    assert_eq!(core.as_array().unwrap().len(), 1, "{seen}");
    assert_eq!(&seen["cores"], core);
    let bound = finding(&place, "bound", "pinning");
    let expected = format!("bound to core {}", core[0]);
    assert!(bound["found"].as_str().unwrap().starts_with(&expected), "{bound}");
}

/// A core that the tests may use, which need not be the first.
fn allowed_core() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap();
    list.trim().chars().take_while(char::is_ascii_digit).collect()
}

#[test]
fn cores_that_cannot_be_are_refused_before_anything_runs() {
    let place = Place::new();
    let cnn = model("cnn");
    let core = allowed_core();
    for (arguments, expected) in [
        (&["--pin", "1023"][..], "there is no core 1023; this machine has "),
        (&["--pin", "0x"], "expected cores, such as 0, 0,2 or 0-3"),
        (&["--pin", "3-1"], "expected cores"),
        (&["--pin", &core, "--threads", "1024"], "1024 threads on 1 core"),
    ] {
        let refused = place.run(&[&["record", &cnn, "--out", "out"], arguments].concat());
        assert_ne!(refused.code, Some(0));
        assert!(refused.err.contains(expected), "{}", refused.err);
        assert!(!place.path("out").exists());
    }
    // A model is not a list of cores.
    let refused = place.run(&["record", "--pin", &cnn]);
    assert!(refused.err.contains("expected cores"), "{}", refused.err);
}

#[test]
fn every_launch_tells_and_one_that_is_not_bound_says_so() {
    let place = Place::new();
    let few = ["--iterations", "6", "--warmup", "2", "--launches", "2", "--out", "out"];
    place.succeed(&[&["record", &model("cnn")][..], &few].concat());
    for trace in place.traces("out") {
        let seen = json(&fs::read_to_string(trace).unwrap())["conditions"].clone();
        assert_eq!(seen["pinned"], json("[]"), "{seen}");
        let indices = |name: &str| seen[name]["iterations"].as_array().cloned();
        for name in ["minor_faults", "major_faults", "involuntary_switches", "migrations"] {
            let indices = indices(name).unwrap_or_else(|| panic!("{name}: {seen}"));
            assert!(indices.iter().all(|index| index.as_u64().unwrap() < 8), "{seen}");
        }
        let slices = &seen["slices"];
        let ends = slices["ends"].as_array().unwrap().len();
        assert_eq!(slices["others_ms"].as_array().unwrap().len(), ends);
    }
    let found = finding(&place, "out", "pinning");
    assert!(found["found"].as_str().unwrap().starts_with("the launches were not bound"), "{found}");
}

//! Under which conditions a recording was made.
#![cfg(target_os = "linux")] // elsewhere nothing is told

use crate::program::{Place, json, model};
use serde_json::Value;
use std::fs;
use std::thread::sleep;
use std::time::Duration;

fn conditions(place: &Place, out: &str) -> Value {
    json(&fs::read_to_string(&place.traces(out)[0]).unwrap())["conditions"].clone()
}

fn finding(place: &Place, recording: &str, subject: &str) -> Value {
    let text = place.succeed(&["check", recording, "--format", "json"]);
    let all = json(&text)["checks"].as_array().unwrap().clone();
    all.into_iter().find(|row| row["subject"] == subject).unwrap()
}

/// A second recording shares the core of the first one, now and then.
#[test]
fn a_load_that_comes_and_goes_is_named() {
    let place = Place::new();
    let cnn = model("cnn");
    // Iterations are longer than what a scheduler gives a program at a time, so that most of
    // them wait.
    let main = ["record", &cnn, "--pin", "--duration", "3", "--plain-iterations", "0"];
    let out = ["--batch-size", "16", "--out", "loaded"];
    let mut recording = place.start(&[&main[..], &out].concat());
    let mut phase = 0;
    while recording.try_wait().unwrap().is_none() {
        sleep(Duration::from_millis(500));
        phase += 1;
        let out = format!("load{phase}");
        place.succeed(&["record", &cnn, "--pin", "--duration", "0.5", "--out", &out]);
    }
    let seen = conditions(&place, "loaded");
    let core = &seen["pinned"];
    assert_eq!(core.as_array().unwrap().len(), 1, "{seen}");
    assert_eq!((&seen["cores"], &conditions(&place, "load1")["pinned"]), (core, core));

    let found = finding(&place, "loaded", "other load");
    assert_eq!(found["grade"], "doubtful", "{found}\n{seen}");
    let text = found["found"].as_str().unwrap();
    assert!(text.starts_with("other programs used up to "), "{text}");
    assert!(text.contains("the typical latency is"), "{text}");
    let switches = finding(&place, "loaded", "context switches");
    assert!(switches["found"].as_str().unwrap().contains("a core was taken"), "{switches}");
    let bound = finding(&place, "loaded", "pinning");
    let expected = format!("bound to core {}", core[0]);
    assert!(bound["found"].as_str().unwrap().starts_with(&expected), "{bound}");
    // So does the summary.
    let summary = place.succeed(&["summary", "loaded"]);
    assert!(summary.contains("other programs used up to "), "{summary}");
    // And so does a copy of it.
    let trace = place.traces("loaded")[0].display().to_string();
    place.succeed(&["convert", &trace, "-o", "copy.json"]);
    assert_eq!(json(&fs::read_to_string(place.path("copy.json")).unwrap())["conditions"], seen);
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
    // A model is no list of cores.
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

//! Sensitivities whose measurement ends before it should, and goes on.

use crate::onnxruntime::engine;
use crate::onnxruntime_package::library;
use crate::program::{Finished, Place, finished, json, model};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// All layers of the bundled encoder.
fn arguments(path: &str) -> Vec<&str> {
    vec!["loss", path, "--dim", "sequence=16", "--save", "loss.json"]
}

/// The results that a journal has, which are whole.
fn kept(place: &Place) -> Vec<String> {
    let text = fs::read_to_string(place.path("loss.json.journal")).unwrap_or_default();
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    whole.lines().skip(1).map(|line| json(line)["pruned"].to_string()).collect()
}

/// Waits until a journal has so many results.
fn wait_for(place: &Place, results: usize, child: &mut Child) {
    let begun = Instant::now();
    while kept(place).len() < results && begun.elapsed() < Duration::from_secs(300) {
        assert!(child.try_wait().unwrap().is_none(), "it is through before");
        sleep(Duration::from_millis(2));
    }
}

fn signal(signal: &str, process: &str) {
    assert!(Command::new("kill").args([signal, process]).status().unwrap().success());
}

#[test]
fn what_was_killed_goes_on_to_the_same_result_and_measures_nothing_twice() {
    let path = model("encoder");
    let whole = Place::new();
    whole.succeed(&arguments(&path));
    let whole = fs::read_to_string(whole.path("loss.json")).unwrap();
    let place = Place::new();
    let mut results = 0;
    for kill in 0..10 {
        let mut child = place.start(&arguments(&path));
        // A few more each time: the moment is that of what the machine makes of it.
        wait_for(&place, results + 1 + kill % 4, &mut child);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!place.path("loss.json").exists());
        let now = kept(&place);
        let distinct: BTreeSet<&String> = now.iter().collect();
        assert_eq!(distinct.len(), now.len(), "a result was measured twice");
        assert!(now.len() > results, "{kill}: {results} and no more");
        results = now.len();
    }
    assert!(results < 70, "{results} of 70 before the last one began");
    let last = place.run(&arguments(&path));
    assert_eq!(last.code, Some(0), "{}", last.err);
    assert!(last.err.contains("of 70 results are known"), "{}", last.err);
    assert_eq!(fs::read_to_string(place.path("loss.json")).unwrap(), whole);
    assert!(!place.path("loss.json.journal").exists());
}

#[test]
fn an_interrupt_keeps_what_was_measured_and_says_how_to_go_on() {
    let path = model("encoder");
    for sign in ["-INT", "-TERM"] {
        let place = Place::new();
        let mut child = place.start(&arguments(&path));
        wait_for(&place, 2, &mut child);
        // As a terminal does it: to all processes.
        let group = format!("-{}", child.id());
        assert!(Command::new("kill").args([sign, "--", &group]).status().unwrap().success());
        let ended = finished(child.wait_with_output().unwrap());
        assert_eq!(ended.code, Some(130), "{sign}: {}", ended.err);
        assert!(ended.err.contains("the same command goes on"), "{}", ended.err);
        let measured = |line: &str| json(line)["measured"]["failed"].is_null();
        let journal = fs::read_to_string(place.path("loss.json.journal")).unwrap();
        assert!(journal.lines().skip(1).all(measured), "{journal}");
        place.succeed(&arguments(&path));
    }
}

/// A run of which the journal has some results, without them being through.
fn begun(place: &Place, path: &str) {
    let mut child = place.start(&arguments(path));
    wait_for(place, 3, &mut child);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_journal_of_something_else_is_refused() {
    let (place, path) = (Place::new(), model("encoder"));
    begun(&place, &path);
    let refused = |more: &[&str], expected: &str| {
        let Finished { code, err, .. } = place.run(&[&arguments(&path), more].concat());
        assert_eq!(code, Some(1), "{more:?}: {err}");
        assert!(err.contains(expected) && err.contains("--force"), "{more:?}: {err}");
    };
    refused(&["--levels", "0.5"], "differs in: levels");
    refused(&["--block", "4x1"], "differs in: block");
    refused(&["--seed", "2"], "differs in: data");
    refused(&["--batch-size", "2"], "differs in: batch size, data, dimensions");
    refused(&["--measure", "l2"], "differs in: outputs");
    let library = library();
    refused(&engine(&library), "differs in: engine");
    // By force, it begins anew.
    let forced = place.run(&[&arguments(&path)[..], &["--levels", "0.5", "--force"]].concat());
    assert_eq!(forced.code, Some(0), "{}", forced.err);
    assert!(forced.err.contains("belonged to another run; replaced"), "{}", forced.err);
    for nonsense in ["no journal\n", "{}\n", "[1, 2]\n{}\n", "\u{0}\n"] {
        let (place, path) = (Place::new(), model("scan"));
        place.write("loss.json.journal", nonsense.as_bytes());
        let arguments = ["loss", &path, "--dim", "frames=4", "--save", "loss.json"];
        let refused = place.run(&arguments);
        assert_eq!(refused.code, Some(1), "{nonsense:?}: {}", refused.err);
        assert!(refused.err.contains("in the place of the journal"), "{}", refused.err);
        assert_eq!(fs::read(place.path("loss.json.journal")).unwrap(), nonsense.as_bytes());
    }
}

#[test]
fn lines_that_are_none_are_measured_again() {
    let (place, path) = (Place::new(), model("encoder"));
    place.succeed(&arguments(&path));
    let whole = fs::read(place.path("loss.json")).unwrap();
    fs::remove_file(place.path("loss.json")).unwrap();
    begun(&place, &path);
    let journal = place.path("loss.json.journal");
    let text = fs::read_to_string(&journal).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    let last = lines.pop().unwrap();
    lines.insert(2, "{\"pruned\": 7}");
    lines.insert(1, "\u{1b}[31m");
    fs::write(&journal, format!("{}\n{}", lines.join("\n"), &last[..last.len() / 2])).unwrap();
    let again = place.run(&arguments(&path));
    assert_eq!(again.code, Some(0), "{}", again.err);
    assert!(again.err.contains("2 lines cannot be read"), "{}", again.err);
    assert_eq!(fs::read(place.path("loss.json")).unwrap(), whole);
}

#[test]
fn a_second_run_with_the_same_output_is_refused() {
    let (place, path) = (Place::new(), model("encoder"));
    begun(&place, &path);
    let journal = fs::File::open(place.path("loss.json.journal")).unwrap();
    journal.lock().unwrap();
    let refused = place.run(&arguments(&path));
    assert_eq!(refused.code, Some(1), "{}", refused.err);
    assert!(refused.err.contains("another run is writing it"), "{}", refused.err);
    drop(journal);
    place.succeed(&arguments(&path));
}

/// Processes that a process started.
fn children(process: &str) -> Vec<String> {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let children = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    children
        .flat_map(|line| line.split_whitespace().map(str::to_string).collect::<Vec<_>>())
        .collect()
}

#[test]
fn an_engine_that_ends_its_process_costs_one_result() {
    let (place, path, library) = (Place::new(), model("encoder"), library());
    let one = ["--jobs", "1", "--dim", "sequence=128", "--batch-size", "16"];
    let all = [&["loss", &path, "--save", "loss.json"], &one[..], &engine(&library)].concat();
    let mut child = place.start(&all);
    wait_for(&place, 1, &mut child);
    for process in children(&child.id().to_string()) {
        signal("-ABRT", &process);
    }
    let ended = finished(child.wait_with_output().unwrap());
    assert_eq!(ended.code, Some(1), "{}", ended.err);
    assert!(ended.out.contains("runs that failed: "), "{}{}", ended.out, ended.err);
    let profile = json(&fs::read_to_string(place.path("loss.json")).unwrap());
    let layers = profile["layers"].as_array().unwrap();
    let points = layers.iter().flat_map(|layer| layer["points"].as_array().unwrap());
    let failed: Vec<&Value> =
        points.map(|point| &point["measured"]).filter(|m| !m["failed"].is_null()).collect();
    assert_eq!(failed.len(), 1, "{failed:?}");
    assert!(failed[0]["failed"].as_str().unwrap().contains("SIGABRT"), "{failed:?}");
    assert!(failed[0]["divergence"].is_null());
}

#[test]
fn a_full_disk_ends_the_run_and_keeps_what_was_measured() {
    let (place, path) = (Place::new(), model("encoder"));
    // Files end at 4 blocks of 512 bytes; a write beyond that fails without a signal.
    let program = crate::program::program();
    let line = format!("trap '' XFSZ; ulimit -f 4; exec {program} {}", arguments(&path).join(" "));
    let output = Command::new("sh").args(["-c", &line]).current_dir(place.path("")).output();
    let ended = finished(output.unwrap());
    assert_eq!(ended.code, Some(1), "{}", ended.err);
    assert!(ended.err.contains("cannot keep a result: File too large"), "{}", ended.err);
    assert!(!kept(&place).is_empty() && !place.path("loss.json").exists());
    place.succeed(&arguments(&path));
}

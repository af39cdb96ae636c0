//! Recordings of several processes side by side.

use crate::onnxruntime_package::library;
use crate::program::{Place, finished, json, model, record};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread::{available_parallelism, sleep};
use std::time::Duration;

fn trace(path: &Path) -> Value {
    json(&fs::read_to_string(path).unwrap())
}

/// Start and end of each iteration of a kind, in seconds on the clock of the machine.
fn iterations(trace: &Value, category: &str) -> Vec<(f64, f64)> {
    let origin = trace["otherData"]["clock_origin"].as_u64().unwrap() as f64 / 1e9;
    let events = trace["traceEvents"].as_array().unwrap().iter();
    let events = events.filter(|event| event["cat"] == category && event["args"]["warmup"] != true);
    let ends = events.map(|event| {
        let [start, duration] = ["ts", "dur"].map(|key| event[key].as_f64().unwrap() / 1e6);
        (origin + start, origin + start + duration)
    });
    ends.collect()
}

/// Items per second of all instances while all measured, computed once more.
fn throughput(traces: &[Value], batch: f64) -> f64 {
    let measured: Vec<Vec<(f64, f64)>> = traces
        .iter()
        .map(|trace| {
            [iterations(trace, "iteration"), iterations(trace, "plain_iteration")].concat()
        })
        .collect();
    let last = |all: &Vec<(f64, f64)>| all.iter().map(|one| one.1).fold(0.0, f64::max);
    let first = |all: &Vec<(f64, f64)>| all.iter().map(|one| one.0).fold(f64::INFINITY, f64::min);
    let begin = measured.iter().map(first).fold(0.0, f64::max);
    let end = measured.iter().map(last).fold(f64::INFINITY, f64::min);
    let rates = traces.iter().map(|trace| {
        let plain = iterations(trace, "plain_iteration").into_iter();
        let within: Vec<f64> =
            plain.filter(|one| begin <= one.0 && one.1 <= end).map(|one| one.1 - one.0).collect();
        within.len() as f64 / within.iter().sum::<f64>()
    });
    batch * rates.sum::<f64>()
}

#[test]
fn instances_are_launches_with_numbers_and_one_throughput() {
    let (place, library) = (Place::new(), library());
    let engine = ["--engine", "onnxruntime", "--engine-library", &library];
    for (out, more) in [("tract", &[][..]), ("onnxruntime", &engine[..])] {
        let arguments = ["--instances", "2", "--batch-size", "3"];
        let schedule = ["--iterations", "200", "--plain-iterations", "200"];
        record(&place, "cnn", out, &[&arguments[..], &schedule[..], more].concat());
        let traces: Vec<Value> = place.traces(out).iter().map(|path| trace(path)).collect();
        assert_eq!((traces.len(), place.tables(out).len()), (2, 2), "{out}");
        for (number, trace) in traces.iter().enumerate() {
            let run = &trace["otherData"];
            let stated = ["launch", "launches_planned", "instances"].map(|key| &run[key]);
            assert_eq!(stated.map(Value::as_u64), [Some(number as u64), Some(2), Some(2)]);
            assert_eq!(run["recording"], traces[0]["otherData"]["recording"]);
        }
        let pinned = traces.iter().map(|trace| trace["conditions"]["pinned"].as_array().unwrap());
        let pinned: Vec<&Vec<Value>> = pinned.collect();
        if available_parallelism().unwrap().get() >= 2 && cfg!(target_os = "linux") {
            assert_eq!((pinned[0].len(), pinned[1].len()), (1, 1), "{out}");
            assert_ne!(pinned[0], pinned[1], "{out}");
        }
        let levels = ["--level", "model,launch", "--format", "json", "--strict"];
        let report = json(&place.succeed(&[&["summary", out], &levels[..]].concat()));
        assert_eq!(report["model"]["instances"], 2, "{out}");
        let stated = report["model"]["instances_throughput_items_per_second"].as_f64().unwrap();
        let again = throughput(&traces, 3.0);
        assert!((stated / again - 1.0).abs() < 1e-3, "{out}: {stated} and {again}");
        let launches = report["launches"].as_array().unwrap();
        let numbers: Vec<u64> =
            launches.iter().map(|launch| launch["instance"].as_u64().unwrap()).collect();
        assert_eq!(numbers, [0, 1], "{out}");
        assert!(launches.iter().all(|launch| launch["plain_latency_p90_ms"].as_f64() > Some(0.0)));
    }
}

#[test]
fn rounds_of_instances_are_the_units_of_intervals() {
    let place = Place::new();
    let arguments = ["--instances", "2", "--launches", "3", "--iterations", "600"];
    record(&place, "lstm", "out", &[&arguments[..], &["--plain-iterations", "600"]].concat());
    let launches = place.traces("out").len();
    assert_eq!(launches, 6);
    let model = &place.figures("out")["model"];
    let interval = model["instances_throughput_interval"].as_str().unwrap();
    assert!(interval.ends_with("(3 rounds of instances)"), "{interval}");
    let interval = model["latency_median_interval"].as_str().unwrap();
    assert!(interval.ends_with("(3 rounds of instances)"), "{interval}");
    assert_eq!(model["launches"], 6);
}

#[test]
fn an_instance_that_is_killed_leaves_the_others() {
    let place = Place::new();
    let model = model("scan");
    let arguments = ["record", &model, "--dim", "frames=8", "--instances", "3", "--out", "out"];
    let more = ["--iterations", "3000", "--plain-iterations", "0"];
    let child = place.start(&[&arguments[..], &more].concat());
    // The third one is at work once its trace has an iteration.
    let killed = loop {
        sleep(Duration::from_millis(5));
        let traces = place.path("out/profiling_trace");
        let mut names =
            fs::read_dir(&traces).into_iter().flatten().flatten().map(|entry| entry.path());
        let third = names.find(|path| path.to_string_lossy().ends_with("_2.json"));
        let text = third.and_then(|path| fs::read_to_string(path).ok()).unwrap_or_default();
        if let Some((_, rest)) = text.split_once("\"process\":") {
            break rest.split(|c: char| !c.is_ascii_digit()).next().unwrap().to_string();
        }
    };
    assert!(Command::new("kill").args(["-KILL", &killed]).status().unwrap().success());
    let ended = finished(child.wait_with_output().unwrap());
    assert_eq!(ended.code, Some(1), "{}", ended.err);
    assert!(
        ended.err.contains("error: instance 3 of 3 failed (signal: 9 (SIGKILL))"),
        "{}",
        ended.err
    );
    let traces = place.traces("out");
    for whole in &traces[..2] {
        let completed = &trace(whole)["completed"]["iterations"];
        assert_eq!(completed, 3010, "{}", whole.display());
        place.succeed(&["summary", &whole.display().to_string(), "--strict"]);
    }
    assert_eq!(place.tables("out").len(), 2);
}

#[test]
fn instances_end_together_when_they_are_asked_to() {
    let place = Place::new();
    let model = model("scan");
    let arguments = ["record", &model, "--dim", "frames=8", "--instances", "2", "--out", "out"];
    let child = place.start(&[&arguments[..], &["--duration", "1000"]].concat());
    while place.path("out/profiling_trace").read_dir().map_or(0, |entries| {
        entries
            .flatten()
            .filter(|entry| entry.metadata().is_ok_and(|about| about.len() > 0))
            .count()
    }) < 2
    {
        sleep(Duration::from_millis(5));
    }
    let group = format!("-{}", child.id());
    assert!(Command::new("kill").args(["-INT", "--", &group]).status().unwrap().success());
    let ended = finished(child.wait_with_output().unwrap());
    assert_eq!(ended.code, Some(130), "{}", ended.err);
    assert!(ended.err.contains("interrupted; what was recorded until then is kept"));
    assert_eq!(place.tables("out").len(), 2);
    assert!(place.traces("out").iter().all(|path| trace(path)["completed"].is_object()));
}

#[test]
fn what_cannot_run_side_by_side_is_refused_once() {
    let place = Place::new();
    let (encoder, cnn) = (model("encoder"), model("cnn"));
    let refused = place.run(&["record", &encoder, "--instances", "3"]);
    assert_eq!(refused.code, Some(1));
    assert_eq!(refused.err.matches("error:").count(), 1, "{}", refused.err);
    assert!(refused.err.contains("sequence"), "{}", refused.err);
    let many = ["record", &cnn, "--instances", "64", "--cores-per-instance", "16"];
    let refused = place.run(&many);
    assert_eq!(refused.code, Some(1));
    assert!(
        refused.err.starts_with("error: 64 instances on 16 cores each need 1024 cores, and there"),
        "{}",
        refused.err
    );
    let few = ["record", &cnn, "--cores-per-instance", "1", "--threads", "2"];
    assert!(place.run(&few).err.starts_with("error: 2 threads on 1 core:"));
    for more in [["--instances", "0"], ["--cores-per-instance", "0"]] {
        assert_eq!(place.run(&[&["record", &cnn], &more[..]].concat()).code, Some(2));
    }
    let both = ["record", &cnn, "--instances", "2", "--against-options", "--threads 2"];
    assert_eq!(place.run(&both).code, Some(2));
    assert!(!place.path("engine_profiling").exists());
}

#[test]
fn more_threads_than_cores_are_said() {
    let place = Place::new();
    let cores = available_parallelism().unwrap().get();
    let scan = model("scan");
    let run = |threads: usize| {
        let threads = threads.to_string();
        let arguments = ["record", &scan, "--dim", "frames=4", "--iterations", "3", "--threads"];
        place.run(&[&arguments[..], &[&threads]].concat())
    };
    let many = run(cores + 1);
    assert_eq!(many.code, Some(0), "{}", many.err);
    let said = format!("note: {} threads wait for each other on {cores} core", cores + 1);
    assert!(many.err.starts_with(&said), "{}", many.err);
    assert!(!run(cores).err.contains("wait for each other"));
}

//! Recordings of several processes side by side.

use crate::hardware::lacks;
use crate::json_schemas::valid;
use crate::onnxruntime_package::library;
use crate::program::{Place, json, model};
use crate::recorder::record;
use crate::script::{Script, send};
use serde_json::{Value, json as object};
use std::fs;
use std::path::Path;
use std::thread::available_parallelism;

fn trace(path: &Path) -> Value {
    json(&fs::read_to_string(path).unwrap())
}

/// Items per second of instances whose runs take these nanoseconds, all at the same time.
fn throughput(instances: u64, batch: u64, run: u64) -> f64 {
    (instances * batch) as f64 / (run as f64 / 1e9)
}

#[test]
fn instances_are_launches_with_numbers_in_both_engines() {
    let (place, library) = (Place::new(), library());
    let engine = ["--engine", "onnxruntime", "--engine-library", &library];
    for (out, more) in [("tract", &[][..]), ("onnxruntime", &engine[..])] {
        record(&place, "cnn", out, &[&["--instances", "2", "--batch-size", "3"], more].concat());
        let traces: Vec<Value> = place.traces(out).iter().map(|path| trace(path)).collect();
        // One each, and one of both.
        assert_eq!((traces.len(), place.tables(out).len()), (2, 3), "{out}");
        for (number, trace) in traces.iter().enumerate() {
            let run = &trace["otherData"];
            let stated = ["launch", "launches_planned", "instances"].map(|key| &run[key]);
            assert_eq!(stated.map(Value::as_u64), [Some(number as u64), Some(2), Some(2)]);
            assert_eq!(run["recording"], traces[0]["otherData"]["recording"]);
        }
        let pinned = traces.iter().map(|trace| trace["conditions"]["pinned"].as_array().unwrap());
        let pinned: Vec<&Vec<Value>> = pinned.collect();
        if available_parallelism().unwrap().get() < 2 {
            lacks("a second core", "that instances are bound to cores of their own");
        } else {
            assert_eq!((pinned[0].len(), pinned[1].len()), (1, 1), "{out}");
            assert_ne!(pinned[0], pinned[1], "{out}");
        }
        let levels = ["--level", "model,launch", "--format", "json", "--strict"];
        let report = valid("summary", &place.succeed(&[&["summary", out], &levels[..]].concat()));
        assert_eq!(report["model"]["instances"], 2, "{out}");
        let launches = report["launches"].as_array().unwrap();
        let numbers: Vec<u64> =
            launches.iter().map(|launch| launch["instance"].as_u64().unwrap()).collect();
        assert_eq!(numbers, [0, 1], "{out}");
        assert!(launches.iter().all(|launch| launch["latency_p90_ms"].as_f64() > Some(0.0)));
    }
}

#[test]
fn instances_have_one_throughput_and_rounds_are_the_units_of_intervals() {
    let place = Place::new();
    // Each takes its own times, from the same moment on: together, three quarters of a
    // millisecond for as many items as both have.
    let times = object!({"cnn.onnx": {"operator_ns": 0, "overhead_ns": 750_000}});
    let script = Script::new(&place, times, &[]);
    let arguments = ["record", &model("cnn"), "--instances", "2", "--batch-size", "3"];
    let schedule = ["--iterations", "20", "--warmup", "2", "--launches", "3", "--out", "out"];
    script.succeed(&[&arguments[..], &schedule].concat());
    assert_eq!(place.traces("out").len(), 6);
    let model = &place.figures("out")["model"];
    assert_eq!(model["launches"], 6);
    let stated = model["instances_throughput_items_per_second"].as_f64().unwrap();
    assert!((stated / throughput(2, 3, 750_000) - 1.0).abs() < 1e-9, "{model}");
    for key in ["instances_throughput_interval", "latency_median_interval"] {
        let interval = model[key].as_str().unwrap();
        assert!(interval.ends_with("(3 rounds of instances)"), "{key}: {interval}");
    }
}

#[test]
fn an_instance_that_is_killed_leaves_the_others() {
    let place = Place::new();
    // All three come there, and are let go by the end of the script.
    let script = Script::new(&place, object!({}), &[("own-run", "scan.onnx", 15, "wait")]);
    let model = model("scan");
    let arguments = ["record", &model, "--dim", "frames=8", "--instances", "3", "--out", "out"];
    let more = ["--iterations", "30", "--warmup", "10", "--unprofiled-iterations", "0"];
    let mut program = script.start(&[&arguments[..], &more].concat());
    let waiting = script.reached(&mut program, "own-run scan.onnx 15");
    send("-KILL", &waiting.process.to_string());
    drop(script);
    let ended = program.ended();
    assert_eq!(ended.code, Some(1), "{}", ended.err);
    let traces = place.traces("out");
    assert_eq!(traces.len(), 3);
    let is_killed = |path: &Path| {
        let text = fs::read_to_string(path).unwrap();
        text.contains(&format!("\"process\":{},", waiting.process))
            || text.contains(&format!("\"process\":{}}}", waiting.process))
    };
    let killed = traces.iter().position(|path| is_killed(path)).unwrap();
    let said = format!("error: instance {} of 3 failed (signal: 9 (SIGKILL))", killed + 1);
    assert!(ended.err.contains(&said), "{said} in {}", ended.err);
    for whole in traces.iter().filter(|path| !is_killed(path)) {
        let completed = &trace(whole)["completed"]["iterations"];
        assert_eq!(completed, 40, "{}", whole.display());
        place.succeed(&["summary", &whole.display().to_string(), "--strict"]);
    }
    assert_eq!(place.tables("out").len(), 3);
}

#[test]
fn instances_end_together_when_they_are_asked_to() {
    let place = Place::new();
    let script = Script::new(&place, object!({}), &[("own-run", "scan.onnx", 15, "wait")]);
    let model = model("scan");
    let arguments = ["record", &model, "--dim", "frames=8", "--instances", "2", "--out", "out"];
    let more = ["--iterations", "1000000", "--warmup", "2"];
    let mut program = script.start(&[&arguments[..], &more].concat());
    // Both have recorded something by then.
    let waiting = [(); 2].map(|()| script.reached(&mut program, "own-run scan.onnx 15"));
    program.signal_all("-INT");
    drop(waiting);
    let ended = program.ended();
    assert_eq!(ended.code, Some(130), "{}", ended.err);
    assert!(ended.err.contains("interrupted; what was recorded until then is kept"));
    assert_eq!(place.tables("out").len(), 3);
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

//! What an inference costs beside its latency, measured in processes of its own.

use crate::onnxruntime_package::library;
use crate::program::{Place, json};
use crate::recorder::model;
use crate::script::Script;
use serde_json::{Value, json as object};
use std::fs;

fn costs_of(place: &Place, out: &str) -> Vec<Value> {
    let traces = place.traces(out).into_iter();
    traces.map(|trace| json(&fs::read_to_string(trace).unwrap())["costs"].clone()).collect()
}

#[test]
fn the_first_launch_keeps_what_processes_of_their_own_measured() {
    let place = Place::new();
    let script = Script::new(&place, object!({"cnn.onnx": {"operator_ns": 100_000}}), &[]);
    let cnn = model("cnn");
    let record = |out: &str, starts: &str| {
        let usual = ["record", &cnn, "--launches", "2", "--iterations", "3", "--no-roofs"];
        script.succeed(&[&usual, &["--starts", starts, "--out", out][..]].concat());
        place.succeed(&["summary", out])
    };
    let screen = record("out", "2");
    let [first, second] = &costs_of(&place, "out")[..] else { panic!("two launches") };
    assert!(second.is_null() && first["starts"].as_array().unwrap().len() == 2, "{first}");
    let figures = place.figures("out");
    let figure = |key: &str| figures["model"][key].as_f64();
    // By the script's clock, which nothing but operators moves: one thread that is busy.
    let latency = figure("latency_median_ms").unwrap();
    for key in ["cpu_time_ms", "cpu_time_low_ms", "cpu_time_high_ms", "first_inference_ms"] {
        assert!((figure(key).unwrap() - latency).abs() < 1e-6, "{key}: {figures}");
    }
    assert_eq!((figure("busy_cores"), figure("session_ms")), (Some(1.0), Some(0.0)));
    let line = screen.lines().find(|line| line.starts_with("Cost ")).unwrap();
    assert!(line.contains("CPU 7.500 ms ± 0.0 % (1.0 cores)"), "{line}");
    // What the system tells of memory holds the model.
    if let Some(peak) = figure("memory_peak_bytes") {
        let file = fs::metadata(&cnn).unwrap().len() as f64;
        assert!(peak > file && figure("memory_beside_model_bytes") == Some(peak - file));
    }
    let screen = record("without", "0");
    assert_eq!(costs_of(&place, "without"), [Value::Null, Value::Null]);
    assert!(!screen.contains("Cost "), "{screen}");
    assert!(place.figures("without")["model"].get("cpu_time_ms").is_none());
}

#[test]
fn memory_is_what_the_engine_takes_and_grows_by_what_it_loses() {
    let place = Place::new();
    let figures = |out: &str, bytes: Value| {
        let mut times = object!({"operator_ns": 100_000});
        times.as_object_mut().unwrap().extend(bytes.as_object().unwrap().clone());
        let script = Script::new(&place, object!({"cnn.onnx": times}), &[]);
        let short = ["--iterations", "3", "--no-roofs", "--starts", "3"];
        script.succeed(&[&["record", &model("cnn"), "--out", out], &short[..]].concat());
        place.figures(out)["model"].clone()
    };
    let sound = figures("sound", object!({"session_bytes": 64 << 20, "run_bytes": 128 << 20}));
    let of = |figures: &Value, key: &str| figures[key].as_f64();
    let Some(peak) = of(&sound, "memory_peak_bytes") else { return };
    // The engine behind the script loads the model all the same.
    let peak = peak - of(&figures("plain", object!({})), "memory_peak_bytes").unwrap();
    let truth = f64::from(192 << 20);
    assert!((peak / truth - 1.0).abs() < 0.05, "{peak} of {truth}");
    let growth = |figures: &Value| {
        let ends = ["low_", "high_", ""].map(|end| format!("memory_growth_{end}bytes"));
        ends.map(|key| of(figures, &key).unwrap())
    };
    let [low, high, _] = growth(&sound);
    assert!(low <= 0.0 && high >= 0.0, "{sound}");
    // An inference loses as much as a large image, and the pages around it.
    let [low, high, value] = growth(&figures("leaks", object!({"lost_bytes": 1 << 20})));
    let (least, most) = (f64::from(1 << 20), f64::from((1 << 20) + (2 << 12)));
    assert!(low <= most && high >= least, "{low} to {high}");
    assert!((least * 0.95..=most * 1.05).contains(&value), "{value}");
    let screen = place.succeed(&["summary", "leaks"]);
    assert!(screen.contains("grows by"), "{screen}");
}

/// More than come up at once.
#[test]
fn there_are_as_many_processes_as_asked_for() {
    let place = Place::new();
    let script = Script::new(&place, object!({"cnn.onnx": {"operator_ns": 100_000}}), &[]);
    let usual = ["record", &model("cnn"), "--iterations", "3", "--no-roofs", "--out", "out"];
    script.succeed(&[&usual, &["--starts", "10"][..]].concat());
    assert_eq!(costs_of(&place, "out")[0]["starts"].as_array().unwrap().len(), 10);
}

/// Converted or compact, a recording says the same.
#[test]
fn costs_outlive_conversions() {
    let place = Place::new();
    let script = Script::new(&place, object!({"cnn.onnx": {"operator_ns": 100_000}}), &[]);
    script.succeed(&[
        "record",
        &model("cnn"),
        "--iterations",
        "3",
        "--starts",
        "1",
        "--out",
        "out",
    ]);
    place.succeed(&["convert", "out", "--compact", "-o", "base.json"]);
    let [of_recording, of_compact] = ["out", "base.json"].map(|recording| {
        let model = place.figures(recording)["model"].clone();
        ["starts", "cpu_time_ms", "memory_peak_bytes", "session_ms"].map(|key| model[key].clone())
    });
    assert_eq!(of_recording, of_compact);
    assert_eq!(of_recording[0], 1);
}

/// In turns: A B, B A. Each side has its own processes.
#[test]
fn both_sides_have_costs() {
    let place = Place::new();
    let times =
        object!({"cnn.onnx": {"operator_ns": 100_000}, "cnn-int8.onnx": {"operator_ns": 50_000}});
    let script = Script::new(&place, times, &[]);
    let (cnn, int8) = (model("cnn"), model("cnn-int8"));
    script.succeed(&[
        "record",
        &cnn,
        "--against",
        &int8,
        "--launches",
        "2",
        "--iterations",
        "3",
        "--no-roofs",
        "--starts",
        "2",
        "--out",
        "out",
    ]);
    for side in ["cnn", "cnn-int8"] {
        let figures = place.figures(&format!("out/{side}"));
        let of = |key: &str| figures["model"][key].as_f64().unwrap();
        assert!((of("cpu_time_ms") - of("latency_median_ms")).abs() < 1e-6, "{side}: {figures}");
        assert_eq!(of("starts"), 2.0);
    }
}

#[test]
fn an_engine_from_elsewhere_tells_its_own() {
    let (place, library, cnn) = (Place::new(), library(), model("cnn"));
    place.succeed(&[
        "record",
        &cnn,
        "--engine",
        "onnxruntime",
        "--engine-library",
        &library,
        "--iterations",
        "3",
        "--no-roofs",
        "--starts",
        "1",
        "--out",
        "out",
    ]);
    let figures = place.figures("out");
    for key in ["cpu_time_ms", "busy_cores", "library_load_ms", "session_ms", "first_inference_ms"]
    {
        assert!(figures["model"][key].as_f64().unwrap() > 0.0, "{key}: {figures}");
    }
}

#[test]
fn what_is_damaged_is_left_out_and_named() {
    let place = Place::new();
    let script = Script::new(&place, object!({"cnn.onnx": {"operator_ns": 100_000}}), &[]);
    script.succeed(&[
        "record",
        &model("cnn"),
        "--iterations",
        "3",
        "--starts",
        "2",
        "--out",
        "out",
    ]);
    let path = &place.traces("out")[0];
    let mut trace = json(&fs::read_to_string(path).unwrap());
    trace["costs"]["starts"][0]["blocks"]["inferences"][0] = 0.into();
    fs::write(path, trace.to_string()).unwrap();
    let figures = place.run(&["summary", "out", "--level", "model", "--format", "json"]);
    assert!(figures.err.contains("\"starts\""), "{}", figures.err);
    assert_eq!(json(&figures.out)["model"]["starts"], 1);
    trace["costs"] = "none".into();
    fs::write(path, trace.to_string()).unwrap();
    let figures = place.run(&["summary", "out", "--level", "model", "--format", "json"]);
    assert!(figures.err.contains("\"costs\"") && figures.code == Some(0), "{}", figures.err);
    assert!(json(&figures.out)["model"].get("starts").is_none());
}

/// By a signal to all processes, as of a terminal, and to the program alone.
#[test]
fn a_request_to_end_is_answered_while_a_start_loads() {
    for is_to_all in [true, false] {
        let place = Place::new();
        fs::copy(model("cnn"), place.path("cnn.onnx")).unwrap();
        let script = Script::new(&place, object!({}), &[("load", "cnn.onnx", 1, "wait")]);
        let mut program = script.start(&["record", "cnn.onnx", "--starts", "1", "--out", "out"]);
        let waiting = script.reached(&mut program, "load cnn.onnx 1");
        match is_to_all {
            true => program.signal_all("-INT"),
            false => program.signal("-INT"),
        }
        drop(waiting);
        let ended = program.ended();
        assert_eq!(ended.code, Some(130), "{}", ended.err);
        assert!(!place.path("out").exists(), "nothing is left");
    }
}

/// A launch of one iteration keeps them, of each side.
#[test]
fn what_was_measured_before_a_request_to_end_is_kept() {
    let cnn = model("cnn");
    let costs = ["--starts", "2", "--rate", "20,10", "--rate-duration", "1s"];
    let record = [&["record", &cnn, "--no-roofs", "--out", "out"][..], &costs].concat();
    let times = object!({"cnn.onnx": {"operator_ns": 100_000}});
    let place = Place::new();
    Script::new(&place, times.clone(), &[])
        .succeed(&[&record[..], &["--iterations", "1"]].concat());
    let whole = &costs_of(&place, "out")[0]["starts"][0];
    let loop_runs: u64 = whole["blocks"]["inferences"]
        .as_array()
        .unwrap()
        .iter()
        .map(|of| of.as_u64().unwrap())
        .sum();
    // Amid the calls at 10/s, of the second process: whatever was run to make inputs.
    let runs = (1 + loop_runs + 20 + 10) + (1 + loop_runs + 20 + 5);

    let place = Place::new();
    let script = Script::new(&place, times.clone(), &[("run", "cnn.onnx", runs, "wait")]);
    let mut program = script.start(&record);
    let waiting = script.reached(&mut program, &format!("run cnn.onnx {runs}"));
    program.signal_all("-INT");
    let ended = program.ended();
    drop(waiting);
    assert_eq!(ended.code, Some(130), "{}", ended.err);
    let told = "stopping after an iteration, which keeps the starts; again to stop now\n\
                interrupted; what was recorded until then is kept\n";
    assert!(ended.err.contains(told), "{}", ended.err);
    let kept = &costs_of(&place, "out")[0];
    let rates = |start: &Value| -> Vec<Value> {
        let paces = start["paces"].as_array().map_or(&[][..], Vec::as_slice);
        paces.iter().map(|pace| pace["rate"].clone()).collect()
    };
    let kept: Vec<Vec<Value>> = kept["starts"].as_array().unwrap().iter().map(rates).collect();
    assert_eq!(
        kept,
        [object!([20.0, 10.0]), object!([20.0])].map(|of| of.as_array().unwrap().clone())
    );
    let summary = place.succeed(&["summary", "out", "--level", "model", "--format", "json"]);
    let summary = json(&summary);
    assert_eq!(summary["model"]["iterations"], 1, "{summary}");
    let calls = |place: usize| summary["pace"][place]["calls"].clone();
    assert_eq!((calls(0), calls(1)), (40.into(), 10.into()), "{summary}");

    let place = Place::new();
    let both = ["record", &cnn, "--against", &cnn, "--no-roofs", "--out", "out", "--starts", "2"];
    // Two are tried out, and two make inputs; then A, B, and B again.
    let script = Script::new(&place, times, &[("load", "cnn.onnx", 7, "wait")]);
    let mut program = script.start(&both);
    let waiting = script.reached(&mut program, "load cnn.onnx 7");
    program.signal("-INT");
    let ended = program.ended();
    drop(waiting);
    assert_eq!(ended.code, Some(130), "{}", ended.err);
    for side in ["out/cnn-a", "out/cnn-b"] {
        let [costs] = &costs_of(&place, side)[..] else { panic!("{side}: one launch") };
        assert_eq!(costs["starts"].as_array().map(Vec::len), Some(1), "{costs}");
    }
}

/// A process that ends while it loads: the launch says more than its costs.
#[test]
fn a_start_that_ends_leaves_costs_unknown() {
    let place = Place::new();
    fs::copy(model("cnn"), place.path("cnn.onnx")).unwrap();
    // The first one makes the inputs.
    let script = Script::new(&place, object!({}), &[("load", "cnn.onnx", 2, "abort")]);
    let recorded = script.run(&[
        "record",
        "cnn.onnx",
        "--starts",
        "3",
        "--iterations",
        "2",
        "--no-roofs",
        "--out",
        "out",
    ]);
    assert_eq!(recorded.code, Some(0), "{}", recorded.err);
    let [costs] = &costs_of(&place, "out")[..] else { panic!("one launch") };
    assert_eq!(costs["starts"].as_array().map(Vec::len), Some(0), "{costs}");
    assert!(costs["unknown"].as_str().unwrap().contains("signal"), "{costs}");
    let figures = place.figures("out");
    assert!(figures["model"]["cpu_time_ms"].is_null(), "{figures}");
    assert!(figures["model"]["starts_unknown"].is_string(), "{figures}");
    assert!(!place.succeed(&["summary", "out"]).contains("Cost "));
}

/// Whether the file leaves memory is up to the file system: if it does not, there are no starts.
#[test]
#[cfg(target_os = "linux")]
fn starts_are_of_a_cold_file_or_refused() {
    let place = Place::new();
    fs::copy(model("cnn"), place.path("cnn.onnx")).unwrap();
    let script = Script::new(&place, object!({"cnn.onnx": {"operator_ns": 100_000}}), &[]);
    let usual = ["record", "cnn.onnx", "--iterations", "3", "--no-roofs", "--starts", "2"];
    let recorded = script.run(&[&usual[..], &["--cold", "--out", "out"]].concat());
    assert_eq!(recorded.code, Some(0), "{}", recorded.err);
    let [costs] = &costs_of(&place, "out")[..] else { panic!("one launch") };
    let starts = costs["starts"].as_array().unwrap();
    assert!(starts.iter().all(|start| start["is_cold"] == true), "{costs}");
    if starts.len() < 2 {
        let reason = "cnn.onnx: the system keeps it in memory";
        assert!(costs["unknown"].as_str().unwrap().ends_with(reason), "{costs}");
        assert!(recorded.err.contains("starts of a cold file are unknown: "), "{}", recorded.err);
    }
    let refused = script.run(&[&usual[..6], &["0", "--cold"]].concat());
    assert_eq!(refused.code, Some(2), "{}", refused.err);
    assert!(refused.err.contains("--starts 0 leaves none"), "{}", refused.err);
}

#[test]
fn starts_of_a_cold_file_are_named_and_not_compared_with_others() {
    let place = Place::new();
    let script = Script::new(&place, object!({"cnn.onnx": {"operator_ns": 100_000}}), &[]);
    let usual = ["record", &model("cnn"), "--iterations", "3", "--no-roofs", "--starts", "2"];
    for out in ["warm", "cold"] {
        script.succeed(&[&usual[..], &["--out", out]].concat());
    }
    let path = &place.traces("cold")[0];
    let mut trace = json(&fs::read_to_string(path).unwrap());
    for start in trace["costs"]["starts"].as_array_mut().unwrap() {
        assert!(start.get("is_cold").is_none(), "{start}");
        start["is_cold"] = true.into();
    }
    fs::write(path, trace.to_string()).unwrap();
    assert_eq!(place.figures("cold")["model"]["cold_starts"], 2);
    assert!(place.figures("warm")["model"].get("cold_starts").is_none());
    let screen = place.succeed(&["summary", "cold"]);
    assert!(screen.contains(" (cold file)"), "{screen}");
    let gated = place.run(&["compare", "warm", "cold", "--fail-start-above", "5%"]);
    assert!(gated.err.contains("starts are of a cold file on one side only"), "{}", gated.err);
    assert!(gated.out.contains("start not compared (of a cold file on one side only)"));
}

//! What an inference costs at each point of a sweep, beside its latency.

use crate::json_schemas::valid;
use crate::listed_profiles::{is_close, number};
use crate::program::{Place, model};
use crate::script::Script;
use crate::sweep::{points, rows, trace};
use serde_json::{Value, json as object};
use std::fs;
use std::path::PathBuf;

/// Sweeps models in the folder `s`, by the clock of a script.
fn sweep(script: &Script, models: &[&str], more: &[&str]) -> Value {
    let usual = ["--iterations", "5", "--profiles", "s", "--format", "json"];
    valid("sweep", &script.succeed(&[&["sweep"], models, &usual, more].concat()))
}

/// Processes that the traces of a point tell of, launch by launch.
fn starts(place: &Place, point: &str) -> Vec<Option<usize>> {
    let traces = place.traces(&format!("s/{point}"));
    traces.iter().map(|path| trace(path)["costs"]["starts"].as_array().map(Vec::len)).collect()
}

fn contents(place: &Place, point: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let traces = place.traces(&format!("s/{point}")).into_iter();
    traces.map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

#[test]
fn points_have_costs_once_however_often_a_sweep_is_resumed() {
    let place = Place::new();
    let times =
        object!({"cnn.onnx": {"operator_ns": 100_000}, "cnn-int8.onnx": {"operator_ns": 50_000}});
    let script = Script::new(&place, times, &[]);
    let models = [&*model("cnn"), &*model("cnn-int8")];
    let run = |starts: &str| sweep(&script, &models, &["--starts", starts]);
    let report = run("3");
    let found = rows(&report, "points");
    assert_eq!(found.len(), 2);
    for point in &found {
        let name = point["name"].as_str().unwrap();
        // Each has a latency before anything else is measured.
        assert_eq!(starts(&place, name), [None, Some(1), Some(1), Some(1), None], "{name}");
        // By the script's clock, one thread that is busy.
        let latency = number(point, "latency_p50_ms");
        for key in ["cpu_time_ms", "cpu_time_low_ms", "cpu_time_high_ms", "start_ms"] {
            assert!(is_close(number(point, key), latency), "{key}: {point}");
        }
        assert_eq!((&point["starts"], &point["on_cpu_front"]), (&3.into(), &"yes".into()));
        let figures = &place.figures(&format!("s:{name}"))["model"];
        for key in ["starts", "cpu_time_ms", "memory_peak_bytes"] {
            assert_eq!(point[key], figures[key], "{key}: {point}");
        }
    }
    // The faster model takes less CPU time as well.
    let of_all = found.iter().map(|point| point["on_cpu_front_of_all"].as_str().unwrap());
    assert_eq!(of_all.collect::<Vec<_>>(), ["no", "yes"]);

    let name = found[0]["name"].as_str().unwrap();
    let before = contents(&place, name);
    assert_eq!(run("3"), report);
    assert_eq!(run("0"), report, "what was measured stays");
    assert_eq!(contents(&place, name), before);
    let more = run("5");
    assert!(rows(&more, "points").iter().all(|point| point["starts"] == 5), "{more}");
    assert_eq!(starts(&place, name), [None, Some(1), Some(1), Some(1), None, Some(2)]);
    assert!(before.iter().all(|file| contents(&place, name).contains(file)));
}

#[test]
fn few_rounds_have_all_processes() {
    for (rounds, expected) in
        [("1", &[Some(3)][..]), ("2", &[None, Some(3)]), ("3", &[None, Some(2), Some(1)])]
    {
        let place = Place::new();
        let script = Script::new(&place, object!({"cnn.onnx": {"operator_ns": 1_000}}), &[]);
        sweep(&script, &[&model("cnn")], &["--starts", "3", "--rounds", rounds]);
        assert_eq!(starts(&place, "cnn-t1-i1"), expected, "{rounds} rounds");
    }
}

/// Three launches of 60 runs, each of 1 ms, and no time for any more.
#[test]
fn a_time_limit_leaves_costs_unknown_rather_than_latencies() {
    let place = Place::new();
    let times = object!({"cnn.onnx": {"operator_ns": 0, "overhead_ns": 1_000_000}});
    let script = Script::new(&place, times, &[]);
    let cnn = model("cnn");
    let run = |more: &[&str]| {
        let usual = ["sweep", &cnn, "--starts", "3", "--batch-size", "1,2,3", "--iterations", "20"];
        let last = ["--profiles", "s", "--format", "json"];
        valid("sweep", &script.succeed(&[&usual[..], &last, more].concat()))
    };
    let report = run(&["--time-limit", "0.2s"]);
    assert!(points(&report).iter().all(|(_, rounds)| *rounds == 1), "{report}");
    let found = rows(&report, "points");
    assert_eq!(found.len(), 3);
    for point in found {
        assert!(point["cpu_time_ms"].is_null() && point["on_cpu_front"].is_null(), "{point}");
        assert_eq!(point["costs_unknown"], "not measured");
    }
    let later = run(&["--rounds", "4"]);
    for point in rows(&later, "points") {
        assert_eq!((&point["starts"], &point["costs_unknown"]), (&3.into(), &Value::Null));
        let [of_one, cpu_time] =
            ["cpu_time_of_one_ms", "cpu_time_ms"].map(|key| number(point, key));
        let batch = number(point, "batch_size");
        assert!(is_close(of_one * batch, cpu_time), "{point}");
    }
}

#[test]
fn instances_have_no_costs_and_say_so() {
    let place = Place::new();
    let script = Script::new(&place, object!({"cnn.onnx": {"operator_ns": 1_000}}), &[]);
    let usual = ["--instances", "1,2", "--rounds", "2", "--starts", "1"];
    let report = sweep(&script, &[&model("cnn")], &usual);
    for point in rows(&report, "points") {
        let unknown = match point["instances"].as_u64() {
            Some(1) => Value::Null,
            _ => "instances run side by side".into(),
        };
        assert_eq!(point["costs_unknown"], unknown, "{point}");
        assert_eq!(point["cpu_time_ms"].is_null(), !unknown.is_null(), "{point}");
    }
}

/// A process that ends while it loads: the point says more than its costs.
#[test]
fn a_process_that_ends_leaves_costs_unknown_and_has_no_other() {
    let place = Place::new();
    fs::copy(model("cnn"), place.path("cnn.onnx")).unwrap();
    // Loads before: the trial, the launch of the first round, and who makes the inputs.
    let script = Script::new(&place, object!({}), &[("load", "cnn.onnx", 4, "abort")]);
    let report = sweep(&script, &["cnn.onnx"], &["--starts", "3", "--rounds", "4"]);
    assert_eq!(starts(&place, "cnn-t1-i1"), [None, Some(0), None, None]);
    let [point] = rows(&report, "points")[..] else { panic!("one point: {report}") };
    assert!(point["costs_unknown"].as_str().unwrap().contains("signal"), "{point}");
    assert!(point["cpu_time_ms"].is_null(), "{point}");
}

#[test]
fn points_are_called_at_a_pace() {
    let place = Place::new();
    let script = Script::new(&place, object!({"cnn.onnx": {"operator_ns": 1_000}}), &[]);
    let usual = ["--starts", "2", "--rounds", "3", "--rate", "max,20,10", "--rate-duration", "1s"];
    let report = sweep(&script, &[&model("cnn")], &usual);
    let [point] = rows(&report, "points")[..] else { panic!("one point: {report}") };
    assert_eq!(point["rate"], 10.0, "the lowest");
    let figures = place.figures("s:cnn-t1-i1");
    let pace = rows(&figures, "pace").into_iter().find(|pace| pace["rate"] == "10").unwrap();
    for (key, of_pace) in [
        ("paced_latency_ms", "latency_median_ms"),
        ("paced_latency_low_ms", "latency_median_low_ms"),
        ("paced_cpu_time_ms", "cpu_time_ms"),
        ("paced_cpu_time_high_ms", "cpu_time_high_ms"),
    ] {
        assert!(is_close(number(point, key), number(pace, of_pace)), "{key}: {point} {pace}");
    }
    let least = |report: &Value| report["headline"].to_string().contains("Least CPU time");
    assert!(!least(&report), "of one: {report}");
}

/// Which of several takes the least, as a program calls it.
#[test]
fn the_least_cpu_time_at_a_pace_is_in_the_headline() {
    let place = Place::new();
    let times = object!({"operator_ns": 1_000});
    let script = Script::new(&place, object!({"a.onnx": times, "b.onnx": times}), &[]);
    for name in ["a.onnx", "b.onnx"] {
        fs::copy(model("cnn"), place.path(name)).unwrap();
    }
    // In the script's clock a thread is busy between two calls as well: each call takes 50 ms.
    let more = ["--starts", "3", "--rate", "20", "--rate-duration", "1s"];
    let report = sweep(&script, &["a.onnx", "b.onnx"], &more);
    let headline = report["headline"].as_array().unwrap();
    let line =
        headline.iter().find_map(|line| line.as_str()?.strip_prefix("Least CPU time of a call "));
    let line = line.unwrap_or_else(|| panic!("{headline:?}"));
    assert!(line.starts_with("at 20/s, of all models: "), "{line}");
    assert!(line.contains(" takes 50.00 ms, at a median latency of 0.07"), "{line}");
    assert!(line.ends_with(" ms; 1 more may take as little."), "{line}");
    let notes = report["notes"].to_string();
    assert!(notes.contains("fronts are of iterations back to back"), "{notes}");
}

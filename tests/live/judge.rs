//! One word on a candidate: its exit code, what it rests on, and what a script reads of it.

use crate::json_schemas::valid;
use crate::onnx_file::{FLOAT, model as onnx, node, value};
use crate::onnxruntime_package::library;
use crate::program::{Place, model};
use crate::script::Script;
use crate::tune::{assert_ratio, times};
use serde_json::{Value, json as object};

fn judged<'a>(path: &'a str, library: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let engine = ["--engine", "onnxruntime", "--engine-library", library, "--format", "json"];
    [&["judge", path][..], &engine, more].concat()
}

fn told(code: Option<i32>, out: &str, verdict: &str) -> Value {
    let report = valid("judge", out);
    assert_eq!(report["judge"]["verdict"], verdict, "{report:#}");
    let headline = report["headline"][0].as_str().unwrap();
    assert!(headline.starts_with(&format!("{}  ", verdict.to_uppercase())), "{headline}");
    let passed = match code {
        Some(0) => object!("yes"),
        Some(3) => object!("no"),
        _ => Value::Null,
    };
    assert_eq!(report["judge"]["passed"], passed, "{report:#}");
    assert_eq!(report["verdict"], verdict, "{report:#}");
    let passed = code.filter(|code| [0, 3].contains(code)).map(|code| code == 0);
    assert_eq!(report["passed"], object!(passed), "{report:#}");
    report
}

#[test]
fn what_is_planted_is_the_word() {
    let (place, library, path) = (Place::new(), library(), model("cnn"));
    let planted = object!({"arena=off": 1.05, "memory pattern=off": 0.9});
    let script = Script::with_factors(&place, times("cnn.onnx"), planted, &[]);
    for (options, expect, code, verdict, ratio) in [
        ("--ort arena=no", "not-slower", 3, "slower", 1.05),
        ("--ort memory_pattern=no", "faster", 0, "faster", 0.9),
        ("--ort memory_pattern=no", "same", 3, "faster", 0.9),
        ("--ort inter_op_threads=1", "not-slower", 0, "same", 1.0),
        ("--ort inter_op_threads=1", "faster", 3, "same", 1.0),
    ] {
        let more = ["--against-options", options, "--expect", expect, "--time-limit", "10m"];
        let ended = script.run(&judged(&path, &library, &more));
        assert_eq!(ended.code, Some(code), "{options} {expect}: {}", ended.err);
        let report = told(ended.code, &ended.out, verdict);
        assert_ratio(&report["judge"]["ratio"], ratio);
        assert_ratio(&report["judge"]["control_ratio"], 1.0);
        assert_eq!(report["judge"]["loss"], 0.0, "{report:#}");
        let [low, high] = ["ratio_low", "ratio_high"].map(|key| report["judge"][key].as_f64());
        assert!(low.unwrap() < ratio && ratio < high.unwrap(), "{report:#}");
        // What differs was recorded, and named.
        let causes = report.get("causes").is_some_and(|causes| causes[0]["cause"].is_string());
        assert_eq!(causes, verdict != "same", "{report:#}");
        let line = report["headline"][0].as_str().unwrap();
        assert_eq!(line.contains(" % of it in "), verdict != "same", "{line}");
        let command = report["judge"]["repeat"].as_str().unwrap();
        assert!(command.starts_with("onnxray judge ") && command.contains(options), "{command}");
    }
    // Without a copy of A, nothing tells of the machine.
    let alone = ["--against-options", "--ort arena=no", "--no-control"];
    let ended = script.run(&judged(&path, &library, &alone));
    let report = told(ended.code, &ended.out, "slower");
    let of_a = |row: &&Value| row["side"] == "A's own copy";
    assert_eq!(report["judge_sides"].as_array().unwrap().iter().filter(of_a).count(), 0);
    assert!(report["judge"].get("control_ratio").is_none(), "{report:#}");
}

#[test]
fn what_is_not_decided_says_how_long_it_takes_and_goes_on() {
    let (place, library, path) = (Place::new(), library(), model("cnn"));
    let planted = object!({"arena=off": 1.05});
    let script = Script::with_factors(&place, times("cnn.onnx"), planted, &[]);
    let run = |limit: &str| {
        let more = ["--against-options", "--ort arena=no", "--time-limit", limit];
        script.run(&judged(&path, &library, &more))
    };
    let short = run("1s");
    assert_eq!(short.code, Some(5), "{}", short.err);
    let report = told(short.code, &short.out, "inconclusive");
    // One sentence says how to go on: the report's.
    assert!(!short.err.contains("again") && short.out.contains("run it again"), "{}", short.err);
    let launches = |report: &Value| report["judge_sides"][0]["launches"].as_u64().unwrap();
    assert!(launches(&report) < 5);
    let more = run("10m");
    assert_eq!(more.code, Some(3), "{}", more.err);
    let decided = told(more.code, &more.out, "slower");
    assert!(launches(&decided) >= 5);
    // The launches before count: nothing is measured a second time.
    let journal = std::fs::read_to_string(place.path("judge/onnxray.judge.jsonl")).unwrap();
    let trials = journal.lines().filter(|line| line.contains("\"number\"")).count() as u64;
    assert_eq!(trials, launches(&decided));
    let again = run("10m");
    assert_eq!(told(again.code, &again.out, "slower")["judge"]["ratio"], decided["judge"]["ratio"]);
    // Another candidate has no launch of it.
    let other = ["--against-options", "--ort memory_pattern=no"];
    let ended = script.run(&judged(&path, &library, &other));
    told(ended.code, &ended.out, "same");
}

fn of_b<'a>(report: &'a Value, figure: &str) -> &'a Value {
    let rows = report["judge_sides"].as_array().unwrap();
    let is_meant = |row: &&Value| row["side"] == "B" && row["figure"] == figure;
    rows.iter().find(is_meant).unwrap_or_else(|| panic!("{figure}: {report:#}"))
}

/// Two turns of A in a row would find them warmer than any turn of its copy.
#[test]
fn caches_that_warm_slowly_favour_no_side() {
    let (place, library, path) = (Place::new(), library(), model("cnn"));
    let mut slow = times("cnn.onnx");
    slow["cnn.onnx"]["warming"] = object!(0.3);
    let script = Script::new(&place, slow, &[]);
    let more = ["--against-options", "--ort arena=no", "--time-limit", "10m"];
    let ended = script.run(&judged(&path, &library, &more));
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let report = told(ended.code, &ended.out, "same");
    assert_ratio(&report["judge"]["ratio"], 1.0);
    assert_ratio(&report["judge"]["control_ratio"], 1.0);
}

/// What tells where both differ ends with the time that is left, once there are three launches.
#[test]
fn recordings_of_both_end_with_the_time_limit() {
    let (place, library, path) = (Place::new(), library(), model("cnn"));
    let planted = object!({"memory pattern=off": 0.9});
    // The first run of a session takes 20 s, and nothing else does: four of them in each launch that
    // is recorded.
    let mut slow = times("cnn.onnx");
    slow["cnn.onnx"]["first"] = object!([20_000]);
    let script = Script::with_factors(&place, slow, planted, &[]);
    let run = |limit: &str, out: &str| {
        let options = ["--against-options", "--ort memory_pattern=no", "--out", out];
        let ended = script.run(&judged(
            &path,
            &library,
            &[&options[..], &["--time-limit", limit]].concat(),
        ));
        assert_eq!(ended.code, Some(0), "{}", ended.err);
        told(ended.code, &ended.out, "faster")
    };
    let recorded = |out: &str| {
        let traces = place.path(&format!("{out}/candidate/profiling_trace"));
        std::fs::read_dir(traces).map_or(0, |files| files.count())
    };
    // The word took more than 60 % of the time: none is left.
    assert!(run("600s", "out").get("causes").is_none());
    assert_eq!(recorded("out"), 0);
    // Three launches show layers, and test none.
    let report = run("300s", "out");
    assert!(report["layers"].is_array() && report.get("causes").is_none(), "{report:#}");
    assert_eq!(recorded("out"), 3);
    // With more time, they are recorded again.
    assert!(run("3h", "out")["causes"].is_array());
    assert_eq!(recorded("out"), 3 + 5);
}

#[test]
fn a_candidate_is_judged_by_what_it_costs() {
    let (place, library, path) = (Place::new(), library(), model("cnn"));
    let planted = object!({"arena=off": 0.8});
    let script = Script::with_factors(&place, times("cnn.onnx"), planted, &[]);
    let options = ["--against-options", "--ort arena=no", "--time-limit", "10m"];
    for (out, what, verdict) in [("a", "latency", "faster"), ("b", "cpu", "lower")] {
        let more = [&options[..], &["--for", what, "--out", out]].concat();
        let ended = script.run(&judged(&path, &library, &more));
        assert_eq!(ended.code, Some(0), "{}", ended.err);
        let report = told(ended.code, &ended.out, verdict);
        assert_ratio(&report["judge"]["ratio"], 0.8);
        assert_ratio(&report["judge"]["control_ratio"], 1.0);
        // Of a start, the script knows the first inference.
        for figure in ["latency", "CPU time", "start"] {
            assert_ratio(&of_b(&report, figure)["ratio"], 0.8);
        }
        let beside = report["headline"][2].as_str().unwrap();
        assert!(beside.starts_with("Beside, B / A: ") && beside.contains("start "), "{beside}");
    }
}

/// Work that was moved to where nobody looks.
#[test]
fn candidates_that_cheat_are_found_out() {
    let (place, library, path) = (Place::new(), library(), model("cnn"));
    let script = Script::new(&place, times("cnn.onnx"), &[]);
    let file = place.path("script.json");
    let mut cheats: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    cheats["remembering"] = object!(["memory pattern=off"]);
    cheats["loading"] = object!({"arena=off": 3_000_000_000_u64});
    place.write("script.json", cheats.to_string().as_bytes());
    let run = |option: &str| {
        let more = ["--against-options", option, "--time-limit", "10m"];
        let ended = script.run(&judged(&path, &library, &more));
        assert_eq!(ended.code, Some(0), "{option}: {}", ended.err);
        told(ended.code, &ended.out, "same")
    };
    // No run has the inputs of another one: what is remembered helps nobody.
    assert_ratio(&run("--ort memory_pattern=no")["judge"]["ratio"], 1.0);
    let slow_to_load = run("--ort arena=no");
    let start = of_b(&slow_to_load, "start");
    assert!(start["ratio_low"].as_f64().unwrap() > 1.5, "{slow_to_load:#}");
    let line = slow_to_load["headline"][2].as_str().unwrap();
    assert!(line.contains("start ") && line.contains("longer"), "{line}");
}

/// `x` by an operator to `y`.
pub(crate) fn one(operator: &str, size: u64) -> Vec<u8> {
    let ends = ["x", "y"].map(|name| vec![value(name, FLOAT, &[1, size])]);
    let [inputs, outputs] = ends;
    onnx(vec![node(operator, "only", &["x"], &["y"])], vec![], inputs, outputs)
}

#[test]
fn what_computes_something_else_or_takes_something_else_is_said() {
    let place = Place::new();
    place.write("a.onnx", &one("Tanh", 64));
    place.write("other.onnx", &one("Sigmoid", 64));
    place.write("wide.onnx", &one("Tanh", 65));
    place.write("broken.onnx", b"no model");
    let run = |candidate: &str| place.run(&["judge", "a.onnx", candidate, "--format", "json"]);
    let twice = [node("Tanh", "first", &["x"], &["h"]), node("Tanh", "only", &["h"], &["y"])];
    let [inputs, outputs] = ["x", "y"].map(|name| vec![value(name, FLOAT, &[1, 64])]);
    place.write("twice.onnx", &onnx(twice.to_vec(), vec![], inputs, outputs));
    let fewer = place.run(&["judge", "twice.onnx", "a.onnx", "--out", "f", "--format", "json"]);
    assert_eq!(fewer.code, Some(6), "{}", fewer.err);
    told(fewer.code, &fewer.out, "different");
    let other = run("other.onnx");
    assert_eq!(other.code, Some(6), "{}", other.err);
    let report = told(other.code, &other.out, "different");
    assert!(
        report["headline"][0].as_str().unwrap().contains("(limit 0.01, --max-loss) at output y")
    );
    assert_eq!(report["judge_sides"][0]["launches"], 1, "one launch tells");
    let wide = run("wide.onnx");
    assert_eq!(wide.code, Some(4), "{}", wide.err);
    let report = told(wide.code, &wide.out, "not comparable");
    let said = report["headline"][0].as_str().unwrap();
    assert!(said.contains("input x: fp32 1x64 against fp32 1x65"), "{said}");
    assert!(!place.path("judge/onnxray.judge.jsonl").exists() || wide.code == Some(4));
    let broken = run("broken.onnx");
    assert_eq!(broken.code, Some(1));
    assert!(broken.err.contains("broken.onnx: not a whole ONNX model"), "{}", broken.err);
    let none = place.run(&["judge", "a.onnx"]);
    assert_eq!(none.code, Some(2), "{}", none.err);
    assert!(none.err.contains("<CANDIDATE.onnx>"), "{}", none.err);
}

//! The program on traces of every runtime: what it says, and that other tools
//! find the same in what it writes.

use crate::program::{Place, finished, json, model, python};
use crate::recordings::recorded;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn fixture(name: &str) -> String {
    root().join("fixtures").join(name).display().to_string()
}

/// All files of a producer's fixtures.
fn of_producer(producer: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![root().join("fixtures").join(producer)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.is_dir() {
                folders.push(path);
            } else if !name.ends_with(".py") && !name.starts_with("benchmark_report.") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

const PRODUCERS: [&str; 8] = [
    "chrome-trace",
    "neural-engine",
    "onnxruntime",
    "openvino",
    "pytorch",
    "tensorrt",
    "tflite",
    "tract",
];

fn summary(place: &Place, arguments: &[&str]) -> serde_json::Value {
    let mut all = vec!["summary", "--all", "--format", "json"];
    all.extend(arguments);
    json(&place.succeed(&all))
}

/// A number of milliseconds or a share; `None` if it is unknown.
fn number(row: &serde_json::Value, key: &str) -> Option<f64> {
    row[key].as_f64()
}

#[test]
fn shares_of_every_trace_add_up_to_the_whole() {
    let place = Place::new();
    for path in PRODUCERS.iter().flat_map(|producer| of_producer(producer)) {
        let path = path.to_str().unwrap();
        let summary = summary(&place, &[path]);
        let types = summary["operator_types"].as_array().unwrap();
        let shares: Vec<f64> = types.iter().filter_map(|row| number(row, "share")).collect();
        if !shares.is_empty() {
            let sum: f64 = shares.iter().sum();
            // Averages beside iterations come from another measurement.
            let averaged = types.iter().all(|row| row["calls"].is_null());
            assert!((sum - 1.0).abs() < 1e-9 || averaged && sum < 1.2, "{path}: {sum}");
        }
        let times = |rows: &str, key: &str| -> f64 {
            summary[rows].as_array().unwrap().iter().filter_map(|row| number(row, key)).sum()
        };
        for key in ["time_ms", "total_ms"] {
            let of_types: f64 = types
                .iter()
                .filter(|row| row["type"] != "framework overhead" && row["type"] != "concurrent")
                .filter_map(|row| number(row, key))
                .sum();
            let of_operators = times("operators", key);
            assert!(
                (of_types - of_operators).abs() <= 1e-9 * of_operators.max(1.0),
                "{path} {key}"
            );
        }
        let model = &summary["model"];
        if let Some(mean) = number(model, "typical_mean_ms") {
            let whole = times("operator_types", "time_ms");
            let has_overhead = types.iter().any(|row| row["type"] == "framework overhead");
            assert!(!has_overhead || (whole - mean).abs() < 1e-9 * mean.max(1.0), "{path}");
        }
    }
}

#[test]
fn times_are_those_that_independent_readers_find() {
    let place = Place::new();
    for producer in PRODUCERS {
        let reader = root().join("tests/readers").join(format!("{producer}.py"));
        for path in of_producer(producer) {
            let output = Command::new(python()).arg(&reader).arg(&path).output().unwrap();
            let said = String::from_utf8(output.stdout).unwrap();
            // Some files tell only together with others, and some are damaged on purpose.
            let Ok(expected) = serde_json::from_str::<serde_json::Value>(said.trim()) else {
                continue;
            };
            let out = place.path("out.csv");
            let path = path.to_str().unwrap();
            place.succeed(&["convert", path, "-o", out.to_str().unwrap(), "--force"]);
            let mut found: BTreeMap<String, (u64, u64)> = BTreeMap::new();
            let mut rows = csv::Reader::from_path(&out).unwrap();
            let headers = rows.headers().unwrap().clone();
            let column = |name: &str| headers.iter().position(|header| header == name).unwrap();
            let (name, exclusive) = (column("name"), column("exclusive_ns"));
            for row in rows.records() {
                let row = row.unwrap();
                let sums = found.entry(row[name].trim_start_matches('\'').to_string()).or_default();
                sums.0 += 1;
                sums.1 += row[exclusive].parse::<u64>().unwrap();
            }
            if expected["events"].is_null() {
                assert!(found.is_empty(), "{path}");
                continue;
            }
            let operators = expected["operators"].as_object().unwrap();
            for (name, operator) in operators {
                let Some(nanoseconds) = operator["exclusive_ns"].as_u64() else { continue };
                let sums = found.get(name.trim_start_matches('\'')).copied().unwrap_or_default();
                assert_eq!(sums.1, nanoseconds, "{path}: {name}");
                if let Some(executions) = operator["executions"].as_u64() {
                    assert_eq!(sums.0, executions, "{path}: {name}");
                }
            }
        }
    }
}

#[test]
fn compressed_piped_and_named_traces_are_the_same() {
    let place = Place::new();
    let path = fixture("onnxruntime/1.31.1/loop.json");
    let plain = summary(&place, &[&path]);
    let bytes = fs::read(&path).unwrap();
    let compress = |program: &str, arguments: &[&str]| {
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(&bytes).unwrap();
        child.wait_with_output().unwrap().stdout
    };
    place.write("unknown", &compress("gzip", &["-c"]));
    assert_eq!(summary(&place, &["unknown"]), plain);
    let mut child = place
        .command(&["summary", "-", "--all", "--format", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&bytes).unwrap();
    let piped = finished(child.wait_with_output().unwrap());
    assert_eq!(piped.code, Some(0), "{}", piped.err);
    assert_eq!(json(&piped.out)["operators"], plain["operators"]);
    // Several files are several launches.
    let two = summary(&place, &[&path, "unknown", "--level", "model"]);
    assert_eq!(two["model"]["launches"], 2);
}

#[test]
fn formats_are_listed_forced_and_not_mixed() {
    let place = Place::new();
    let list = json(&place.succeed(&["inspect", "--list", "--format", "json"]));
    let names: Vec<&str> = list["formats"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["format"].as_str().unwrap())
        .collect();
    assert_eq!(names.len(), 9);
    for producer in PRODUCERS {
        assert!(names.contains(&producer), "{producer} in {names:?}");
        // What a file is said to be is what it is.
        let path = &of_producer(producer)[0];
        let found = json(&place.succeed(&["inspect", path.to_str().unwrap(), "--format", "json"]));
        assert_eq!(found["inputs"][0]["format"], producer);
    }
    let (runtime, tract) = (fixture("onnxruntime/1.31.1/loop.json"), of_producer("tract"));
    let mixed = place.run(&["summary", &runtime, tract[0].to_str().unwrap()]);
    assert_eq!(mixed.code, Some(1));
    assert!(
        mixed.err.contains("2 different runtimes or models:\n  ONNX Runtime, a model of ")
            && mixed.err.contains("\n  tract, "),
        "{}",
        mixed.err
    );
    let forced = place.run(&["summary", &runtime, "--from", "tract"]);
    assert_eq!((forced.code, forced.out.as_str()), (Some(1), ""));
    let chrome = summary(&place, &[&runtime, "--from", "chrome-trace"]);
    assert!(!chrome["operators"].as_array().unwrap().is_empty());
    assert_eq!(place.run(&["summary", &runtime, "--from", "vhs"]).code, Some(2));
}

#[test]
fn a_loss_is_a_warning_and_an_error_if_wanted() {
    let place = Place::new();
    let path = fixture("malformed/truncated.json");
    let lenient = place.run(&["summary", &path]);
    assert_eq!(lenient.code, Some(0));
    assert!(lenient.err.contains("the input ends early"), "{}", lenient.err);
    let strict = place.run(&["summary", &path, "--strict"]);
    assert_eq!((strict.code, strict.out.as_str()), (Some(1), ""));
    assert!(strict.err.contains("line 13, byte 1391: the input ends early"), "{}", strict.err);
    assert!(strict.err.contains("hint: without --strict the rest is read"), "{}", strict.err);
    place.succeed(&["summary", &fixture("onnxruntime/1.31.1/loop.json"), "--strict"]);
}

#[test]
fn a_model_gives_a_foreign_trace_its_facts() {
    let place = Place::new();
    let (path, model) = (fixture("onnxruntime/1.31.1/cnn.json"), model("cnn"));
    let bare = summary(&place, &[&path]);
    assert_eq!(bare["model"].get("flops"), Some(&serde_json::Value::Null));
    let joined = place.run(&["summary", &path, "--model", &model, "--all", "--format", "json"]);
    assert!(joined.err.is_empty(), "{}", joined.err);
    let joined = json(&joined.out);
    let own = json(&place.succeed(&["flops", &model, "--all", "--format", "json"]));
    let is_of = |row: &serde_json::Value, kind: &str| row["type"].as_str().unwrap().contains(kind);
    let sum = |summary: &serde_json::Value, kind: &str| -> f64 {
        let rows = summary["operators"].as_array().unwrap().iter().filter(|row| is_of(row, kind));
        // Helpers of a node, such as its padding, have no weight.
        rows.filter_map(|row| row["weight_shape"].as_str())
            .map(|shape| shape.split('x').map(|size| size.parse::<f64>().unwrap()).product::<f64>())
            .sum()
    };
    // Every convolution of the model was found, fused or not, with its weight.
    assert_eq!(sum(&joined, "Conv"), sum(&own, "Conv"));
    let notes = joined["notes"].as_array().unwrap();
    let texts: Vec<&str> = notes.iter().filter_map(|note| note["text"].as_str()).collect();
    assert!(
        texts
            .iter()
            .any(|text| text.contains("5 operators of the trace have no node in the model")),
        "{texts:?}"
    );
    // Every node is one that ran, was fused, or was folded.
    assert!(!texts.iter().any(|text| text.contains("have no operator in the trace")), "{texts:?}");
    let fused = joined["operators"].as_array().unwrap();
    let fused = fused.iter().find(|row| row["type"] == "FusedConv").unwrap();
    assert_eq!(fused["node_types"], "Conv + Relu", "the type is that of what ran");
}

/// Magnitudes in a recording by name of the weight, where they are known.
fn magnitudes(recording: &Path) -> BTreeMap<String, serde_json::Value> {
    let recording = json(&fs::read_to_string(recording).unwrap());
    let events = recording["traceEvents"].as_array().unwrap();
    let weights = events.iter().map(|event| &event["args"]["facts"]["weight"]);
    let known = weights.filter(|weight| weight["magnitudes"].is_array());
    known.map(|w| (w["name"].as_str().unwrap().to_string(), w["magnitudes"].clone())).collect()
}

#[test]
fn magnitudes_come_with_a_recording_and_with_a_model() {
    let place = Place::new();
    let model = model("cnn");
    recorded(&place, "cnn", "out");
    let trace = &place.traces("out")[0];
    let known = magnitudes(trace);
    assert!(known.len() >= 22, "{}", known.len());
    place.succeed(&["convert", trace.to_str().unwrap(), "-o", "again.json"]);
    assert_eq!(magnitudes(&place.path("again.json")), known);
    let foreign = fixture("onnxruntime/1.31.1/cnn.json");
    place.succeed(&["convert", &foreign, "-o", "bare.json"]);
    assert!(magnitudes(&place.path("bare.json")).is_empty());
    place.succeed(&["convert", &foreign, "--model", &model, "-o", "joined.json"]);
    assert_eq!(magnitudes(&place.path("joined.json")), known);
}

#[test]
fn other_tools_find_the_same_totals_in_what_is_converted() {
    let place = Place::new();
    for name in ["onnxruntime/1.31.1/loop.json", "pytorch/2.5.1/cuda.json"] {
        let path = fixture(name);
        for file in ["out.parquet", "out.arrow", "out.csv"] {
            place.succeed(&["convert", &path, "-o", file, "--force"]);
        }
        let script = "
import json, duckdb, pandas, polars
def totals(rows):
    return {name: int(total) for name, total in rows}
query = 'select name, sum(exclusive_ns) from {} group by name'
found = {
    'duckdb': totals(duckdb.sql(query.format(\"'out.parquet'\")).fetchall()),
    'duckdb, csv': totals(duckdb.sql(query.format(\"'out.csv'\")).fetchall()),
    'pandas': totals(pandas.read_parquet('out.parquet').groupby('name')['exclusive_ns'].sum().items()),
    'polars': totals(polars.read_parquet('out.parquet').group_by('name').agg(polars.col('exclusive_ns').sum()).rows()),
    'polars, arrow': totals(polars.read_ipc('out.arrow').group_by('name').agg(polars.col('exclusive_ns').sum()).rows()),
}
operators = duckdb.sql(\"select count(*) from 'out.operators.parquet'\").fetchall()[0][0]
print(json.dumps({'found': found, 'operators': operators}))
";
        let output = Command::new(python())
            .args(["-c", script])
            .current_dir(place.path("."))
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "this test needs a Python with duckdb, pandas, polars and pyarrow (.ci/test makes one, \
             ONNXRAY_PYTHON names it): {}",
            String::from_utf8_lossy(&output.stderr)
        );
        let said = json(&String::from_utf8(output.stdout).unwrap());
        // In the files, what ran on a device stands beside what launched it.
        let kernels = summary(&place, &[&path, "--level", "kernel"]);
        let operators = kernels["kernels"].as_array().unwrap().clone();
        assert_eq!(said["operators"], operators.len());
        for (tool, totals) in said["found"].as_object().unwrap() {
            for operator in &operators {
                let name = operator["name"].as_str().unwrap();
                let of = |key| number(operator, key).unwrap_or(0.0) * 1e6;
                let total = of("total_ms") + of("device_total_ms");
                let found = totals[name].as_u64().unwrap_or(0);
                // Executions outside of iterations are in the file, not in the figures.
                let inside = name_is_inside(&place, name);
                assert!(
                    !inside || (found as f64 - total).abs() < 0.5,
                    "{tool}: {name}: {found} is not {total}"
                );
            }
        }
    }
}

/// Whether all executions of an operator lie in iterations.
fn name_is_inside(place: &Place, name: &str) -> bool {
    let mut rows = csv::Reader::from_path(place.path("out.csv")).unwrap();
    let headers = rows.headers().unwrap().clone();
    let column = |key: &str| headers.iter().position(|header| header == key).unwrap();
    let (names, iterations) = (column("name"), column("iteration"));
    rows.records().all(|row| {
        let row = row.unwrap();
        &row[names] != name || !row[iterations].is_empty()
    })
}

#[test]
fn every_trace_becomes_a_workbook() {
    let place = Place::new();
    for producer in PRODUCERS {
        let mut paths = of_producer(producer);
        // Some are made to hold nothing of use.
        paths.retain(|path| {
            let summary = summary(&place, &[path.to_str().unwrap()]);
            !summary["operators"].as_array().unwrap().is_empty()
        });
        place.succeed(&["report", paths[0].to_str().unwrap(), "-o", "report.xlsx", "--force"]);
        crate::formulas::no_formula_but_ours(&place.path("report.xlsx"));
    }
}

/// As chrome://tracing and Perfetto take it: numbers for processes and threads, and names
/// beside them.
#[test]
fn converted_traces_open_in_viewers_and_read_back_the_same() {
    let place = Place::new();
    for producer in PRODUCERS {
        for path in of_producer(producer) {
            let path = path.to_str().unwrap();
            place.succeed(&["convert", path, "-o", "c.json", "--force"]);
            let trace = json(&fs::read_to_string(place.path("c.json")).unwrap());
            let events = trace["traceEvents"].as_array().unwrap();
            assert!(events.iter().all(|e| e["pid"].is_i64() && e["tid"].is_i64()), "{path}");
            let of = |name: &'static str| events.iter().filter(move |event| event["name"] == name);
            let titled: Vec<_> = of("process_name").map(|event| &event["pid"]).collect();
            for event in events {
                assert!(titled.contains(&&event["pid"]), "{path}: {event}");
            }
            assert!(of("process_name").all(|e| !e["args"]["name"].as_str().unwrap().is_empty()));
            // Levels and figures are the same; only what the recording itself says differs.
            let figures = |path: &str| {
                let mut summary = summary(&place, &[path]);
                let told = ["model", "notes"].map(|key| summary[key].take());
                let latency = told[0]["latency_median_ms"].clone();
                (latency, summary)
            };
            assert_eq!(figures("c.json"), figures(path), "{path}");
        }
    }
    // The source's own numbers and names, where it has them.
    place.succeed(&["convert", &fixture("pytorch/2.5.1/cuda.json"), "-o", "cuda.json"]);
    let (source, ours) = (fixture("pytorch/2.5.1/cuda.json"), place.path("cuda.json"));
    let lanes = |path: &Path, is_execution: fn(&serde_json::Value) -> bool| {
        let trace = json(&fs::read_to_string(path).unwrap());
        let mut lanes: Vec<(i64, i64)> = trace["traceEvents"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|event| is_execution(event))
            .map(|event| (event["pid"].as_i64().unwrap(), event["tid"].as_i64().unwrap()))
            .collect();
        lanes.sort_unstable();
        lanes.dedup();
        lanes
    };
    assert_eq!(
        lanes(&ours, |event| event["args"]["op"].is_u64()),
        lanes(Path::new(&source), |event| event["cat"] == "cpu_op"
            || event["cat"] == "kernel"
            || event["cat"] == "gpu_memcpy")
    );
    let text = fs::read_to_string(&ours).unwrap();
    assert!(
        text.contains(
            r#"{"args":{"name":"python3 (CPU)"},"name":"process_name","ph":"M","pid":4000"#
        )
    );
    assert!(
        text.contains(r#""name":"thread 7 (python3)"},"name":"thread_name""#),
        "{}",
        &text[..3000]
    );
}

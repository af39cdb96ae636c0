//! Time on devices, at the operators that launched it: PyTorch's traces have two clocks.

use crate::program::{Place, fixture_file};
use serde_json::{Map, Value};
use std::path::PathBuf;
use std::process::Command;

/// Traces of devices, and those of the files in the environment variable ONNXRAY_TRACES, parted
/// by colons.
fn traces() -> Vec<PathBuf> {
    let fixtures = [
        "pytorch/2.5.1/cuda.json",
        "pytorch/2.5.1/rocm.json",
        "pytorch/2.5.1/accelerator.json",
        "pytorch/1.8.1/old.json",
    ];
    let more = std::env::var("ONNXRAY_TRACES").unwrap_or_default();
    let more = more.split(':').filter(|path| !path.is_empty()).map(PathBuf::from);
    fixtures.into_iter().map(fixture_file).chain(more).collect()
}

fn summary(place: &Place, file: &str, level: &str) -> Value {
    let shown = place.run(&["summary", file, "--level", level, "--format", "json", "--all"]);
    serde_json::from_str(&shown.out).unwrap_or_else(|_| panic!("{file}: {}", shown.err))
}

fn rows<'a>(summary: &'a Value, table: &str) -> &'a [Value] {
    summary[table].as_array().unwrap()
}

fn sum(rows: &[Value], key: &str) -> f64 {
    rows.iter().filter_map(|row| row[key].as_f64()).sum()
}

#[test]
fn sums_by_operator_are_those_of_a_reader_that_follows_correlations() {
    let place = Place::new();
    let reader = fixture_file("../tests/readers/pytorch.py");
    let mut all = 0;
    for trace in traces() {
        let output = Command::new("python3").arg(&reader).arg("--launched").arg(&trace).output();
        let output = output.expect("this test needs python3");
        let expected: Map<String, Value> = serde_json::from_slice(&output.stdout).unwrap();
        let file = trace.display().to_string();
        let found = summary(&place, &file, "operator");
        let mut compared = 0;
        for row in rows(&found, "operators") {
            let name = row["name"].as_str().unwrap();
            let ns = |key: &str| (row[key].as_f64().unwrap_or(0.0) * 1e6).round() as i64;
            let own = (ns("total_ms"), ns("device_total_ms"));
            let known = |key: &str| expected.get(name).map_or(0, |of| of[key].as_i64().unwrap());
            assert_eq!(own, (known("host_ns"), known("device_ns")), "{name} of {file}");
            compared += usize::from(expected.contains_key(name));
        }
        assert_eq!(compared, expected.len(), "{file}");
        all += compared;
    }
    assert!(all > 10, "{all}");
}

#[test]
fn shares_are_whole_on_each_clock() {
    let place = Place::new();
    for (level, table) in
        [("type", "operator_types"), ("operator", "operators"), ("kernel", "kernels")]
    {
        for trace in ["pytorch/2.5.1/cuda.json", "pytorch/2.5.1/rocm.json"] {
            let found = summary(&place, &fixture_file(trace).display().to_string(), level);
            let rows = rows(&found, table);
            for share in ["share", "device_share"] {
                assert!((sum(rows, share) - 1.0).abs() < 1e-9, "{share} of {level} of {trace}");
            }
            let names: Vec<&str> = rows.iter().filter_map(|row| row["type"].as_str()).collect();
            assert!(!names.contains(&"concurrent") && !names.contains(&"framework overhead"));
            // What was launched is not beside what launched it, but below.
            assert_eq!(names.contains(&"kernel"), level == "kernel", "{level}");
        }
    }
}

/// The model's row of a profile of ONNX Runtime: two runs of 1.200 ms, of which the host works
/// 0.054, and a GPU 0.904 beside it.
#[test]
fn what_the_device_does_is_no_overhead_of_the_framework() {
    let place = Place::new();
    let mut events = Vec::new();
    for begin in [1000, 6000] {
        let mut add = |category: &str, pid: i32, name: &str, at: u32, time: u32, of: &str| {
            events.push(serde_json::json!({
                "cat": category, "pid": pid, "tid": pid, "ts": begin + at, "dur": time,
                "ph": "X", "name": name, "args": {"op_name": of},
            }));
        };
        add("Node", 7, "Add_0_kernel_time", 10, 24, "Add");
        add("Kernel", -1, "elementwise", 20, 4, "Add");
        add("Node", 7, "MatMul_1_kernel_time", 40, 30, "MatMul");
        add("Kernel", -1, "sgemm", 60, 900, "MatMul");
        add("Session", 7, "model_run", 0, 1200, "");
    }
    std::fs::write(place.path("gpu.json"), Value::from(events).to_string()).unwrap();
    let model = &summary(&place, "gpu.json", "model")["model"];
    let is = |key: &str, expected: f64| {
        let found = model[key].as_f64().unwrap_or(f64::NAN);
        assert!((found - expected).abs() < 1e-9, "{key}: {found}");
    };
    is("latency_median_ms", 1.2);
    is("operators_mean_ms", 0.054);
    is("device_mean_ms", 0.904);
    // The second kernel runs on for 0.890 ms behind its node; nobody works for the rest.
    is("devices_alone_mean_ms", 0.890);
    is("overhead_mean_ms", 0.256);
    is("typical_mean_ms", 1.2);
    let checked = place.run(&["check", "gpu.json"]);
    assert!(checked.out.contains("operators + overhead = wall time"), "{}", checked.out);
    let types = summary(&place, "gpu.json", "type");
    let of = |name: &str| {
        let row = rows(&types, "operator_types").iter().find(|row| row["type"] == name);
        row.and_then(|row| row["device_ms"].as_f64()).unwrap()
    };
    assert_eq!((of("MatMul"), of("Add")), (0.9, 0.004));
}

//! Peak rates of the machine, which are measured before the first launch.

use crate::program::{Place, json, model};
use crate::script::Script;
use serde_json::{Value, json as object};
use std::fs;

fn roofs_of(place: &Place, out: &str) -> Vec<Value> {
    let traces = place.traces(out).into_iter();
    traces.map(|trace| json(&fs::read_to_string(trace).unwrap())["roofs"].clone()).collect()
}

#[test]
fn the_first_launch_measures_them_unless_told_otherwise() {
    let place = Place::new();
    let script = Script::new(&place, object!({"cnn.onnx": {"operator_ns": 10_000}}), &[]);
    let path = place.path("script.json");
    let mut written = json(&fs::read_to_string(&path).unwrap());
    let rates = object!({
        "threads": 1, "isa": "AVX2",
        "arithmetic": [{"type": "fp32", "gflops": 1e6}],
        "bandwidth": [{"level": "memory", "bytes": null, "gb_per_second": 1e6}]
    });
    written["roofs"] = rates.clone();
    fs::write(&path, written.to_string()).unwrap();
    let cnn = model("cnn");
    let record = |out: &str, more: &[&str]| {
        let usual = ["record", &cnn, "--launches", "2", "--iterations", "3", "--warmup", "0"];
        script.succeed(&[&usual, &["--out", out][..], more].concat());
        roofs_of(&place, out)
    };
    let [first, second] = &record("out", &[])[..] else { panic!("two launches") };
    assert_eq!(
        (&first["arithmetic"], &first["bandwidth"]),
        (&rates["arithmetic"], &rates["bandwidth"])
    );
    assert!(second.is_null(), "{second}");
    assert_eq!(record("without", &["--no-roofs"]), [Value::Null, Value::Null]);
    // A kernel does 10 µs whatever it computes: some are far from a million GFLOP/s.
    let summary = json(&place.succeed(&["summary", "out", "--all", "--format", "json"]));
    assert!(summary["model"]["to_gain_ms"].as_f64().unwrap() > 0.0);
}

#[test]
fn a_machine_tells_its_rates_or_why_it_does_not() {
    let place = Place::new();
    place.succeed(&["record", &model("cnn"), "--iterations", "2", "--warmup", "0", "--out", "out"]);
    let [roofs] = &roofs_of(&place, "out")[..] else { panic!("one launch") };
    if roofs["unknown"].is_string() {
        return;
    }
    assert!(roofs["arithmetic"][0]["gflops"].as_f64().unwrap() > 0.0, "{roofs}");
    let levels = roofs["bandwidth"].as_array().unwrap();
    assert_eq!(levels.last().unwrap()["level"], "memory");
}

/// Beside other programs all iterations are longer: one thread takes its CPU time by itself.
#[test]
fn no_more_is_to_gain_than_the_cpu_time_of_one_thread() {
    let place = Place::new();
    let script = Script::new(&place, object!({"cnn.onnx": {"operator_ns": 100_000}}), &[]);
    let path = place.path("script.json");
    let mut written = json(&fs::read_to_string(&path).unwrap());
    written["roofs"] = object!({
        "threads": 1,
        "arithmetic": [{"type": "fp32", "gflops": 1e6}],
        "bandwidth": [{"level": "memory", "bytes": null, "gb_per_second": 1e6}]
    });
    fs::write(&path, written.to_string()).unwrap();
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
    let gain = |place: &Place| {
        let figures = place.figures("out");
        ["to_gain_ms", "cpu_time_ms"].map(|key| figures["model"][key].as_f64().unwrap())
    };
    let [before, _] = gain(&place);
    let trace = &place.traces("out")[0];
    let mut edited = json(&fs::read_to_string(trace).unwrap());
    let times = edited["costs"]["starts"][0]["blocks"]["cpu_times"].as_array_mut().unwrap();
    times.iter_mut().for_each(|time| *time = (time.as_u64().unwrap() / 64).into());
    fs::write(trace, edited.to_string()).unwrap();
    let [gain, cpu_time] = gain(&place);
    assert!(gain <= cpu_time && gain > 0.0 && before > cpu_time, "{before}: {gain} {cpu_time}");
}

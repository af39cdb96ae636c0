//! The machine's peak rates, and what operators reach of them.

use crate::json_schemas::valid;
use crate::program::{Place, json};
use crate::recordings::recorded;
use serde_json::{Value, json as object};
use std::fs;

/// Puts what it measured of the machine into a recording.
fn recorded_with(place: &Place, name: &str, roofs: &Value) {
    recorded(place, name, "out");
    let path = &place.traces("out")[0];
    let trace = fs::read_to_string(path).unwrap();
    let (events, completed) = trace.rsplit_once(",\"completed\":").unwrap();
    fs::write(path, format!("{events},\"roofs\":{roofs},\"completed\":{completed}")).unwrap();
}

fn roofs(gflops: f64, cache: f64, memory: f64) -> Value {
    object!({
        "threads": 1, "isa": "AVX2",
        "arithmetic": [
            {"type": "fp32", "gflops": gflops},
            {"type": "s8", "gflops": null, "unknown": "not here"}
        ],
        "bandwidth": [
            {"level": "L2", "bytes": CACHE, "gb_per_second": cache},
            {"level": "memory", "bytes": null, "gb_per_second": memory}
        ]
    })
}

const CACHE: u64 = 30_000;
const ALL: [&str; 5] = ["summary", "out", "--all", "--format", "json"];

fn numbers<'a>(rows: &'a Value, key: &'a str) -> impl Iterator<Item = Option<f64>> + 'a {
    rows.as_array().unwrap().iter().map(move |row| row[key].as_f64())
}

/// Bytes of an operator's tensors: all are of 4 bytes an element, or of 8.
fn sizes<'a>(row: &'a Value, side: &str) -> impl Iterator<Item = f64> + 'a {
    let list = |key: String| row[key.as_str()].as_str().unwrap_or_default().split("; ");
    let shapes = list(format!("{side}_shapes"));
    let elements = shapes
        .map(|shape| shape.split('x').map(|n| n.parse::<f64>().unwrap_or(1.0)).product::<f64>());
    let of_type = |name: &str| if name == "s64" { 8.0 } else { 4.0 };
    let types = list(format!("{side}_types"));
    let names = list(format!("{side}s"));
    let mut seen = Vec::new();
    let each = names.zip(types.zip(elements)).filter(move |(name, _)| {
        let is_new = !seen.contains(name);
        seen.push(*name);
        is_new
    });
    each.map(move |(_, (name, elements))| of_type(name) * elements)
}

#[test]
fn operators_say_what_they_reach_and_what_there_is_to_gain() {
    let place = Place::new();
    recorded_with(&place, "encoder", &roofs(400.0, 200.0, 50.0));
    let summary = valid("summary", &place.succeed(&ALL));
    let mut bounds: Vec<&str> = Vec::new();
    let of_model = |key: &str| summary["model"][key].as_f64().unwrap();
    let scale = (of_model("latency_median_ms") / of_model("typical_mean_ms")).min(1.0);
    let mut roofs_together = 0.0;
    for row in summary["operators"].as_array().unwrap() {
        let Some(share) = row["roof_share"].as_f64() else { continue };
        let [flops, bytes, mean, median] =
            ["flops", "bytes", "time_ms", "time_median_ms"].map(|key| row[key].as_f64().unwrap());
        // In nanoseconds. A tensor is in the cache as far as that holds it.
        let computing = flops / 400.0;
        let cached = |size: f64| size.min(CACHE as f64);
        let moving = |size: f64| cached(size) / 200.0 + (size - cached(size)) / 50.0;
        let tensors: Vec<f64> = sizes(row, "input").chain(sizes(row, "output")).collect();
        let all: f64 = tensors.iter().sum();
        let reading = tensors.iter().copied().map(moving).sum::<f64>() + moving(bytes - all);
        // No operator of this recording was faster.
        let roof = computing.max(reading) / 1e6;
        roofs_together += roof;
        // Load is in the mean.
        let takes = (mean.min(median) * scale).max(roof);
        assert!((share * takes - roof).abs() < 1e-9, "{row}");
        assert!((row["to_gain_ms"].as_f64().unwrap() - (takes - roof)).abs() < 1e-9);
        let largest = tensors.iter().fold(bytes - all, |largest, &size| largest.max(size));
        let bound = match (computing >= reading, largest <= CACHE as f64) {
            (true, _) => "arithmetic",
            (false, true) => "L2",
            (false, false) => "memory",
        };
        assert_eq!(row["roof"], bound, "{row}");
        bounds.push(bound);
    }
    for bound in ["arithmetic", "L2", "memory"] {
        assert!(bounds.contains(&bound), "{bounds:?}");
    }
    // What moves data has none, nor has what the trace does not know the bytes of.
    let rows = summary["operators"].as_array().unwrap().iter();
    let without = rows.filter(|row| row["flops"] == 0.0 || row["bytes"].is_null());
    assert!(without.clone().count() > 0);
    assert!(without.clone().all(|row| row["roof_share"].is_null() && row["to_gain_ms"].is_null()));
    // Where FLOPs are, the reason stands in the column of the roof.
    let mut with_flops =
        without.filter(|row| row["flops"].as_f64().is_some_and(|flops| flops > 0.0));
    assert!(with_flops.all(|row| row["roof"].as_str().unwrap().starts_with("unknown: ")));
    // Parts add up to the whole.
    let sum = |key: &str| numbers(&summary["operators"], key).flatten().sum::<f64>();
    let model = &summary["model"];
    assert!((model["to_gain_ms"].as_f64().unwrap() - sum("to_gain_ms")).abs() < 1e-9);
    let percent = roofs_together / (roofs_together + sum("to_gain_ms")) * 100.0;
    assert!((model["roof_share_percent"].as_f64().unwrap() - percent).abs() < 1e-9);
    let rates: Vec<Option<f64>> = numbers(&summary["roofs"], "rate").collect();
    assert_eq!(rates, [Some(400.0), None, Some(200.0), Some(50.0)]);
    // A type whose operators all have one: theirs, added up.
    let softmax = |row: &&Value| row["type"] == "Softmax";
    let of_type = summary["operator_types"].as_array().unwrap().iter().find(softmax).unwrap();
    let own = summary["operators"].as_array().unwrap().iter().filter(softmax);
    let gain: f64 = own.map(|row| row["to_gain_ms"].as_f64().unwrap()).sum();
    assert!((of_type["to_gain_ms"].as_f64().unwrap() - gain).abs() < 1e-9);

    let by_gain = ["summary", "out", "--level", "operator", "--sort", "gain", "--format", "json"];
    let by_gain = json(&place.succeed(&by_gain));
    let gains: Vec<f64> =
        numbers(&by_gain["operators"], "to_gain_ms").map(|gain| gain.unwrap_or(-1.0)).collect();
    assert!(gains.is_sorted_by(|more, less| more >= less) && gains[0] > 0.0, "{gains:?}");
    let screen = place.succeed(&["summary", "out"]);
    let line = screen.lines().find(|line| line.starts_with("Roof ")).unwrap();
    let begins = "400 GFLOP/s fp32 (AVX2, 1 thread)";
    assert!(line[4..].trim_start().starts_with(begins), "{line}");
    // A narrow screen has room for it, as for what there is to gain.
    let reached = format!("{percent:.0} % reached undisturbed; ");
    let (_, gain) = line.split_once(&reached).unwrap_or_else(|| panic!("{line}"));
    assert!(gain.contains(" to gain"), "{line}");
    assert!(screen.contains("Of roof"), "{screen}");
    // The page says the same, in milliseconds.
    place.succeed(&["report", "out", "-o", "out.html"]);
    let page = fs::read_to_string(place.path("out.html")).unwrap();
    assert!(page.contains(&format!("Roof: {begins}, 50.0 GB/s memory: {reached}")));
}

/// Iterations with the profiler that load made longer: what there is to gain is of the latency.
#[test]
fn no_more_is_to_gain_than_the_latency() {
    let place = Place::new();
    recorded_with(&place, "encoder", &roofs(1e6, 1e6, 1e6));
    let path = &place.traces("out")[0];
    let mut trace: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let mut shortened = 0;
    for event in trace["traceEvents"].as_array_mut().unwrap() {
        if event["cat"] == "plain_iteration" {
            event["dur"] = (event["dur"].as_f64().unwrap() / 64.0).round().into();
            shortened += 1;
        }
    }
    assert!(shortened > 0);
    fs::write(path, trace.to_string()).unwrap();
    let summary = valid("summary", &place.succeed(&ALL));
    let [gain, latency, mean] = ["to_gain_ms", "latency_median_ms", "typical_mean_ms"]
        .map(|key| summary["model"][key].as_f64().unwrap());
    assert!(latency < mean / 2.0, "{latency} {mean}");
    assert!(gain > 0.0 && gain <= latency, "{gain} {latency}");
    let parts: f64 = numbers(&summary["operators"], "to_gain_ms").flatten().sum();
    assert!((gain - parts).abs() < 1e-9, "{gain} {parts}");
}

#[test]
fn what_is_faster_than_its_roof_says_so() {
    let place = Place::new();
    recorded_with(&place, "encoder", &roofs(1.0, 200.0, 50.0));
    let summary = valid("summary", &place.succeed(&ALL));
    let rows = summary["operators"].as_array().unwrap().iter();
    let exceeded: Vec<&Value> =
        rows.filter(|row| row["roof"] == "exceeded: measured too low").collect();
    assert!(!exceeded.is_empty());
    assert!(exceeded.iter().all(|row| row["roof_share"].is_null() && row["to_gain_ms"].is_null()));
    assert_eq!(summary["model"]["roof_exceeded"], exceeded.len());
    let notes = summary["notes"].to_string();
    assert!(notes.contains("roof exceeded by ") && notes.contains("measured too low"), "{notes}");
    assert!(numbers(&summary["operators"], "roof_share").flatten().all(|share| share <= 1.0));
}

#[test]
fn rates_that_cannot_be_are_unknown() {
    let place = Place::new();
    recorded_with(&place, "encoder", &roofs(-1.0, 200.0, 50.0));
    let summary = json(&place.succeed(&ALL));
    assert!(summary["notes"].to_string().contains("arithmetic"), "{}", summary["notes"]);
    // Nothing of the operators is known, so they have no columns for it.
    assert!(summary["operators"][0].get("roof_share").is_none());
    assert!(summary["model"]["roof_share_percent"].is_null());
    let reason = "the container allows 0.5 cores to 1 thread: the roofs would be too low";
    recorded_with(&place, "encoder", &object!({ "unknown": reason }));
    let summary = json(&place.succeed(&ALL));
    assert_eq!(summary["model"]["roof_unknown"], reason);
    assert!(summary["model"]["to_gain_ms"].is_null());
}

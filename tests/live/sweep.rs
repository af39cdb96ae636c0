//! `onnxray sweep`: which configurations it measures, in which order, and what it says of
//! them.

use crate::json_schemas::valid;
use crate::listed_profiles::{is_close, listed, names, number};
use crate::onnx_file::{FLOAT, model as onnx, node, value};
use crate::program::{Finished, Place, json, model};
use crate::script::Script;
use serde_json::{Value, json as object};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::thread::available_parallelism;

/// Two configurations of a small model, in the folder `s`.
pub(crate) const SMALL: [&str; 8] =
    ["--dim", "frames=4,8", "--iterations", "20", "--profiles", "s", "--format", "json"];

/// Sweeps two configurations of `scan`, or whatever `path` is a copy of.
pub(crate) fn sweep(place: &Place, path: &str, more: &[&str]) -> Finished {
    place.run(&[&["sweep", path], &SMALL[..], more].concat())
}

/// The report of a sweep that succeeds.
pub(crate) fn swept(place: &Place, more: &[&str]) -> Value {
    let finished = sweep(place, &model("scan"), more);
    assert_eq!(finished.code, Some(0), "{more:?}: {}", finished.err);
    valid("sweep", &finished.out)
}

pub(crate) fn rows<'a>(report: &'a Value, table: &str) -> Vec<&'a Value> {
    report[table].as_array().into_iter().flatten().collect()
}

/// Names of the points, and launches or rounds of each.
pub(crate) fn points(report: &Value) -> Vec<(String, u64)> {
    let named =
        |row: &&Value| (row["name"].as_str().unwrap().to_string(), row["rounds"].as_u64().unwrap());
    rows(report, "points").iter().map(named).collect()
}

/// The journal without its first line.
pub(crate) fn done(place: &Place) -> Vec<String> {
    let journal = fs::read_to_string(place.path("s/onnxray.sweep.jsonl")).unwrap_or_default();
    journal.lines().skip(1).map(str::to_string).collect()
}

pub(crate) fn trace(path: &Path) -> Value {
    json(&fs::read_to_string(path).unwrap())
}

/// Times of the unprofiled iterations of some traces, in milliseconds.
fn plain_times(traces: &[Value]) -> Vec<f64> {
    let events = traces.iter().flat_map(|trace| trace["traceEvents"].as_array().unwrap());
    let plain = events.filter(|event| event["cat"] == "plain_iteration");
    plain.map(|event| event["dur"].as_f64().unwrap() / 1e3).collect()
}

/// A quantile, between the two values next to it.
fn quantile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = (sorted.len() - 1) as f64 * share;
    let (low, part) = (place.floor() as usize, place.fract());
    let next = sorted[(low + 1).min(sorted.len() - 1)];
    sorted[low] + (next - sorted[low]) * part
}

/// A point says what its traces say, computed once more, and what a summary of them says.
fn check_point(place: &Place, point: &Value) {
    let name = point["name"].as_str().unwrap();
    let traces: Vec<Value> =
        place.traces(&format!("s/{name}")).iter().map(|path| trace(path)).collect();
    let instances = point["instances"].as_u64().unwrap();
    assert_eq!(traces.len() as u64, instances * point["rounds"].as_u64().unwrap(), "{name}");
    let times = plain_times(&traces);
    for (share, key) in [(0.5, "latency_p50_ms"), (0.9, "latency_p90_ms"), (0.99, "latency_p99_ms")]
    {
        assert!(is_close(number(point, key), quantile(&times, share)), "{key}: {point}");
    }
    let figures = &place.figures(&format!("s:{name}"))["model"];
    assert_eq!(figures["profile"], name);
    let file = figures["model"].as_str().unwrap();
    assert!(point["model"].as_str().unwrap().starts_with(file), "{point}");
    assert!(is_close(number(point, "latency_p50_ms"), number(figures, "latency_median_ms")));
    for key in ["batch_size", "threads"] {
        assert_eq!(point[key].as_u64(), figures[key].as_u64(), "{name}: {key}");
    }
    let throughput = number(point, "throughput_per_second");
    match instances {
        1 => {
            let batch = point["batch_size"].as_f64().unwrap_or(1.0);
            let latency = number(point, "latency_p50_ms");
            assert!(is_close(throughput * latency / 1e3, batch), "{point}");
            assert_eq!(figures["instances"].as_u64().unwrap_or(1), 1);
        }
        _ => {
            let together = number(figures, "instances_throughput_items_per_second");
            assert!(is_close(throughput, together), "{point}");
            assert_eq!(figures["instances"], instances);
        }
    }
}

#[test]
fn every_combination_is_a_profile_or_has_a_reason() {
    let place = Place::new();
    let cnn = model("cnn");
    let cores = available_parallelism().unwrap().get() as u64;
    let many = 4 * cores + 1;
    let threads = format!("1,{many}");
    // Instances measure at the same time, whatever the system does.
    let times = object!({"cnn.onnx": {"operator_ns": 10_000, "noise": 0.1}});
    let script = Script::new(&place, times, &[]);
    let axes = ["sweep", &cnn, "--batch-sizes", "1,2", "--threads", &threads, "--instances", "1,2"];
    let more = ["--rounds", "2", "--iterations", "50", "--profiles", "s", "--format", "json"];
    let report = valid("sweep", &script.succeed(&[&axes[..], &more].concat()));
    let (mut measured, mut skipped) = (BTreeSet::new(), BTreeSet::new());
    for (batch, threads) in [(1, 1), (1, many), (2, 1), (2, many)] {
        for instances in [1, 2] {
            match threads * instances <= cores {
                true => measured.insert(format!("cnn-b{batch}-t{threads}-i{instances}")),
                false => skipped.insert((batch, threads, instances)),
            };
        }
    }
    let found = points(&report);
    assert_eq!(found.iter().map(|(name, _)| name.clone()).collect::<BTreeSet<_>>(), measured);
    assert_eq!(found.len(), measured.len(), "none is there twice");
    assert!(found.iter().all(|(_, rounds)| *rounds == 2), "{found:?}");
    let reasons = rows(&report, "skipped");
    let key = |row: &&Value| {
        let [batch, threads, instances] =
            ["batch_size", "threads", "instances"].map(|key| row[key].as_u64().unwrap());
        (batch, threads, instances)
    };
    assert_eq!(reasons.iter().map(key).collect::<BTreeSet<_>>(), skipped);
    for row in &reasons {
        let (_, threads, instances) = key(row);
        let needed = format!("need {} cores, and there", threads * instances);
        assert!(row["reason"].as_str().unwrap().contains(&needed), "{row}");
    }
    let profiles = listed(&place, "s");
    let kept: BTreeSet<String> = names(&profiles).into_iter().map(str::to_string).collect();
    let flops = BTreeSet::from(["FLOPS".to_string()]);
    assert_eq!(kept, measured.union(&flops).cloned().collect::<BTreeSet<String>>());
    for point in rows(&report, "points") {
        check_point(&place, point);
        let row = profiles.iter().find(|row| row["profile"] == point["name"]).unwrap();
        assert!(is_close(number(row, "latency_p50_ms"), number(point, "latency_p50_ms")));
        assert!(is_close(number(row, "items_per_second"), number(point, "throughput_per_second")));
        assert_eq!(row["rounds"], point["rounds"]);
    }
    // The best is the best.
    let rate = |row: &&&Value| number(row, "throughput_per_second");
    let all = rows(&report, "points");
    let best = all.iter().max_by(|a, b| rate(a).total_cmp(&rate(b))).unwrap();
    assert_eq!(rows(&report, "best_points")[0]["best_throughput"], best["name"]);
}

#[test]
fn sizes_that_a_model_does_not_have_are_reasons() {
    let place = Place::new();
    let shape = &[2, 2];
    let (input, output) = (value("x", FLOAT, shape), value("y", FLOAT, shape));
    let relu = onnx(vec![node("Relu", "/relu", &["x"], &["y"])], vec![], vec![input], vec![output]);
    let fixed = place.write("fixed.onnx", &relu).display().to_string();
    let sweep = |models: &[&str], sizes: &str, project: &str| {
        let more = ["--batch-sizes", sizes, "--rounds", "1", "--iterations", "20"];
        let end = ["--profiles", project, "--format", "json"];
        place.run(&[&["sweep"][..], models, &more, &end].concat())
    };
    let both = sweep(&[&fixed, &model("cnn")], "1,2", "both");
    assert_eq!(both.code, Some(0), "{}", both.err);
    let report = valid("sweep", &both.out);
    let found: Vec<String> = points(&report).into_iter().map(|(name, _)| name).collect();
    assert_eq!(found, ["fixed-b2-t1-i1", "cnn-b1-t1-i1", "cnn-b2-t1-i1"]);
    let skipped = rows(&report, "skipped");
    assert_eq!((skipped.len(), &skipped[0]["batch_size"]), (1, &1.into()));
    let reason = skipped[0]["reason"].as_str().unwrap();
    assert!(reason.ends_with("batch size is fixed to 2, 1 was asked for"), "{reason}");
    let none = sweep(&[&fixed], "1,3", "none");
    assert_eq!((none.code, none.out.as_str()), (Some(1), ""));
    assert!(none.err.starts_with("error: no configuration can be measured"), "{}", none.err);
    assert!(none.err.contains("fixed to 2"), "{}", none.err);
    assert!(!place.path("none").exists(), "a failed run leaves nothing behind");
}

#[test]
fn a_round_runs_all_points_before_the_next_one_in_another_order() {
    let place = Place::new();
    let scan = model("scan");
    let sizes = ["sweep", &scan, "--dim", "frames=1,2,3,4,5,6", "--iterations", "5"];
    let more = ["--rounds", "3", "--profiles", "s", "--format", "json"];
    let report = json(&place.succeed(&[&sizes[..], &more].concat()));
    let mut launches = Vec::new();
    for (name, rounds) in points(&report) {
        assert_eq!(rounds, 3, "{name}");
        for path in place.traces(&format!("s/{name}")) {
            let run = trace(&path)["otherData"].clone();
            let origin = run["clock_origin"].as_u64().unwrap();
            launches.push((origin, run["launch"].as_u64().unwrap(), name.clone()));
        }
    }
    launches.sort();
    let rounds: Vec<u64> = launches.iter().map(|(_, launch, _)| *launch).collect();
    assert_eq!(rounds, [[0; 6], [1; 6], [2; 6]].concat());
    let orders: BTreeSet<Vec<&String>> =
        launches.chunks(6).map(|round| round.iter().map(|(.., name)| name).collect()).collect();
    assert!(orders.len() > 1, "{orders:?}");
}

#[test]
fn the_same_command_runs_nothing_and_more_rounds_add_launches() {
    let place = Place::new();
    let first = swept(&place, &["--rounds", "2"]);
    let two = [("scan-frames=4-t1-i1", 2), ("scan-frames=8-t1-i1", 2)];
    let two = two.map(|(name, rounds)| (name.to_string(), rounds));
    assert_eq!(points(&first), two);
    let contents = || {
        two.iter()
            .flat_map(|(name, _)| place.traces(&format!("s/{name}")))
            .map(|path| (fs::read(&path).unwrap(), path))
            .collect::<Vec<_>>()
    };
    let before = contents();
    assert_eq!(swept(&place, &["--rounds", "2"]), first);
    // Fewer rounds throw nothing away.
    assert_eq!(swept(&place, &["--rounds", "1"]), first);
    let shown = ["sweep", "--profiles", "s", "--format", "json"];
    assert_eq!(json(&place.succeed(&shown)), first);
    assert_eq!(contents(), before);

    let third = swept(&place, &["--rounds", "3"]);
    assert!(points(&third).iter().all(|(_, rounds)| *rounds == 3), "{:?}", points(&third));
    rows(&third, "points").into_iter().for_each(|point| check_point(&place, point));
    let after = contents();
    assert_eq!(after.len(), 6);
    assert!(before.iter().all(|file| after.contains(file)), "old launches are as they were");
    assert_eq!(listed(&place, "s")[0]["rounds"], 3);
}

#[test]
fn what_had_no_turn_is_listed_and_has_it_later() {
    let place = Place::new();
    let cnn = model("cnn");
    // A launch of 60 runs takes 60 ms, whatever its batch size.
    let times = object!({"cnn.onnx": {"operator_ns": 0, "overhead_ns": 1_000_000}});
    let script = Script::new(&place, times, &[]);
    let timed = |more: &[&str]| {
        let start =
            ["sweep", &cnn, "--batch-size", "1,2,3", "--iterations", "20", "--profiles", "s"];
        let done = script.run(&[&start[..], &["--format", "json"], more].concat());
        assert_eq!(done.code, Some(0), "{}", done.err);
        (valid("sweep", &done.out), done.err)
    };
    let sweep = |more: &[&str]| timed(more).0;
    // Enough to begin two launches, and over when the second ends.
    let (report, said) = timed(&["--time-limit", "0.08s"]);
    let expected = "warning: out of time: 0 of 3 configurations are known to ±2 %; run the same \
                    command again to continue\n";
    assert!(said.contains(expected), "{said}");
    assert_eq!(points(&report).len(), 2, "{report}");
    let waiting = rows(&report, "skipped");
    assert_eq!(waiting.len(), 1);
    for row in &waiting {
        assert_eq!(row["reason"], "it had no turn yet", "{row}");
    }
    assert_eq!(listed(&place, "s").len(), 3, "two profiles, and that of FLOPs");
    let later = sweep(&["--rounds", "1"]);
    assert_eq!(points(&later).len(), 3, "{later}");
    assert!(points(&later).iter().all(|(_, rounds)| *rounds == 1));
    assert_eq!(rows(&later, "skipped").len(), 0);
}

/// Each round is a launch whose figures are known: how many it takes follows.
#[test]
fn a_sweep_ends_when_every_point_is_precise_enough() {
    let place = Place::new();
    let scan = model("scan");
    let sweep = |noise: f64, project: &str| {
        let times = object!({"scan.onnx": {"operator_ns": 10_000, "noise": noise}});
        let script = Script::new(&place, times, &[]);
        let start = ["sweep", &scan, "--dim", "frames=4,8", "--iterations", "10"];
        let more =
            ["--profiles", project, "--precision", "2%", "--rounds", "40", "--format", "json"];
        points(&valid("sweep", &script.succeed(&[&start[..], &more].concat())))
    };
    // Without any noise, five rounds are enough to believe it.
    assert!(sweep(0.0, "exact").iter().all(|(_, rounds)| *rounds == 5));
    assert!(sweep(0.1, "noisy").iter().all(|(_, rounds)| (5..40).contains(rounds)));
    // What never gets that precise ends by the number of rounds.
    let rounds = sweep(0.99, "wild");
    assert!(rounds.iter().any(|(_, rounds)| *rounds > 10), "{rounds:?}");
}

//! A profiler of a planted cost: whatever it costs, every format says which model is faster, and
//! the parts explain that.

use crate::office::written;
use crate::program::{Place, fixture_file, json};
use crate::recordings::recorded;
use onnxray_format::{
    Calibration, CalibrationChain, FORMAT_VERSION, Interleaved, Iteration, IterationKind,
    Nanoseconds, Operator, OperatorArguments, Run, Span, TraceWriter,
};
use serde_json::Value;
use std::fs::{self, File};

/// Nanoseconds of dispatch behind each node.
const DISPATCH: u64 = 200;
const LAUNCHES: u32 = 5;
const PAIRS: u32 = 20;

/// A model of this many nodes that take this many nanoseconds each.
#[derive(Clone, Copy)]
struct Model {
    name: &'static str,
    operator_type: &'static str,
    nodes: u32,
    node_ns: u64,
}

/// 366 µs, of few nodes.
const A: Model = Model { name: "few", operator_type: "Conv", nodes: 30, node_ns: 12_000 };
/// 342 µs, of many: a profiler of 8 µs a node makes it the slower one.
const B: Model = Model { name: "many", operator_type: "Conv", nodes: 60, node_ns: 5_500 };

/// Half of what a profiler costs a node lies inside its event.
struct Planted {
    inside: u64,
    between: u64,
    /// Percent of the time of unprofiled iterations that passes in them.
    unprofiled: u64,
}

/// Numbers that look like chance, of some thousandths.
fn noisy(time: u64, seed: u64) -> u64 {
    let chance = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 54;
    time + time * chance / 200_000
}

/// Writes the recording of a model, in turns with the other one.
fn write(place: &Place, model: Model, other: Model, cost: &Planted, with_calibration: bool) {
    let folder = place.path("out").join(model.name).join("profiling_trace");
    fs::create_dir_all(&folder).unwrap();
    let operators: Vec<Operator> = (0..model.nodes)
        .map(|number| Operator {
            number,
            name: format!("node{number}"),
            operator_type: model.operator_type.to_string(),
            ..Operator::default()
        })
        .collect();
    for launch in 0..LAUNCHES {
        let run = Run {
            format_version: FORMAT_VERSION,
            producer: "a test".to_string(),
            profile: "baseline".to_string(),
            model: format!("{}.onnx", model.name),
            batch_size: Some(1),
            threads: Some(1),
            engine: "an engine".to_string(),
            recording: format!("2026-01-01_00-00-0{}", u32::from(model.name == B.name)),
            launch,
            launches_planned: Some(LAUNCHES),
            interleaved: Some(Interleaved {
                with: format!("2026-01-01_00-00-0{}", u32::from(other.name == B.name)),
                position: 2 * launch + u32::from(model.name == B.name),
                turn: Some(1),
            }),
            ..Run::default()
        };
        let trace = File::create(folder.join(format!("profiling_{}_{launch}.json", run.recording)));
        let always = OperatorArguments::WhenChanged;
        let mut writer = TraceWriter::new(trace.unwrap(), &run, &operators, always);
        for index in 0..PAIRS {
            // Each pair is a turn of both models.
            let seed = u64::from(launch * PAIRS + index + 1000 * model.nodes);
            let mut at = u64::from(index) * 4_000_000 + u64::from(model.name == B.name) * 2_000_000;
            let plain = u64::from(model.nodes) * (model.node_ns + DISPATCH);
            let plain = noisy(plain * cost.unprofiled / 100, seed);
            let iteration = |kind, start, duration| Iteration {
                index,
                kind,
                start: Nanoseconds(start),
                duration: Nanoseconds(duration),
                step: None,
            };
            writer.write_iteration(&iteration(IterationKind::Unprofiled, at, plain), &[]).unwrap();
            at += 1_000_000;
            let start = at;
            let spans: Vec<Span> = (0..model.nodes)
                .map(|operator| {
                    let duration = noisy(model.node_ns, seed + u64::from(operator)) + cost.inside;
                    let span = Span {
                        operator,
                        worker: 0,
                        start: Nanoseconds(at),
                        duration: Nanoseconds(duration),
                    };
                    at += duration + cost.between + DISPATCH;
                    span
                })
                .collect();
            let profiled = iteration(IterationKind::Measured, start, at - start);
            writer.write_iteration(&profiled, &spans).unwrap();
        }
        if with_calibration {
            writer.add_member("calibration", &calibration(cost)).unwrap();
        }
        writer.finish().unwrap();
    }
}

/// What chains of nodes that compute nothing say of the cost.
fn calibration(cost: &Planted) -> Calibration {
    let plain = 100 * DISPATCH;
    let profiled = plain + 100 * (cost.inside + cost.between);
    let chain = CalibrationChain {
        nodes: 100,
        tensors: 2.0,
        dimensions: 0.0,
        plain_ns: vec![plain; 15],
        profiled_ns: vec![profiled; 15],
        node_ns: vec![cost.inside as f64; 15],
    };
    Calibration { chains: vec![chain], ..Calibration::default() }
}

fn rows<'a>(report: &'a Value, table: &str) -> &'a Vec<Value> {
    report[table].as_array().unwrap_or_else(|| panic!("no {table} in {report:#}"))
}

fn figure(report: &Value, key: &str, column: &str) -> f64 {
    let row = rows(report, "inference").iter().find(|row| row["figure"] == key);
    row.unwrap_or_else(|| panic!("no {key}"))[column].as_f64().unwrap()
}

#[test]
fn every_format_gives_one_answer_whatever_profiling_costs() {
    for microseconds in [0, 3, 8] {
        let place = Place::new();
        let half = microseconds * 500;
        let cost = Planted { inside: half, between: half, unprofiled: 100 };
        write(&place, A, B, &cost, true);
        write(&place, B, A, &cost, true);
        let compare = ["compare", "out/few", "out/many"];
        let report = json(&place.succeed(&[&compare[..], &["--format", "json"]].concat()));
        let what = format!("{microseconds} µs: {report:#}");
        let profiled = figure(&report, "profiled_latency_mean_ms", "difference");
        assert_eq!(profiled > 0.0, microseconds > 0, "the profiler turns it round: {what}");

        // The verdict is of the latency, 24 µs less, and its parts add up to it.
        let verdict = rows(&report, "inference")[0]["verdict"].as_str().unwrap();
        assert_eq!(verdict, "faster", "{what}");
        let whole = figure(&report, "latency_mean_ms", "difference");
        assert!((whole + 0.024).abs() < 0.002, "{what}");
        let parts = ["operators_mean_ms", "outside_operators_mean_ms"];
        let sum: f64 = parts.iter().map(|key| figure(&report, key, "difference")).sum();
        assert!((sum - whole).abs() < 1e-9, "{what}");
        let causes = rows(&report, "causes").iter();
        let causes: f64 = causes.map(|cause| cause["difference_ms"].as_f64().unwrap()).sum();
        let typical = figure(&report, "latency_typical_ms", "difference");
        assert!((causes - typical).abs() < 1e-9, "{what}");
        // Operators differ by 30 µs, to what a chain leaves open of 30 nodes.
        let operators = figure(&report, "operators_mean_ms", "difference");
        assert!((operators + 0.030).abs() < 0.004, "{what}");
        // Dispatch takes 6 and 12 µs.
        for (side, dispatch) in [("a", 0.006), ("b", 0.012)] {
            let left = figure(&report, "outside_operators_mean_ms", side);
            assert!((left - dispatch).abs() <= dispatch * 0.55, "{side}: {left} in {what}");
        }

        let headline = report["headline"][0].as_str().unwrap();
        assert!(headline.starts_with("many is 6.5 % faster than few: 0.34"), "{headline}");
        let text = place.succeed(&compare);
        assert!(text.starts_with(headline), "{text}");
        let markdown = place.succeed(&[&compare[..], &["--format", "markdown"]].concat());
        assert!(markdown.contains("many is 6.5 % faster than few: 0.34"), "{markdown}");
        place.succeed(&[&compare[..], &["--format", "json", "-o", "out.xlsx"]].concat());
        let summary = &written(&place.path("out.xlsx"))["Summary"];
        let says = |text: &str| summary.iter().flatten().any(|cell| cell.text().contains(text));
        assert!(says(headline) && !says("% slower"), "{summary:?}");
        place.succeed(&[&compare[..], &["--format", "json", "-o", "out.html"]].concat());
        let page = fs::read_to_string(place.path("out.html")).unwrap();
        assert!(page.contains(headline));
        // A gate asks what the headline says.
        place.succeed(&[&compare[..], &["--fail-above", "3%"]].concat());
    }
}

/// Unprofiled iterations ran while the machine was a little faster.
#[test]
fn operators_beyond_the_latency_leave_no_overhead_below_0() {
    let place = Place::new();
    let cost = Planted { inside: 500, between: 500, unprofiled: 88 };
    write(&place, A, B, &cost, true);
    write(&place, B, A, &cost, true);
    let report = json(&place.succeed(&["compare", "out/few", "out/many", "--format", "json"]));
    for side in ["a", "b"] {
        assert_eq!(figure(&report, "outside_operators_mean_ms", side), 0.0, "{report:#}");
        let operators = figure(&report, "operators_mean_ms", side);
        let parts = &rows(&report, "conservation")[usize::from(side == "b")];
        let longer = parts["longer_profiled_ms"].as_f64().unwrap();
        let whole = figure(&report, "latency_mean_ms", side);
        assert!(longer > 0.0 && (operators - longer - whole).abs() < 1e-9, "{parts}");
    }
    let causes = rows(&report, "causes").iter();
    let causes: f64 = causes.map(|cause| cause["difference_ms"].as_f64().unwrap()).sum();
    let whole = figure(&report, "latency_typical_ms", "difference");
    assert!((causes - whole).abs() < 1e-9, "{report:#}");
}

/// Other programs ran beside the profiled iterations, or beside the unprofiled ones: what operators
/// are parts of is their own iterations, and no difference of loads is an overhead.
#[test]
fn layers_are_parts_of_iterations_under_the_same_load() {
    for (unprofiled, is_apart) in [(60, true), (100, false), (160, true)] {
        let place = Place::new();
        let cost = Planted { inside: 500, between: 500, unprofiled };
        write(&place, A, B, &cost, true);
        write(&place, B, A, &cost, true);
        let report = json(&place.succeed(&["compare", "out/few", "out/many", "--format", "json"]));
        let what = format!("{unprofiled} %: {report:#}");
        let headline = report["headline"].to_string();
        let told = headline.contains("Other programs ran beside either the profiled or the");
        assert_eq!(told, is_apart, "{what}");
        let of = if is_apart { "profiled_latency" } else { "latency" };
        let causes = rows(&report, "causes").iter();
        let causes: f64 = causes.map(|cause| cause["difference_ms"].as_f64().unwrap()).sum();
        let typical = figure(&report, &format!("{of}_typical_ms"), "difference");
        assert!((causes - typical).abs() < 1e-9, "{what}");
        for (side, model) in [("a", A), ("b", B)] {
            let parts = figure(&report, "operators_mean_ms", side)
                + figure(&report, "outside_operators_mean_ms", side);
            let whole = figure(&report, &format!("{of}_mean_ms"), side);
            assert!((parts - whole).abs() < 1e-9, "{what}");
            // Planted: dispatch, and what profiling costs a node where it is not taken out.
            let nodes = f64::from(model.nodes);
            let most = nodes * (DISPATCH + if is_apart { 1_000 } else { 0 }) as f64 / 1e6;
            assert!(figure(&report, "outside_operators_mean_ms", side) <= most * 1.6, "{what}");
        }
    }
}

#[test]
fn without_a_calibration_layers_do_not_explain_what_profiling_turns_round() {
    let place = Place::new();
    let cost = Planted { inside: 4_000, between: 4_000, unprofiled: 100 };
    write(&place, A, B, &cost, false);
    write(&place, B, A, &cost, false);
    let report = json(&place.succeed(&["compare", "out/few", "out/many", "--format", "json"]));
    let headline = report["headline"].to_string();
    assert!(headline.contains("many is 6.5 % faster than few"), "{headline}");
    assert!(headline.contains("Layers cannot explain a difference of 2"), "{headline}");
    assert!(headline.contains(", which is more than they can show. Measured with it, "));
    let summary = place.run(&["summary", "out/many"]).err;
    assert!(summary.contains("profiling cost is unknown: it was not measured"), "{summary}");
}

#[test]
fn operators_and_overhead_of_a_runtime_are_its_latency() {
    let place = Place::new();
    recorded(&place, "cnns-in-turns-onnxruntime", "out");
    for model in ["cnn", "cnn-int8"] {
        let recording = format!("out/{model}");
        let report = json(&place.succeed(&["summary", &recording, "--all", "--format", "json"]));
        let figures = &report["model"];
        let number =
            |key: &str| figures[key].as_f64().unwrap_or_else(|| panic!("{key}: {figures}"));
        let parts = number("operators_mean_ms") + number("overhead_mean_ms");
        assert!((parts - number("typical_mean_ms")).abs() < 1e-9, "{figures:#}");
        assert!(number("overhead_mean_ms") >= 0.0, "{figures:#}");
        // What is left without what profiling costs is the latency, as far as that is known.
        let ratio = number("typical_mean_ms") / number("latency_median_ms");
        assert!((0.85..1.25).contains(&ratio), "{ratio}: {figures:#}");
        // From 0 to 3 µs a node, as far as the profiling cost is known.
        let operators = rows(&report, "operators");
        let events: f64 = operators.iter().filter_map(|row| row["executions"].as_f64()).sum();
        assert!(number("overhead_high_ms") > 0.0, "{figures:#}");
        assert!(number("overhead_low_ms") < events * 0.003, "{figures:#}");
        // The engine's own profiler more than doubles the latency of the one with small operators.
        let is_much = number("profiled_latency_median_ms") > 2.0 * number("latency_median_ms");
        assert_eq!(is_much, model == "cnn-int8", "{figures:#}");
        for row in operators {
            let time = row["time_ms"].as_f64();
            let below = row["time_below_ms"].as_f64();
            assert!(time.is_none() == below.is_some(), "{row:#}");
            assert!(time.or(below).unwrap() > 0.0 && row["profiling_us"].as_f64() > Some(0.0));
        }
        let some = operators.iter().any(|row| row["time_below_ms"].is_number());
        let text = place.succeed(&["summary", &recording, "--level", "operator", "--all"]);
        assert_eq!(text.contains("  < "), some, "{text}");
    }
}

#[test]
fn operators_of_a_foreign_profile_say_how_much_of_them_profiling_may_be() {
    let place = Place::new();
    let profile = fixture_file("onnxruntime/1.31.1/encoder.json.gz");
    let arguments = ["summary", profile.to_str().unwrap(), "--all", "--format", "json"];
    let report = json(&place.succeed(&arguments));
    let operators = rows(&report, "operators");
    let time = |row: &Value| row["total_ms"].as_f64().unwrap() / row["calls"].as_f64().unwrap();
    let shortest = operators.iter().map(time).fold(f64::INFINITY, f64::min);
    for row in operators {
        let most = row["profiling_share_most"].as_f64().unwrap();
        assert!((most - (shortest / time(row)).min(1.0)).abs() < 1e-9, "{row:#}");
    }
    let doubtful = operators.iter().filter(|row| time(row) < 2.0 * shortest).count();
    let notes = report["notes"].to_string();
    assert!(
        notes.contains(&format!("for {doubtful} small operators that may be over half")),
        "{notes}"
    );
}

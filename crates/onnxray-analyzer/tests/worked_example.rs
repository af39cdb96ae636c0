//! Recomputes the worked example of `docs/studies/worked-example.md` from its tables.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

use onnxray_analyzer::statistics::Distribution;
use onnxray_analyzer::trace::Trace;
use onnxray_analyzer::{Needs, Share, Summary, examine};
use onnxray_format::{
    Calibration, CalibrationChain, Iteration, IterationKind, Nanoseconds, Operator, Run,
};
use onnxray_import::{EventChunk, Events, Format, Launch, Thread};
use std::path::Path;

const EXAMPLE: &str = "../../docs/studies/worked-example.md";

/// The lines of a fenced block, without its header if it has one.
fn block<'a>(document: &'a str, name: &str) -> Vec<&'a str> {
    let fence = format!("```{name}\n");
    let start = document.find(&fence).unwrap_or_else(|| panic!("no block `{name}`")) + fence.len();
    let rest = &document[start..];
    let header = usize::from(!["results", "calibrated"].contains(&name));
    rest[..rest.find("```").unwrap()].lines().skip(header).filter(|line| !line.is_empty()).collect()
}

fn number<T: std::str::FromStr>(word: &str) -> T {
    word.parse().unwrap_or_else(|_| panic!("expected a number, found {word}"))
}

fn calibration(document: &str) -> Calibration {
    let chains = block(document, "calibration").into_iter().map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let runs: usize = number(words[6]);
        CalibrationChain {
            nodes: number(words[0]),
            tensors: number(words[1]),
            dimensions: number(words[2]),
            plain_ns: vec![number(words[3]); runs],
            profiled_ns: vec![number(words[4]); runs],
            node_ns: vec![number(words[5]); runs],
        }
    });
    Calibration { chains: chains.collect(), ..Calibration::default() }
}

fn example(document: &str, calibration: Option<Calibration>) -> Summary {
    let iterations: Vec<Iteration> = block(document, "iterations")
        .iter()
        .map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let kind = match words[2] {
                "measured" => IterationKind::Measured,
                "warm-up" => IterationKind::WarmUp,
                "plain" => IterationKind::Unprofiled,
                other => panic!("{other}"),
            };
            let (start, duration) = (Nanoseconds(number(words[3])), Nanoseconds(number(words[4])));
            Iteration { index: number(words[1]), kind, start, duration, step: None }
        })
        .collect();
    let mut operators: Vec<Operator> = Vec::new();
    let mut chunk = EventChunk::default();
    for line in block(document, "events") {
        let words: Vec<&str> = line.split_whitespace().collect();
        let known = operators.iter().position(|operator| operator.name == words[2]);
        let operator = known.unwrap_or_else(|| {
            operators.push(Operator {
                number: operators.len() as u32,
                name: words[2].to_string(),
                operator_type: words[3].to_string(),
                parent: (words[2] == "cell").then_some(3),
                ..Operator::default()
            });
            operators.len() - 1
        }) as u32;
        chunk.operator.push(operator);
        chunk.iteration.push(number(words[1]));
        chunk.thread.push(0);
        chunk.start.push(number(words[4]));
        chunk.duration.push(number(words[5]));
    }
    let run = Run { batch_size: Some(2), ..Run::default() };
    let events =
        Events { chunks: vec![chunk], threads: vec![Thread::default()], figures: Vec::new() };
    // Nobody profiled a trace of another kind for us.
    let format = if calibration.is_some() { Format::ONNXRAY } else { Format::default() };
    let launch =
        Launch { format, run, operators, iterations, events, calibration, ..Launch::default() };
    examine(&Trace::new(vec![launch]), Needs::Measured).unwrap().summary
}

fn share(share: Option<Share>) -> f64 {
    share.expect("there is a whole to be a part of").0
}

/// The figure that a key of the example's results names.
fn figure(summary: &Summary, key: &str) -> f64 {
    let model = &summary.model;
    let profiled = model.profiled.unwrap();
    let latency: &Distribution = &profiled.times;
    if let Some((name, what)) = key.strip_prefix("type:").and_then(|key| key.split_once('.')) {
        let found = summary.types.iter().find(|found| found.operator_type == name).unwrap();
        return match what {
            "time_ms" => found.mean.unwrap().0,
            "share" => share(found.share),
            other => panic!("{other}"),
        };
    }
    if let Some((name, what)) = key.split_once('.') {
        let found = summary.operators.iter().find(|found| found.operator.name == name).unwrap();
        let time = found.time.as_ref().unwrap();
        return match what {
            "time_ms" => found.mean.unwrap().0,
            "time_median_ms" => time.median.0,
            "p90_ms" => time.p90.0,
            "share" => share(found.share),
            "executions" => found.executions.unwrap(),
            other => panic!("{other}"),
        };
    }
    match key {
        "profiled_latency_median_ms" => latency.median.0,
        "profiled_latency_mean_ms" => latency.mean.0,
        "profiled_latency_p10_ms" => latency.p10.0,
        "profiled_latency_p90_ms" => latency.p90.0,
        "profiled_latency_min_ms" => latency.min.0,
        "profiled_latency_max_ms" => latency.max.0,
        "latency_median_ms" => model.latency().unwrap().times.median.0,
        "profiled_items_per_second" => profiled.items_per_second.unwrap(),
        "profiled_iterations_per_second" => profiled.iterations_per_second,
        "overhead_mean_ms" => model.overhead.unwrap().mean.0,
        "inside_ns" => model.profiling_cost().unwrap().inside,
        "between_ns" => model.profiling_cost().unwrap().between,
        "overhead_share" => share(model.overhead.unwrap().share),
        "recording_overhead" => model.recording_overhead.unwrap().share,
        other => panic!("{other}"),
    }
}

#[test]
fn the_worked_example_is_right() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(EXAMPLE);
    let document = std::fs::read_to_string(path).unwrap();
    let summary = example(&document, None);
    let results = block(&document, "results");
    assert!(results.len() > 30);
    for line in results {
        let (key, expected) = line.split_once(" = ").unwrap();
        let (found, expected) = (figure(&summary, key), number::<f64>(expected));
        assert!(
            (found - expected).abs() <= 1e-9 * expected.abs(),
            "{key}: {found} is not {expected}"
        );
    }
    // To the nanosecond, in integers.
    let model = &summary.model;
    let operators = model.operators.unwrap();
    assert_eq!(operators, Nanoseconds(210_000));
    assert_eq!(model.concurrent, Some(Nanoseconds(0)));
    let sum: Option<Nanoseconds> = summary.operators.iter().map(|operator| operator.total).sum();
    assert_eq!(sum, Some(operators));
    let types: Option<Nanoseconds> = summary.types.iter().map(|found| found.total).sum();
    assert_eq!(types, Some(operators));
}

#[test]
fn the_worked_example_with_a_profiling_cost_is_right() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(EXAMPLE);
    let document = std::fs::read_to_string(path).unwrap();
    let summary = example(&document, Some(calibration(&document)));
    let results = block(&document, "calibrated");
    assert_eq!(results.len(), 10);
    for line in results {
        let (key, expected) = line.split_once(" = ").unwrap();
        let (found, expected) = (figure(&summary, key), number::<f64>(expected));
        let tolerance = 1e-9 * expected.abs();
        assert!((found - expected).abs() <= tolerance, "{key}: {found} is not {expected}");
    }
    // Operators and overhead are the profiled mean without what profiling adds.
    let model = &summary.model;
    let parts = model.operators_mean.unwrap().0 + model.overhead.unwrap().mean.0;
    assert!((parts - model.whole.unwrap().0).abs() < 1e-12);
    assert!((parts - 0.095).abs() < 1e-5);
    let rest: f64 = summary.types.iter().map(|found| found.mean.unwrap().0).sum();
    assert!((rest - model.operators_mean.unwrap().0).abs() < 1e-12);
}

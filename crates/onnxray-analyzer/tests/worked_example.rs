//! Recomputes the worked example of `docs/statistics.md` from its tables.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

use onnxray_analyzer::statistics::Distribution;
use onnxray_analyzer::trace::Trace;
use onnxray_analyzer::{Share, Summary, summarize};
use onnxray_format::{Iteration, IterationKind, Nanoseconds, Operator, Run};
use onnxray_import::{EventChunk, Events, Launch, Thread};
use std::path::Path;

/// The lines of a fenced block, without its header if it has one.
fn block<'a>(document: &'a str, name: &str) -> Vec<&'a str> {
    let fence = format!("```{name}\n");
    let start = document.find(&fence).unwrap_or_else(|| panic!("no block `{name}`")) + fence.len();
    let rest = &document[start..];
    let header = usize::from(name != "results");
    rest[..rest.find("```").unwrap()].lines().skip(header).filter(|line| !line.is_empty()).collect()
}

fn number<T: std::str::FromStr>(word: &str) -> T {
    word.parse().unwrap_or_else(|_| panic!("expected a number, found {word}"))
}

fn example(document: &str) -> Summary {
    let iterations: Vec<Iteration> = block(document, "iterations")
        .iter()
        .map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let kind = match words[2] {
                "measured" => IterationKind::Measured,
                "warm-up" => IterationKind::WarmUp,
                "plain" => IterationKind::Plain,
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
    let launch = Launch { run, operators, iterations, events, ..Launch::default() };
    summarize(&Trace::new(vec![launch]).unwrap()).unwrap()
}

fn share(share: Option<Share>) -> f64 {
    share.expect("there is a whole to be a part of").0
}

/// The figure that a key of the example's results names.
fn figure(summary: &Summary, key: &str) -> f64 {
    let model = &summary.model;
    let latency: &Distribution = model.latency.as_ref().unwrap();
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
        "latency_median_ms" => latency.median.0,
        "latency_mean_ms" => latency.mean.0,
        "latency_p10_ms" => latency.p10.0,
        "latency_p90_ms" => latency.p90.0,
        "latency_min_ms" => latency.min.0,
        "latency_max_ms" => latency.max.0,
        "items_per_second" => model.items_per_second.unwrap(),
        "iterations_per_second" => model.iterations_per_second.unwrap(),
        "overhead_mean_ms" => model.overhead.unwrap().milliseconds() / latency.count as f64,
        "overhead_share" => share(model.overhead_share),
        "recording_overhead" => model.recording_overhead.unwrap().share,
        other => panic!("{other}"),
    }
}

#[test]
fn the_worked_example_is_right() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/statistics.md");
    let document = std::fs::read_to_string(path).unwrap();
    let summary = example(&document);
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
    let [operators, overhead, wall] =
        [model.operators, model.overhead, model.wall].map(|total| total.unwrap());
    assert_eq!(operators + overhead, wall);
    assert_eq!(model.concurrent, Some(Nanoseconds(0)));
    let sum: Option<Nanoseconds> = summary.operators.iter().map(|operator| operator.total).sum();
    assert_eq!(sum, Some(operators));
    let types: Option<Nanoseconds> = summary.types.iter().map(|found| found.total).sum();
    assert_eq!(types, Some(operators));
}

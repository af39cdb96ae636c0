//! The data frames of a trace and of its figures answer queries: what polars computes from the one
//! is what the other says, and the example that shows how is right.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics
#![allow(deprecated)] // what polars would have instead of `sum` is its lazy engine

use onnxray_analyzer::comparison::{Field, Options, Recording, compare};
use onnxray_analyzer::{Needs, Summary, Trace, examine, frames};
use onnxray_import::{Reading, Sources, import};
use polars::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name)
}

fn trace(name: &str) -> Trace {
    let sources = Sources::find(&[fixture(name)]).unwrap();
    Trace::new(import(&sources.files, &Reading::default()).unwrap())
}

fn summary(trace: &Trace) -> Summary {
    examine(trace, Needs::Measured).unwrap().summary
}

const TRACES: [&str; 4] = [
    "onnxray/0.1.0/scan.json",
    "recordings/cnn/profiling_trace",
    "pytorch/2.5.1/steps.json",
    "onnxruntime/1.29.0/loop.json",
];

/// The executions of measured iterations, with the operator's facts.
fn measured(trace: &Trace, summary: &Summary) -> DataFrame {
    let events = frames::events(trace).unwrap();
    let events = events.filter(&events.column("row").unwrap().is_not_null()).unwrap();
    let iterations = frames::iterations(summary).unwrap();
    let kinds = iterations.column("kind").unwrap();
    let kinds = kinds.take(events.column("row").unwrap().u32().unwrap()).unwrap();
    events.filter(&kinds.str().unwrap().equal("measured")).unwrap()
}

fn numbers(frame: &DataFrame, name: &str) -> Vec<Option<f64>> {
    let column = frame.column(name).unwrap().cast(&DataType::Float64).unwrap();
    column.f64().unwrap().iter().collect()
}

#[test]
fn columns_have_the_names_that_are_declared_and_a_row_for_each_thing() {
    for name in TRACES {
        let trace = trace(name);
        let summary = summary(&trace);
        let names = |frame: &DataFrame| -> Vec<String> {
            frame.get_column_names().iter().map(|name| name.to_string()).collect()
        };
        let events = frames::events(&trace).unwrap();
        assert_eq!(names(&events), frames::EVENTS.iter().map(|own| own.name).collect::<Vec<_>>());
        assert_eq!(events.height(), trace.events.len(), "{name}");
        let operators = frames::operators(&summary).unwrap();
        let declared = frames::OPERATORS.iter().map(|own| own.name);
        assert_eq!(names(&operators), declared.collect::<Vec<_>>());
        assert_eq!(operators.height(), summary.operators.len());
        assert_eq!(frames::iterations(&summary).unwrap().height(), summary.iterations.len());
        assert_eq!(frames::launches(&summary).unwrap().height(), summary.launches.len());
        let kernels = trace.kernels.as_ref().map_or(trace.operators.len(), |own| own.table.len());
        assert_eq!(frames::kernels(&trace).unwrap().height(), kernels);
    }
}

/// Sums, means and order statistics of every operator, by polars, from the events.
#[test]
fn the_figures_of_operators_are_those_that_polars_finds() {
    let mut compared = 0;
    for name in TRACES {
        let trace = trace(name);
        let summary = summary(&trace);
        let events = measured(&trace, &summary);
        let of_host = |number: u32| {
            trace.kernels.as_ref().is_none_or(|kernels| !kernels.table[number as usize].device)
        };
        let kernels = events.column("kernel").unwrap().u32().unwrap();
        let of_host: BooleanChunked = kernels.into_no_null_iter().map(of_host).collect();
        let events = events.filter(&of_host).unwrap();
        let sums = events.group_by(["operator", "row"]).unwrap().select(["exclusive_ns"]);
        let sums = sums.sum().unwrap();
        let operators = frames::operators(&summary).unwrap();
        let figures =
            ["time_median_ms", "time_p90_ms", "time_p99_ms", "time_min_ms", "time_max_ms"]
                .map(|figure| numbers(&operators, figure));
        for (number, summary) in (0u32..).zip(&summary.operators) {
            let Some(time) = summary.time else { continue };
            let own = sums.column("operator").unwrap().u32().unwrap().equal(number);
            let own = sums.filter(&own).unwrap();
            let times = own.column("exclusive_ns_sum").unwrap().cast(&DataType::Float64).unwrap();
            let times = times.f64().unwrap();
            assert_eq!(times.len() as u64, time.count, "{name} {number}");
            for (share, figure) in [0.5, 0.9, 0.99, 0.0, 1.0].into_iter().zip(&figures) {
                let expected = times.quantile(share, QuantileMethod::Linear).unwrap().unwrap();
                let found = figure[number as usize].unwrap();
                assert!((found - expected / 1e6).abs() < 1e-12, "{name} {number}: {found}");
                compared += 1;
            }
        }
    }
    assert!(compared > 300, "{compared}");
}

#[test]
fn types_add_up_what_operators_have() {
    for name in TRACES {
        let summary = summary(&trace(name));
        let operators = frames::operators(&summary).unwrap();
        let sums = operators.group_by(["type"]).unwrap().select(["time_ms"]).sum().unwrap();
        let names = sums.column("type").unwrap().str().unwrap();
        let sums: BTreeMap<&str, f64> = names
            .iter()
            .zip(numbers(&sums, "time_ms_sum"))
            .filter_map(|(name, sum)| Some((name?, sum?)))
            .collect();
        let types = frames::types(&summary).unwrap();
        let names = types.column("type").unwrap().str().unwrap();
        for (of_type, time) in names.iter().zip(numbers(&types, "time_ms")) {
            let (Some(of_type), Some(time)) = (of_type, time) else { continue };
            assert!((sums[of_type] - time).abs() <= 1e-9 * time.max(1.0), "{name} {of_type}");
        }
    }
}

#[test]
fn layers_of_a_comparison_add_up_to_the_whole() {
    let read = |name: &str| {
        let trace = trace(name);
        let examined = examine(&trace, Needs::Measured).unwrap();
        let (summary, timeline) = examined.into_timeline();
        Recording { label: name.to_string(), summary, timeline }
    };
    let [a, b] =
        ["recordings/cnn/profiling_trace", "recordings/cnn-int8/profiling_trace"].map(read);
    let options = Options { expected_differences: vec![Field::Model], ..Options::default() };
    let comparison = compare(&a, &b, &options).unwrap();
    let groups = frames::groups(&comparison).unwrap();
    assert_eq!(groups.height(), comparison.groups.len());
    let verdicts = groups.column("verdict").unwrap().str().unwrap();
    for (group, verdict) in comparison.groups.iter().zip(verdicts.iter()) {
        assert_eq!(group.compared.change.verdict.map(|own| own.name()), verdict);
    }
}

#[test]
fn the_example_answers_its_questions() {
    // Tests lie in `deps`, examples beside it.
    let tests = std::env::current_exe().unwrap();
    let program = tests.ancestors().nth(2).unwrap().join("examples/query_a_trace");
    let output = Command::new(program).arg(fixture("onnxray/0.1.0/scan.json")).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<&str> = text.split("\n\n").collect();
    assert_eq!(answers.len(), 5, "{text}");
    let summary = summary(&trace("onnxray/0.1.0/scan.json"));
    let expected = summary.types.iter().filter(|of_type| of_type.calls > Some(0)).map(|of_type| {
        let total = of_type.total.unwrap().0 as f64 / 1e6;
        format!("{},{total:.3}\n", of_type.operator_type)
    });
    let expected = format!("type,milliseconds\n{}", expected.collect::<String>());
    assert_eq!(format!("{}\n", answers[0]), expected);
    let per_iteration = summary.types[0].time.unwrap().count;
    assert_eq!(answers[1].lines().count() as u64, 1 + per_iteration);
}

//! The tables of a trace answer queries, and the example that shows how is right.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics
#![allow(deprecated)] // what polars would have instead of `sum` is its lazy engine

use onnxray_analyzer::{Trace, examine, exclusive_events, schema};
use onnxray_import::{Reading, import};
use polars::prelude::*;
use std::path::{Path, PathBuf};
use std::process::Command;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name)
}

fn trace(name: &str) -> Trace {
    Trace::new(import(&[fixture(name)], &Reading::default()).unwrap()).unwrap()
}

#[test]
fn tables_have_the_columns_that_are_declared() {
    let trace = trace("onnxray/0.1.0/scan.json");
    assert!(schema::matches(&trace.events, schema::EVENTS));
    assert!(schema::matches(&trace.iterations, schema::ITERATIONS));
    let operators = trace.operator_table().unwrap();
    assert!(schema::matches(&operators, schema::OPERATOR_COLUMNS));
    assert_eq!(operators.height(), trace.operators.len());
    for frame in [&trace.events, &trace.iterations, &operators] {
        assert!(frame.columns().iter().all(|column| column.n_chunks() == 1));
    }
}

#[test]
fn a_query_finds_what_the_summary_says() {
    let trace = trace("onnxray/0.1.0/scan.json");
    let (summary, _) = examine(&trace).unwrap();
    let events = exclusive_events(&trace).unwrap();
    let kinds = trace.iterations.column("kind").unwrap();
    let kinds = kinds.take(events.column("iteration").unwrap().u32().unwrap()).unwrap();
    let events = events.filter(&kinds.u32().unwrap().equal(0)).unwrap();
    let sums = events.group_by(["operator"]).unwrap().select(["exclusive_ns"]).sum().unwrap();
    let numbers = sums.column("operator").unwrap().u32().unwrap();
    let sums = sums.column("exclusive_ns_sum").unwrap().u64().unwrap();
    assert!(!sums.is_empty());
    for (number, sum) in numbers.iter().zip(sums.iter()) {
        let operator = &summary.operators[number.unwrap() as usize];
        assert_eq!(operator.total.unwrap().0, sum.unwrap(), "{}", operator.operator.name);
    }
}

#[test]
fn the_example_prints_time_by_type_and_by_iteration() {
    // Tests lie in `deps`, examples beside it.
    let tests = std::env::current_exe().unwrap();
    let program = tests.ancestors().nth(2).unwrap().join("examples/query_a_trace");
    let output = Command::new(program).arg(fixture("onnxray/0.1.0/scan.json")).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let (summary, _) = examine(&trace("onnxray/0.1.0/scan.json")).unwrap();
    let (types, iterations) = text.split_once("iteration,milliseconds\n").unwrap();
    let expected = summary.types.iter().filter(|of_type| of_type.calls > Some(0)).map(|of_type| {
        let total = of_type.total.unwrap().0 as f64 / 1e6;
        format!("{},{total:.3}\n", of_type.operator_type)
    });
    assert_eq!(types, format!("type,milliseconds\n{}", expected.collect::<String>()));
    assert_eq!(iterations.lines().count() as u64, summary.types[0].time.unwrap().count);
}

//! Aggregations over the events of a trace: own loops over columns beside polars'
//! eager operations on the frame.
//!
//! `cargo bench -p onnxray-analyzer --bench tables` makes a trace of a million events
//! (200 operators, 1,000 iterations, 5 launches), or of `ONNXRAY_BENCH_ITERATIONS`
//! iterations, and runs each in turns; medians count. Where polars takes no more than
//! 1.3 times as long or as much memory, the analyzer uses it.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a bench that fails panics
#![allow(deprecated)] // what polars would have instead of `sum` is its lazy engine

#[path = "profiles/launches.rs"]
mod launches;
mod measure;
#[path = "profiles/sequence.rs"]
mod sequence;

use launches::Plan;
use measure::Row;
use onnxray_analyzer::{Needs, Trace, examine, frames};
use onnxray_format::{Operator, Run};
use polars::prelude::*;
use sequence::Sequence;
use std::hint::black_box;

const ROUNDS: usize = 7;
const OPERATORS: u32 = 200;

fn main() {
    let iterations = std::env::var("ONNXRAY_BENCH_ITERATIONS").ok();
    let iterations = iterations.and_then(|text| text.parse().ok()).unwrap_or(1000);
    let trace = trace(iterations);
    let events = frames::events(&trace).expect("a data frame");
    println!("{} events", events.height());
    let mut pairs = [
        [
            Row::new("sum and count by operator: loop", || drop(black_box(by_operator(&events)))),
            Row::new("polars: group_by, sum, count", || {
                let groups = events.group_by(["operator"]).unwrap().select(["exclusive_ns"]);
                black_box((groups.sum().unwrap(), groups.count().unwrap()));
            }),
        ],
        [
            Row::new("sum by iteration: loop", || {
                drop(black_box(by_iteration(&events, iterations)));
            }),
            Row::new("polars: group_by, sum", || {
                let groups = events.group_by(["launch", "iteration"]).unwrap();
                black_box(groups.select(["exclusive_ns"]).sum().unwrap());
            }),
        ],
        [
            Row::new("every figure of the summary", || {
                drop(black_box(examine(&trace, Needs::Measured)))
            }),
            Row::new("polars: sum by operator and iteration, p90 of each operator", || {
                black_box(percentiles(&events));
            }),
        ],
        [
            Row::new("order by lane and start: positions", || {
                drop(black_box(order(&events)));
            }),
            Row::new("polars: sort of the four columns", || {
                let by = ["launch", "thread", "iteration", "start_ns"];
                let lanes = events.select(by).unwrap();
                black_box(lanes.sort(by, SortMultipleOptions::default()).unwrap());
            }),
        ],
    ];
    for _ in 0..ROUNDS {
        pairs.iter_mut().flatten().for_each(Row::measure);
    }
    for [own, frames] in &mut pairs {
        let (seconds, memory) = (own.seconds(), own.peak as f64 / 1e6);
        println!("{:64} {:8.2} ms {memory:8.1} MB", own.name, 1e3 * seconds);
        println!(
            "{:64} {:8.2} ms {:8.1} MB ({:.1} x)",
            frames.name,
            1e3 * frames.seconds(),
            frames.peak as f64 / 1e6,
            frames.seconds() / seconds
        );
    }
}

fn trace(iterations: u32) -> Trace {
    let operator = |number| Operator {
        number,
        name: format!("/layer.{number}/MatMul"),
        operator_type: ["MatMul", "Add", "Gelu"][number as usize % 3].to_string(),
        ..Operator::default()
    };
    let operators: Vec<Operator> = (0..OPERATORS).map(operator).collect();
    let plan = Plan { run: Run::default(), operators: &operators, launches: 5, iterations };
    let mut random = Sequence::new(1);
    let launches = plan.launches(1000, |_, _, operator| 500 + operator as u64 + random.below(9000));
    Trace::new(launches)
}

fn small<'a>(events: &'a DataFrame, name: &str) -> &'a [u32] {
    events.column(name).unwrap().u32().unwrap().cont_slice().unwrap()
}

fn times(events: &DataFrame) -> &[u64] {
    events.column("exclusive_ns").unwrap().u64().unwrap().cont_slice().unwrap()
}

fn by_operator(events: &DataFrame) -> Vec<(u64, u64)> {
    let mut sums = vec![(0, 0); OPERATORS as usize];
    for (&operator, time) in small(events, "operator").iter().zip(times(events)) {
        let (sum, count) = &mut sums[operator as usize];
        *sum += time;
        *count += 1;
    }
    sums
}

fn by_iteration(events: &DataFrame, iterations: u32) -> Vec<u64> {
    let launches = small(events, "launch");
    let mut sums = vec![0; (launches.last().map_or(0, |last| last + 1) * iterations) as usize];
    let rows = launches.iter().zip(small(events, "iteration"));
    for ((launch, iteration), time) in rows.zip(times(events)) {
        sums[(launch * iterations + iteration) as usize] += time;
    }
    sums
}

fn order(events: &DataFrame) -> Vec<u32> {
    let columns = ["launch", "thread", "iteration"].map(|name| small(events, name));
    let starts = events.column("start_ns").unwrap().u64().unwrap().cont_slice().unwrap();
    let mut order: Vec<u32> = (0..starts.len() as u32).collect();
    order.sort_by_key(|&event| {
        let event = event as usize;
        (columns.map(|column| column[event]), starts[event])
    });
    order
}

fn percentiles(events: &DataFrame) -> DataFrame {
    let groups = events.group_by(["operator", "launch", "iteration"]).unwrap();
    let sums = groups.select(["exclusive_ns"]).sum().unwrap();
    let operators = sums.group_by(["operator"]).unwrap().select(["exclusive_ns_sum"]);
    operators.quantile(0.9, QuantileMethod::Linear).unwrap()
}

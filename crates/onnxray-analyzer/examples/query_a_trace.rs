//! Queries the tables of a trace with polars: filter, join, group, and rows to plot.
//!
//! `cargo run --locked --release --example query_a_trace -- engine_profiling`

#![allow(deprecated)] // what polars would have instead of `sum` is its lazy engine

use onnxray_analyzer::{Trace, exclusive_events};
use onnxray_import::{Reading, Sources, import};
use polars::prelude::*;
use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<PathBuf> = std::env::args().skip(1).map(PathBuf::from).collect();
    let sources = Sources::find(&paths)?;
    let trace = Trace::new(import(&sources.files, &Reading::default())?)?;

    // The executions of the first launch's measured iterations, kind 0, with what each
    // spent itself.
    let events = exclusive_events(&trace)?;
    let events = events.filter(&events.column("launch")?.u32()?.equal(0))?;
    let kinds = trace.iterations.column("kind")?.take(events.column("iteration")?.u32()?)?;
    let events = events.filter(&kinds.u32()?.equal(0))?;

    // The row of an operator is its number, so that a join is a lookup.
    let operators = trace.operator_table()?.take(events.column("operator")?.u32()?)?;
    let table = events.hstack(operators.select(["name", "type", "flops"])?.columns())?;

    let descending = || SortMultipleOptions::default().with_order_descending(true);
    let by_type = table.group_by(["type"])?.select(["exclusive_ns"]).sum()?;
    println!("type,milliseconds");
    let by_type = by_type.sort(["exclusive_ns_sum"], descending())?;
    let types = by_type.column("type")?.str()?.iter();
    for (name, sum) in types.zip(by_type.column("exclusive_ns_sum")?.u64()?.iter()) {
        println!("{},{:.3}", name.unwrap_or_default(), sum.unwrap_or_default() as f64 / 1e6);
    }

    // What the slowest type takes in each iteration, to plot over time.
    let Some(slowest) = by_type.column("type")?.str()?.get(0) else { return Ok(()) };
    let slowest = table.filter(&table.column("type")?.str()?.equal(slowest))?;
    let by_iteration = slowest.group_by(["iteration"])?.select(["exclusive_ns"]).sum()?;
    let by_iteration = by_iteration.sort(["iteration"], SortMultipleOptions::default())?;
    println!("iteration,milliseconds");
    let iterations = by_iteration.column("iteration")?.u32()?.iter();
    for (number, sum) in iterations.zip(by_iteration.column("exclusive_ns_sum")?.u64()?.iter()) {
        println!("{},{:.3}", number.unwrap_or_default(), sum.unwrap_or_default() as f64 / 1e6);
    }
    Ok(())
}

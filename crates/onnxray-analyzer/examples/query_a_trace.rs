//! Five questions to a recording, answered with polars: filter, join, group.
//!
//! `cargo run --locked --release --example query_a_trace -- engine_profiling`

#![allow(deprecated)] // what polars would have instead of `sum` is its lazy engine

use onnxray_analyzer::{Needs, Trace, examine, frames};
use onnxray_import::{Reading, Sources, import};
use polars::prelude::*;
use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<PathBuf> = std::env::args().skip(1).map(PathBuf::from).collect();
    let sources = Sources::find(&paths)?;
    let trace = Trace::new(import(&sources.files, &Reading::default())?);
    let summary = examine(&trace, Needs::Measured)?.summary;
    let descending = || SortMultipleOptions::default().with_order_descending(true);

    // The executions of measured iterations, joined with what ran: the row of an operator is its
    // number, so that a join is a lookup.
    let events = frames::events(&trace)?;
    let events = events.filter(&events.column("row")?.is_not_null())?;
    let kinds = frames::iterations(&summary)?.column("kind")?.take(events.column("row")?.u32()?)?;
    let events = events.filter(&kinds.str()?.equal("measured"))?;
    let operators = frames::operators(&summary)?.take(events.column("operator")?.u32()?)?;
    let table = events.hstack(operators.select(["name", "type"])?.columns())?;

    println!("type,milliseconds");
    let by_type = table.group_by(["type"])?.select(["exclusive_ns"]).sum()?;
    let by_type = by_type.sort(["exclusive_ns_sum"], descending())?;
    let types = by_type.column("type")?.str()?.iter();
    for (name, sum) in types.zip(by_type.column("exclusive_ns_sum")?.u64()?.iter()) {
        println!("{},{:.3}", name.unwrap_or_default(), sum.unwrap_or_default() as f64 / 1e6);
    }

    println!("\nrow,milliseconds of the slowest type");
    let slowest = by_type.column("type")?.str()?.get(0).unwrap_or_default();
    let own = table.filter(&table.column("type")?.str()?.equal(slowest))?;
    let by_row = own.group_by(["row"])?.select(["exclusive_ns"]).sum()?;
    let by_row = by_row.sort(["row"], SortMultipleOptions::default())?;
    let rows = by_row.column("row")?.u32()?.iter();
    for (row, sum) in rows.zip(by_row.column("exclusive_ns_sum")?.u64()?.iter()) {
        println!("{},{:.3}", row.unwrap_or_default(), sum.unwrap_or_default() as f64 / 1e6);
    }

    println!("\ntype,p99 of its time per iteration, milliseconds");
    let types = frames::types(&summary)?.sort(["time_p99_ms"], descending())?;
    let names = types.column("type")?.str()?.iter();
    for (name, p99) in names.zip(types.column("time_p99_ms")?.f64()?.iter()) {
        println!("{},{:.3}", name.unwrap_or_default(), p99.unwrap_or(f64::NAN));
    }

    println!("\nlaunch,milliseconds of the slowest operator");
    let operators = frames::operators(&summary)?.sort(["time_ms"], descending())?;
    let slowest = operators.column("name")?.str()?.get(0).unwrap_or_default();
    let own = table.filter(&table.column("name")?.str()?.equal(slowest))?;
    let by_launch = own.group_by(["launch"])?.select(["exclusive_ns"]).sum()?;
    let by_launch = by_launch.sort(["launch"], SortMultipleOptions::default())?;
    let launches = by_launch.column("launch")?.u32()?.iter();
    for (launch, sum) in launches.zip(by_launch.column("exclusive_ns_sum")?.u64()?.iter()) {
        println!("{},{:.3}", launch.unwrap_or_default(), sum.unwrap_or_default() as f64 / 1e6);
    }

    println!("\noperator,GFLOP/s: the three that use the processor least");
    let known = operators.filter(&operators.column("gflops_per_second")?.is_not_null())?;
    let slow = known.sort(["gflops_per_second"], SortMultipleOptions::default())?.head(Some(3));
    let names = slow.column("name")?.str()?.iter();
    for (name, rate) in names.zip(slow.column("gflops_per_second")?.f64()?.iter()) {
        println!("{},{:.2}", name.unwrap_or_default(), rate.unwrap_or(f64::NAN));
    }
    Ok(())
}

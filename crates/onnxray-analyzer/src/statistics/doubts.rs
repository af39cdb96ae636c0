//! What is doubtful about a recording, and what its format cannot tell.

use super::ranks::are_ranks;
use super::{IterationSummary, LaunchSummary, warmup};
use crate::trace::Trace;

/// What a careful reader should know before trusting the figures.
pub(super) fn doubts(launches: &[LaunchSummary], measured: &[&IterationSummary]) -> Vec<String> {
    let mut doubts = Vec::new();
    if are_ranks(launches) {
        doubts.push(format!(
            "the {} launches are ranks of one run, which wait for each other: together they count \
             as one launch",
            launches.len()
        ));
    }
    for launch in launches {
        if let Some(found) = launch.warmup_found.filter(|&found| found > launch.warmup_flagged) {
            doubts.push(format!(
                "launch {}: the first {found} iterations look like warm-up, {} are flagged as such; \
                 record with --warmup {found}",
                launch.launch, launch.warmup_flagged
            ));
        }
    }
    for launch in launches.iter().filter(|launch| launch.warmup_found.is_none()) {
        if launch.iterations + launch.warmup_flagged >= warmup::FEWEST as u64 {
            doubts.push(format!("launch {}: its latency never settles", launch.launch));
        }
    }
    if (1..10).contains(&measured.len()) {
        doubts.push(format!(
            "only {} iterations were measured: percentiles say little",
            measured.len()
        ));
    }
    doubts
}

/// What the trace cannot tell, in words.
pub(super) fn unknowns(trace: &Trace, measured: &[&IterationSummary]) -> Vec<String> {
    let mut unknowns = Vec::new();
    let format = match trace.runs.first().and_then(|run| run.converted_from.as_deref()) {
        Some(name) => name,
        None => trace.format.title,
    };
    let averaged = !trace.averages.is_empty();
    let timed = averaged || trace.events.height() > 0;
    if !timed {
        unknowns.push(format!("this {format} input tells of operators, not of their times"));
    } else if averaged {
        unknowns.push(format!(
            "this {format} input tells averages only: percentiles, minima and maxima of operators are \
             unknown where it does not state them"
        ));
    }
    if trace.runs.iter().any(|run| run.iterations_are_sums) && !measured.is_empty() {
        unknowns.push(format!(
            "iterations of this {format} input are sums of their operators: the overhead is unknown"
        ));
    }
    if timed && measured.is_empty() {
        unknowns.push(format!(
            "this {format} input does not tell of iterations: latency, throughput and overhead are \
             unknown, shares are of the operators' time"
        ));
    }
    unknowns
}

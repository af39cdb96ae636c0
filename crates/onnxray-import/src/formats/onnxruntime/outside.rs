//! How much of a run lies before its executor begins and behind its end: what goes in and comes
//! out is checked, copied to devices and back, and waited for.

use super::profile::{EXECUTOR, MODEL_RUN};
use crate::chrome::{EventTrace, Mark};
use std::cmp::Reverse;
use std::collections::HashMap;

/// The share of a run that is worth a word.
const LEAST_SHARE: f64 = 0.1;
/// In nanoseconds: what is worth a word.
const LEAST_TIME: f64 = 100_000.0;

/// Time before and behind the executor, if it is a large part of the runs.
pub(crate) fn note(trace: &EventTrace) -> Option<String> {
    let named = |mark: &Mark, is: fn(&[u8]) -> bool| {
        trace.labels.get(mark.label as usize).is_some_and(|label| is(label.raw_name()))
    };
    // The first of a thread to begin is that of the graph; those of bodies lie in it.
    let mut executors: HashMap<u32, Vec<&Mark>> = HashMap::new();
    for mark in trace.marks.iter().filter(|mark| named(mark, |name| name.ends_with(EXECUTOR))) {
        executors.entry(mark.thread).or_default().push(mark);
    }
    let end = |mark: &Mark| mark.start.saturating_add_unsigned(mark.duration);
    executors.values_mut().for_each(|own| own.sort_by_key(|mark| (mark.start, Reverse(end(mark)))));
    // Time before and behind the executor, and of the whole run.
    let mut runs: Vec<[u64; 3]> = Vec::new();
    for run in trace.marks.iter().filter(|mark| named(mark, |name| name == MODEL_RUN.as_bytes())) {
        let Some(own) = executors.get(&run.thread) else { continue };
        let first = own.partition_point(|mark| mark.start < run.start);
        let Some(executor) = own.get(first).filter(|mark| end(mark) <= end(run)) else { continue };
        let before = executor.start.abs_diff(run.start);
        runs.push([before, end(run).abs_diff(end(executor)), run.duration]);
    }
    // One run that was interrupted says nothing of the others.
    runs.sort_by_key(|[before, behind, _]| before.saturating_add(*behind));
    let [before, behind, whole] = runs.get(runs.len() / 2)?.map(|time| time as f64);
    let outside = before + behind;
    if outside < LEAST_TIME || outside < LEAST_SHARE * whole {
        return None;
    }
    let milliseconds = |time: f64| format!("{:.3} ms", time / 1e6);
    Some(format!(
        "of {} that a typical run takes, {} are outside of the executor, which runs the nodes: {} \
         before it begins, {} behind its end, for inputs and outputs that are checked, copied to a \
         device and back, or waited for; they are a part of the overhead",
        milliseconds(whole),
        milliseconds(outside),
        milliseconds(before),
        milliseconds(behind),
    ))
}

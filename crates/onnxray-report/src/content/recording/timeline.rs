//! When operators ran in a few iterations, and why there are not more of them.

use super::operators::sorted;
use crate::content::selection::Order;
use crate::document::{Note, SpanColumns, Timeline, TimelineIteration};
use onnxray_analyzer::Thread;
use onnxray_analyzer::statistics::{Details, NotShown, Reason, Spans, Stretch, Summary};
use onnxray_format::Nanoseconds;
use std::collections::{HashMap, HashSet};

/// `None` if there is nothing to draw, of which [`note`] tells.
pub(crate) fn timeline(summary: &Summary, details: &Details) -> Option<Timeline> {
    if details.stretches.is_empty() {
        return None;
    }
    let mut names = Names::of(summary);
    let iteration = |stretch: &Stretch| {
        let iteration = stretch.iteration.and_then(|row| summary.iterations.get(row));
        let launch = summary.launches.get(stretch.position as usize);
        let threads = details.threads.get(stretch.position as usize).map_or(&[][..], Vec::as_slice);
        // Threads that ran nothing have no row.
        let mut used = stretch.spans.thread.clone();
        used.sort_unstable();
        used.dedup();
        TimelineIteration {
            launch: launch.map_or(stretch.position, |launch| launch.launch),
            iteration: iteration.map(|iteration| iteration.index),
            why: why(stretch),
            latency_ms: iteration.map(|iteration| iteration.latency.milliseconds()),
            threads: thread_names(threads, &used),
            spans: names.columns(stretch, &used),
        }
    };
    let iterations = details.stretches.iter().map(iteration).collect();
    Some(Timeline { names: names.names, types: names.types, iterations })
}

/// Tells what the timeline leaves out, if anything.
pub(crate) fn note(summary: &Summary, details: &Details) -> Option<Note> {
    let text = match details.not_shown? {
        NotShown::NoExecutions => "no timeline: the trace has no single executions".to_string(),
        NotShown::NoMeasuredIteration => "no timeline: no iteration was measured".to_string(),
        NotShown::TooMany { executions, most } if summary.iterations.is_empty() => format!(
            "no timeline: the trace has no iterations, and its {executions} executions are more \
             than the {most} that a page draws at once"
        ),
        NotShown::TooMany { executions, most } => format!(
            "the timeline leaves out an iteration: its {executions} executions are more than the \
             {most} that a page draws at once"
        ),
    };
    Some(Note::note(text))
}

fn why(stretch: &Stretch) -> String {
    let words = stretch.reasons.iter().map(|reason| match reason {
        Reason::NearestToMedian => "nearest to the median",
        Reason::Slowest => "slowest",
        Reason::FirstMeasured => "first measured",
    });
    match stretch.iteration {
        Some(_) => words.collect::<Vec<_>>().join(", "),
        None => "whole launch: the trace has no iterations".to_string(),
    }
}

/// Names and types of what was executed, each once, and the numbers that refer to them.
struct Names<'a> {
    summary: &'a Summary,
    /// By number of the operator: its row in the table.
    rows: Vec<u32>,
    names: Vec<String>,
    /// By position of the kernel: number of its name, once it has one.
    of_kernel: Vec<Option<u32>>,
    types: Vec<String>,
    of_type: HashMap<&'a str, u32>,
}

impl<'a> Names<'a> {
    fn of(summary: &'a Summary) -> Names<'a> {
        let mut rows = vec![0; summary.operators.len()];
        for (row, operator) in (0..).zip(sorted(&summary.operators, Order::Execution)) {
            // Numbers of operators are their positions in the summary.
            rows[operator.operator.number as usize] = row;
        }
        Names {
            summary,
            rows,
            names: Vec::new(),
            of_kernel: vec![None; summary.kernels().len()],
            types: Vec::new(),
            of_type: HashMap::new(),
        }
    }

    fn name(&mut self, kernel: u32) -> u32 {
        let (next, summary) = (self.names.len() as u32, self.summary);
        *self.of_kernel[kernel as usize].get_or_insert_with(|| {
            self.names.push(summary.kernels()[kernel as usize].operator.name.clone());
            next
        })
    }

    fn operator_type(&mut self, kernel: u32) -> u32 {
        let (next, summary) = (self.types.len() as u32, self.summary);
        let name = summary.kernels()[kernel as usize].operator.operator_type.as_str();
        *self.of_type.entry(name).or_insert_with(|| {
            self.types.push(name.to_string());
            next
        })
    }

    /// `threads` are the numbers of those that have a row, in order.
    fn columns(&mut self, stretch: &Stretch, threads: &[u32]) -> SpanColumns {
        let Spans { kernel, operator, thread, depth, start, duration, exclusive } = &stretch.spans;
        let times = |times: &[Nanoseconds]| times.iter().map(|time| time.milliseconds()).collect();
        SpanColumns {
            name: kernel.iter().map(|&kernel| self.name(kernel)).collect(),
            operator_type: kernel.iter().map(|&kernel| self.operator_type(kernel)).collect(),
            operator: operator.iter().map(|&number| self.rows[number as usize]).collect(),
            // `threads` is ascending.
            thread: thread.iter().map(|of| threads.partition_point(|t| t < of) as u32).collect(),
            depth: depth.clone(),
            start_ms: start.iter().map(|&start| from(stretch.begin, start)).collect(),
            duration_ms: times(duration),
            exclusive_ms: times(exclusive),
        }
    }
}

/// Milliseconds from one time to another; negative if a producer's clock puts an operator before
/// its iteration.
fn from(begin: Nanoseconds, time: Nanoseconds) -> f64 {
    match time >= begin {
        true => (time - begin).milliseconds(),
        false => -(begin - time).milliseconds(),
    }
}

/// Names of these threads, with the process if the launch has several.
fn thread_names(all: &[Thread], numbers: &[u32]) -> Vec<String> {
    let processes: HashSet<&str> = all.iter().map(|thread| thread.process.as_str()).collect();
    let unknown = Thread::default();
    let name = |&number: &u32| {
        let thread = all.get(number as usize).unwrap_or(&unknown);
        let own = named("thread", &thread.thread_name, &thread.thread);
        match processes.len() {
            0 | 1 => own,
            _ => format!("{}, {own}", named("process", &thread.process_name, &thread.process)),
        }
    };
    numbers.iter().map(name).collect()
}

/// The name, or the kind and the number.
fn named(what: &str, name: &str, number: &str) -> String {
    match (name, number) {
        ("", "") => format!("{what} unknown"),
        ("", number) if number.parse::<i64>().is_ok() => format!("{what} {number}"),
        ("", name) | (name, _) => name.to_string(),
    }
}

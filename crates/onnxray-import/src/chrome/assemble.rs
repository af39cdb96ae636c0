//! Turns rows of labels into executions of operators, each in its iteration.

use super::trace::{EventTrace, Mark};
use crate::spans::Ends;
use crate::{EventChunk, Events, Launch, NO_ITERATION};
use onnxray_format::{Iteration, IterationKind, Nanoseconds, Step, Warning};
use onnxray_text::counted;
use std::path::Path;

/// An iteration, and the thread that ran it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IterationMark {
    /// The thread that ran it.
    pub thread: u32,
    /// How it was run.
    pub kind: IterationKind,
    /// What it is a step of, if it is not a whole inference.
    pub step: Option<Step>,
    /// Number that the producer gave it; positions count where it gave none.
    pub index: Option<u32>,
    /// Nanoseconds; may be negative.
    pub start: i64,
    /// Nanoseconds.
    pub duration: u64,
}

impl IterationMark {
    /// A measured iteration, as an event marks it.
    pub fn measured(mark: &Mark, index: Option<u32>) -> IterationMark {
        let Mark { thread, start, duration, .. } = *mark;
        IterationMark { thread, kind: IterationKind::Measured, step: None, index, start, duration }
    }
}

/// Iterations and events, and what was doubtful about their relation.
#[derive(Default)]
pub struct Assembled {
    /// In order of start.
    pub iterations: Vec<Iteration>,
    /// The thread of each iteration.
    pub iteration_threads: Vec<u32>,
    /// The executions, each with its iteration.
    pub events: Events,
    /// Events in the time of several iterations; the latest to begin has them.
    pub ambiguous: u64,
    /// Events in the time of none.
    pub outside: u64,
    /// The time that they cover on each thread of the host, and on each stream of devices.
    pub(crate) outside_time: [Nanoseconds; 2],
}

impl Assembled {
    /// What should be known about events and iterations, which the producer
    /// calls `one` and `many`.
    pub fn notes(&self, file: &Path, one: &str, many: &str) -> Vec<Warning> {
        let note = |(count, what): (u64, String)| {
            Warning::note(file, format!("{} in {what}", counted(count, "event is", "events are")))
        };
        let outside = if self.iterations.is_empty() { 0 } else { self.outside };
        let [host, devices] =
            self.outside_time.map(|time| format!("{:.3} ms", time.milliseconds()));
        let whose = if outside == 1 { "its" } else { "their" };
        let time = match self.outside_time {
            [_, Nanoseconds(0)] => format!("{whose} {host}"),
            [Nanoseconds(0), _] => format!("{whose} {devices} of devices"),
            _ => format!("{whose} {host} of the host and {devices} of devices"),
        };
        let notes = [
            (self.ambiguous, format!("the time of several {many} at once and went to the latest")),
            (outside, format!("no {one}; the figures are without {time}")),
        ];
        notes.into_iter().filter(|&(count, _)| count > 0).map(note).collect()
    }
}

impl Assembled {
    /// By iteration: whether an event is in it.
    pub fn has_events(&self) -> Vec<bool> {
        let mut has_events = vec![false; self.iterations.len()];
        for &position in self.events.chunks.iter().flat_map(|chunk| &chunk.iteration) {
            // Those in no iteration have no position.
            if let Some(has_events) = has_events.get_mut(position as usize) {
                *has_events = true;
            }
        }
        has_events
    }

    /// Takes out the other iterations, in which no event is.
    pub fn keep(&mut self, is_kept: &[bool]) {
        let mut next = 0;
        let positions: Vec<u32> = is_kept
            .iter()
            .map(|&is_kept| {
                let position = next;
                next += u32::from(is_kept);
                position
            })
            .collect();
        for position in self.events.chunks.iter_mut().flat_map(|chunk| &mut chunk.iteration) {
            *position = positions.get(*position as usize).copied().unwrap_or(*position);
        }
        let mut kept = is_kept.iter();
        self.iterations.retain(|_| kept.next() == Some(&true));
        let mut kept = is_kept.iter();
        self.iteration_threads.retain(|_| kept.next() == Some(&true));
    }
}

impl From<Assembled> for Launch {
    fn from(assembled: Assembled) -> Launch {
        let Assembled { iterations, iteration_threads, events, .. } = assembled;
        Launch { iterations, iteration_threads, events, ..Launch::default() }
    }
}

/// Assigns each row to the iteration of its thread in whose time it begins, or,
/// on a thread that has no iterations, to any in whose time it begins. What ran on a device
/// is placed where it was launched, if that is known. `operators` has the operator of each
/// label; rows of other labels are dropped.
///
/// Times are moved so that `origin` becomes 0.
pub fn assemble(
    trace: &mut EventTrace,
    operators: &[Option<u32>],
    mut marks: Vec<IterationMark>,
    origin: i64,
) -> Assembled {
    // The finder takes them by their starts.
    marks.sort_by_key(|mark| (mark.start, mark.duration));
    let moved = |time: i64| time.saturating_sub(origin).max(0) as u64;
    // Unprofiled iterations are numbered apart from the others.
    let mut counts = [0u32; 2];
    let iterations: Vec<Iteration> = marks
        .iter()
        .map(|mark| {
            let count = &mut counts[usize::from(mark.kind == IterationKind::Unprofiled)];
            let index = mark.index.unwrap_or(*count);
            *count += 1;
            let (start, duration) = (Nanoseconds(moved(mark.start)), Nanoseconds(mark.duration));
            Iteration { index, kind: mark.kind, start, duration, step: mark.step }
        })
        .collect();
    let mut finder = Finder::new(&marks, trace.threads.len());
    let mut events = Events {
        chunks: Vec::with_capacity(trace.chunks.len()),
        threads: std::mem::take(&mut trace.threads),
        figures: trace.figures.to_vec(),
    };
    let mut work = trace.work.iter().peekable();
    let mut outside = Outside::default();
    for (number, mut rows) in (0..).zip(std::mem::take(&mut trace.chunks)) {
        let mut kept: Option<Vec<usize>> = None;
        // Most chunks keep all rows: copy columns only where a label is dropped.
        if rows.label.iter().any(|&label| operators[label as usize].is_none()) {
            let is_kept = |&row: &usize| operators[rows.label[row] as usize].is_some();
            let rows_kept: Vec<usize> = (0..rows.label.len()).filter(is_kept).collect();
            rows = rows.select(&rows_kept);
            kept = Some(rows_kept);
        }
        let mut find = |row: usize| {
            let was = kept.as_ref().map_or(row, |kept| kept[row]) as u32;
            // Device work is sorted by chunk and row, as the rows are, so that one pass joins them.
            while work.next_if(|work| (work.chunk, work.row) < (number, was)).is_some() {}
            let on_device = work.next_if(|work| (work.chunk, work.row) == (number, was));
            let launch = on_device.and_then(|work| work.launch);
            // Work of a device belongs to the iteration that launched it, however late it runs.
            let (thread, start) = launch.map_or((rows.thread[row], rows.start[row]), |launch| {
                (launch.thread, launch.start)
            });
            let iteration = finder.find(thread, start);
            if iteration == NO_ITERATION && !marks.is_empty() {
                outside.add(
                    on_device.is_some(),
                    rows.thread[row],
                    rows.start[row],
                    rows.duration[row],
                );
            }
            iteration
        };
        let iteration = (0..rows.label.len()).map(&mut find).collect();
        rows.label.iter_mut().for_each(|label| {
            *label = operators[*label as usize].unwrap_or_default();
        });
        events.chunks.push(EventChunk {
            operator: rows.label,
            iteration,
            thread: rows.thread,
            start: rows.start.into_iter().map(moved).collect(),
            duration: rows.duration,
            figures: rows.figures,
        });
    }
    events.chunks.retain(|chunk| !chunk.is_empty());
    events.drop_unknown_figures();
    let iteration_threads = marks.iter().map(|mark| mark.thread).collect();
    Assembled {
        iterations,
        iteration_threads,
        events,
        ambiguous: finder.ambiguous,
        outside: finder.outside,
        outside_time: outside.time(),
    }
}

/// Executions in the time of no iteration.
#[derive(Default)]
struct Outside {
    /// Whether it ran on a device, its thread, its start and its end.
    spans: Vec<(bool, u32, i64, i64)>,
}

impl Outside {
    fn add(&mut self, on_device: bool, thread: u32, start: i64, duration: u64) {
        self.spans.push((on_device, thread, start, start.saturating_add_unsigned(duration)));
    }

    /// What they cover of each thread, added up: of the host, and of devices.
    fn time(mut self) -> [Nanoseconds; 2] {
        self.spans.sort_unstable();
        let mut times = [0u64; 2];
        for of_thread in self.spans.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let mut until = i64::MIN;
            for &(on_device, _, start, end) in of_thread {
                let covered = end.saturating_sub(start.max(until)).max(0) as u64;
                let time = &mut times[usize::from(on_device)];
                *time = time.saturating_add(covered);
                until = until.max(end);
            }
        }
        times.map(Nanoseconds)
    }
}

/// Finds the iteration in whose time an event begins.
struct Finder<'a> {
    marks: &'a [IterationMark],
    /// Positions of each thread's iterations, in order of start.
    by_thread: Vec<Vec<u32>>,
    ends: Ends<i64>,
    /// The last answer per thread: events come mostly in order.
    last: Vec<usize>,
    ambiguous: u64,
    outside: u64,
}

impl Finder<'_> {
    fn new(marks: &[IterationMark], threads: usize) -> Finder<'_> {
        let mut by_thread = vec![Vec::new(); threads];
        for (position, mark) in marks.iter().enumerate() {
            by_thread[mark.thread as usize].push(position as u32);
        }
        let ends = Ends::new(marks.iter().map(end));
        let last = vec![0; threads];
        Finder { marks, by_thread, ends, last, ambiguous: 0, outside: 0 }
    }

    fn find(&mut self, thread: u32, start: i64) -> u32 {
        if self.marks.is_empty() {
            return NO_ITERATION;
        }
        let own = &self.by_thread[thread as usize];
        let iteration = match own.is_empty() {
            false => {
                let last = &mut self.last[thread as usize];
                let begins = |index: usize| self.marks[own[index] as usize].start;
                let here = begins(*last) <= start
                    && own.get(*last + 1).is_none_or(|_| begins(*last + 1) > start);
                if !here {
                    *last = own
                        .partition_point(|&index| self.marks[index as usize].start <= start)
                        .saturating_sub(1);
                }
                let position = own[*last];
                let mark = &self.marks[position as usize];
                (mark.start <= start && start <= end(mark)).then_some(position)
            }
            true => {
                let begun = self.marks.partition_point(|mark| mark.start <= start);
                let latest = self.ends.last(begun, |end| end >= start);
                // Where one ends and the next begins, it is the next one's.
                let several =
                    latest.is_some_and(|one| self.ends.last(one, |end| end > start).is_some());
                self.ambiguous += u64::from(several);
                latest.map(|position| position as u32)
            }
        };
        self.outside += u64::from(iteration.is_none());
        iteration.unwrap_or(NO_ITERATION)
    }
}

fn end(mark: &IterationMark) -> i64 {
    mark.start.saturating_add_unsigned(mark.duration)
}

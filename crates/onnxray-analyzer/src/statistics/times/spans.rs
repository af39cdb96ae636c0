//! The executions of a few iterations, one by one: what a timeline shows.

use super::exclusive::ExclusiveTimes;
use crate::statistics::IterationSummary;
use crate::trace::{Events, Trace};
use onnxray_format::{IterationKind, Nanoseconds, depths};

/// Executions that a trace without iterations may have, for all of them to be shown.
const MOST_WITHOUT_ITERATIONS: usize = 50_000;
/// Executions that an iteration may have to be shown.
const MOST_OF_AN_ITERATION: usize = 200_000;

/// The executions of an iteration, or of a launch if the trace has no iterations.
#[derive(Clone, Debug)]
pub struct Stretch {
    /// Position of the launch in the trace.
    pub position: u32,
    /// Position among the iterations of the summary; `None` if the trace has none.
    pub iteration: Option<usize>,
    /// Why it was chosen; empty if the trace has no iterations.
    pub reasons: Vec<Reason>,
    /// Begin on the clock of its launch.
    pub begin: Nanoseconds,
    /// In the order of the trace.
    pub spans: Spans,
}

/// Why an iteration is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// No latency of a measured iteration is nearer to their median.
    NearestToMedian,
    /// No measured iteration takes longer.
    Slowest,
    /// It is the first that was measured.
    FirstMeasured,
}

/// Executions in columns of equal length.
#[derive(Clone, Debug, Default)]
pub struct Spans {
    /// Position among the kernels of the summary.
    pub kernel: Vec<u32>,
    /// Position among its operators.
    pub operator: Vec<u32>,
    /// Number of the thread or stream in the launch.
    pub thread: Vec<u32>,
    /// Number of others of its thread that contain it; those of one thread and depth do not
    /// overlap.
    pub depth: Vec<u32>,
    /// On the clock of the launch.
    pub start: Vec<Nanoseconds>,
    /// Executions inside included.
    pub duration: Vec<Nanoseconds>,
    /// Without executions inside.
    pub exclusive: Vec<Nanoseconds>,
}

/// Why executions are not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotShown {
    /// The trace tells of none.
    NoExecutions,
    /// It has iterations, but no measured one.
    NoMeasuredIteration,
    /// An iteration, or the trace if it has none, has more of them than a timeline takes.
    TooMany {
        /// Number of executions.
        executions: usize,
        /// Most that a timeline takes.
        most: usize,
    },
}

/// Three iterations at most: the one nearest to the median, the slowest and the first one that
/// was measured; and why there are not all of them. Of a trace without iterations: its launches.
pub(in crate::statistics) fn stretches(
    trace: &Trace,
    iterations: &[IterationSummary],
    exclusive: &ExclusiveTimes,
) -> (Vec<Stretch>, Option<NotShown>) {
    let executions = trace.events.len();
    if executions == 0 {
        return (Vec::new(), Some(NotShown::NoExecutions));
    }
    let events = ExclusiveEvents { trace, exclusive };
    if iterations.is_empty() {
        let most = MOST_WITHOUT_ITERATIONS;
        return match executions > most {
            true => (Vec::new(), Some(NotShown::TooMany { executions, most })),
            false => (events.by_launch(), None),
        };
    }
    let chosen = chosen(iterations);
    if chosen.is_empty() {
        return (Vec::new(), Some(NotShown::NoMeasuredIteration));
    }
    let Events { launch, iteration, .. } = &trace.events;
    // One pass over all events, of which there may be millions, for three iterations at most.
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); chosen.len()];
    for event in 0..executions {
        let row = trace.iterations.row(launch[event], iteration[event]);
        let place = chosen.iter().position(|&(chosen, _)| row == Some(chosen as u32));
        if let Some(place) = place {
            members[place].push(event);
        }
    }
    let (mut stretches, mut not_shown) = (Vec::new(), None);
    for ((row, reasons), members) in chosen.into_iter().zip(members) {
        let (executions, most) = (members.len(), MOST_OF_AN_ITERATION);
        if executions > most {
            not_shown = Some(NotShown::TooMany { executions, most });
            continue;
        }
        stretches.push(Stretch {
            position: iterations[row].position,
            iteration: Some(row),
            reasons,
            begin: iterations[row].start,
            spans: events.spans(&members),
        });
    }
    (stretches, not_shown)
}

/// The iterations to show, each once, by their positions. Of equal ones, the first.
fn chosen(iterations: &[IterationSummary]) -> Vec<(usize, Vec<Reason>)> {
    let is_measured = |row: &usize| iterations[*row].kind == IterationKind::Measured;
    let measured: Vec<usize> = (0..iterations.len()).filter(is_measured).collect();
    // Doubled below, which 64 bits may not hold.
    let latency = |row: usize| u128::from(iterations[row].latency.0);
    let mut latencies: Vec<u128> = measured.iter().map(|&row| latency(row)).collect();
    latencies.sort_unstable();
    let (Some(&first), Some(&slowest)) = (measured.first(), latencies.last()) else {
        return Vec::new();
    };
    // Twice the median is a whole number, even between two latencies.
    let middle = latencies[(latencies.len() - 1) / 2] + latencies[latencies.len() / 2];
    // `min_by_key` takes the first of equal ones (docs/statistics.md#timeline).
    let nearest = measured.iter().copied().min_by_key(|&row| middle.abs_diff(2 * latency(row)));
    let slowest = measured.iter().copied().find(|&row| latency(row) == slowest);
    let mut chosen: Vec<(usize, Vec<Reason>)> = Vec::new();
    for (row, reason) in [
        (nearest, Reason::NearestToMedian),
        (slowest, Reason::Slowest),
        (Some(first), Reason::FirstMeasured),
    ] {
        let Some(row) = row else { continue };
        match chosen.iter_mut().find(|(known, _)| *known == row) {
            Some((_, reasons)) => reasons.push(reason),
            None => chosen.push((row, vec![reason])),
        }
    }
    chosen
}

struct ExclusiveEvents<'a> {
    trace: &'a Trace,
    exclusive: &'a ExclusiveTimes,
}

impl ExclusiveEvents<'_> {
    /// One stretch per launch, in the order of events.
    fn by_launch(&self) -> Vec<Stretch> {
        let Events { launch, start, .. } = &self.trace.events;
        let all: Vec<usize> = (0..launch.len()).collect();
        let launches = all.chunk_by(|&a, &b| launch[a] == launch[b]);
        let stretch = |events: &[usize]| Stretch {
            position: launch[events[0]],
            iteration: None,
            reasons: Vec::new(),
            begin: Nanoseconds(events.iter().map(|&event| start[event]).min().unwrap_or(0)),
            spans: self.spans(events),
        };
        launches.map(stretch).collect()
    }

    /// `events` are of one launch and one iteration.
    fn spans(&self, events: &[usize]) -> Spans {
        fn of<T: Copy>(column: &[T], events: &[usize]) -> Vec<T> {
            events.iter().map(|&event| column[event]).collect()
        }
        let times =
            |column: &[u64]| events.iter().map(|&event| Nanoseconds(column[event])).collect();
        let Events { kernel, thread, start, duration, .. } = &self.trace.events;
        let thread = of(thread, events);
        let (starts, durations) = (of(start, events), of(duration, events));
        let kernel = of(kernel, events);
        Spans {
            operator: kernel.iter().map(|&kernel| self.trace.operator_of(kernel)).collect(),
            kernel,
            depth: depths(&starts, &durations, |span| thread[span], self.exclusive.coinciding),
            thread,
            start: times(start),
            duration: times(duration),
            exclusive: times(&self.exclusive.times),
        }
    }
}

//! What every importer produces: one launch as columns, the same for all
//! formats.

use crate::figure::Figure;
use crate::format::Format;
use crate::packed::Packed;
use onnxray_format::{
    Calibration, Compact, Conditions, Costs, Iteration, Nanoseconds, Operator, Roofs, Run, Warning,
};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Value of [`EventChunk::iteration`] for an event that lies in no iteration,
/// or whose format does not tell.
pub const NO_ITERATION: u32 = u32::MAX;

/// What one or more files say about one launch.
///
/// A format that has no executions fills `averages` instead of `events`. What it
/// cannot tell stays empty or `None`; nothing is made up.
#[derive(Clone, Debug, Default)]
pub struct Launch {
    /// What it was read from.
    pub format: Format,
    /// Its files, those of the trace first.
    pub files: Vec<PathBuf>,
    /// Text that is unknown is empty.
    pub run: Run,
    /// An operator's number is its position.
    pub operators: Vec<Operator>,
    /// In order of start; empty if the format marks no iterations.
    pub iterations: Vec<Iteration>,
    /// Those of the phases of a generation that were not chosen.
    pub other_phases: Vec<Iteration>,
    /// The thread that ran each of them, if known; empty if not.
    pub iteration_threads: Vec<u32>,
    /// Executions of operators; none if the format has `averages`.
    pub events: Events,
    /// At most one per operator, in any order.
    pub averages: Vec<Average>,
    /// What goes with averages that are of typical iterations of all launches: one, or one for
    /// each phase of a generation; empty if they are not.
    pub compact: Vec<Compact>,
    /// What it saw of the machine while it ran.
    pub conditions: Option<Conditions>,
    /// What it measured of the cost of profiling.
    pub calibration: Option<Calibration>,
    /// What it measured of the machine's largest rates.
    pub roofs: Option<Roofs>,
    /// What an inference costs, by processes that only run the model.
    pub costs: Option<Costs>,
    /// What was left out, and what is doubtful.
    pub warnings: Vec<Warning>,
    /// Events of a trace that are not executions, and with which nothing is wrong.
    pub ignored: Vec<Warning>,
}

/// Executions of operators, in chunks of columns.
#[derive(Clone, Debug, Default)]
pub struct Events {
    /// In the order in which they were read, which need not be that of time.
    pub chunks: Vec<EventChunk>,
    /// Threads or streams, by the number that [`EventChunk::thread`] holds.
    pub threads: Vec<Thread>,
    /// What the figures' columns hold, in their order.
    pub figures: Vec<Figure>,
}

/// Executions as columns of equal length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EventChunk {
    /// Position of the operator in the launch's table.
    pub operator: Vec<u32>,
    /// Position in the launch's list of iterations, or [`NO_ITERATION`].
    pub iteration: Vec<u32>,
    /// Position in [`Events::threads`].
    pub thread: Vec<u32>,
    /// Nanoseconds on the launch's clock.
    pub start: Vec<u64>,
    /// Nanoseconds, operators inside included.
    pub duration: Vec<u64>,
    /// One column per figure.
    pub figures: Vec<Packed>,
}

/// A thread of a process, or a stream of a device, as the trace names them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Thread {
    /// Name or id of the process; empty if unknown.
    pub process: String,
    /// Name or id of the thread; empty if unknown.
    pub thread: String,
    /// What the trace calls the process beside; empty if nothing.
    pub process_name: String,
    /// What the trace calls the thread beside; empty if nothing.
    pub thread_name: String,
}

/// What a format states about an operator instead of its executions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Average {
    /// Position of the operator in the launch's table.
    pub operator: u32,
    /// Time per iteration without operators inside, in nanoseconds.
    pub mean_ns: Option<f64>,
    /// Median of the same.
    pub median_ns: Option<f64>,
    /// The least of the same.
    pub min_ns: Option<f64>,
    /// The most of the same.
    pub max_ns: Option<f64>,
    /// Executions per iteration.
    pub executions: Option<f64>,
    /// How many iterations the figures are of.
    pub iterations: Option<u64>,
    /// Upper end of a mean that cannot be told from the profiling cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub below_ns: Option<f64>,
}

impl Launch {
    /// The durations of all executions and iterations, those inside others included, in
    /// nanoseconds.
    pub(crate) fn total_time(&self) -> u128 {
        let executions = self.events.chunks.iter().flat_map(|chunk| &chunk.duration);
        let iterations = self.iterations.iter().map(|iteration| &iteration.duration.0);
        executions.chain(iterations).map(|&duration| u128::from(duration)).sum()
    }

    /// Keeps the iterations that are `left`, in their order, with the executions in them; those
    /// of others lie in none from then on.
    pub(crate) fn keep_iterations(&mut self, left: &[bool]) {
        let mut next = 0;
        let position = |&left: &bool| {
            next += u32::from(left);
            if left { next - 1 } else { NO_ITERATION }
        };
        let positions: Vec<u32> = left.iter().map(position).collect();
        let position = |at: u32| positions.get(at as usize).copied().unwrap_or(NO_ITERATION);
        let is_left = |at: usize| left.get(at).copied().unwrap_or_default();
        retain(&mut self.iterations, is_left);
        retain(&mut self.iteration_threads, is_left);
        for chunk in &mut self.events.chunks {
            chunk.iteration.iter_mut().for_each(|at| *at = position(*at));
        }
    }
}

impl Events {
    /// Executions in all chunks.
    pub fn len(&self) -> usize {
        self.chunks.iter().map(EventChunk::len).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Drops the figures of which nothing is known.
    pub fn drop_unknown_figures(&mut self) {
        let is_known: Vec<bool> = (0..self.figures.len())
            .map(|index| self.chunks.iter().any(|chunk| !chunk.figures[index].is_unknown()))
            .collect();
        let keep = |index: usize| is_known.get(index).copied().unwrap_or_default();
        retain(&mut self.figures, keep);
        self.chunks.iter_mut().for_each(|chunk| retain(&mut chunk.figures, keep));
    }
}

fn retain<T>(list: &mut Vec<T>, keep: impl Fn(usize) -> bool) {
    let mut index = 0;
    list.retain(|_| {
        index += 1;
        keep(index - 1)
    });
}

impl EventChunk {
    /// The rows at these positions.
    pub fn select(&self, rows: &[usize]) -> EventChunk {
        fn pick<T: Copy>(column: &[T], rows: &[usize]) -> Vec<T> {
            rows.iter().map(|&row| column[row]).collect()
        }
        EventChunk {
            operator: pick(&self.operator, rows),
            iteration: pick(&self.iteration, rows),
            thread: pick(&self.thread, rows),
            start: pick(&self.start, rows),
            duration: pick(&self.duration, rows),
            figures: self.figures.iter().map(|column| column.select(rows)).collect(),
        }
    }

    /// Executions in the chunk.
    pub fn len(&self) -> usize {
        self.operator.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.operator.is_empty()
    }
}

impl Average {
    /// An operator of which only its mean time per iteration is known.
    pub fn of_mean(operator: u32, mean: Nanoseconds) -> Average {
        Average { operator, mean_ns: Some(mean.0 as f64), ..Average::default() }
    }
}

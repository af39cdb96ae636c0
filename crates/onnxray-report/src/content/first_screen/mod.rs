//! What a reader sees first of a recording: what was measured, how long it takes, whether that
//! can be trusted, where the time goes, and what to do next. At most a screen of it; everything
//! is of figures that other reports show as well.
//!
//! ```text
//! selection ◀ tables; headline; lines; trust
//! ```

mod headline;
mod lines;
mod selection;
mod tables;
mod trust;

pub(crate) use headline::{headline, left_out};
pub(crate) use lines::{run, setup};
pub use selection::{FirstScreenSelection, Rows};

use super::recording::model;
use crate::document::{Chart, Figures, Line, Table, TimeUnit};
use onnxray_analyzer::comparison::Check;
use onnxray_analyzer::statistics::Summary;

/// What a reader sees first.
#[derive(Clone, Debug)]
pub struct FirstScreen {
    /// The latency, and what most of it is, in sentences.
    pub headline: Vec<String>,
    /// The decisive figures; their keys are those of all figures of the model.
    pub figures: Figures,
    /// What was measured: model, engine, threads, batch, processor, iterations.
    pub run: Line,
    /// Latency, what profiling adds, and whether to trust that.
    pub lines: Vec<Line>,
    /// Operator types and what else the time goes to, which add up to a typical iteration; `None`
    /// where no time of an operator is known.
    pub types: Option<Table>,
    /// The times of the types' rows but what they add up to; `None` where there are no times.
    pub(crate) chart: Option<Chart>,
    /// The slowest operators; `None` like the types.
    pub operators: Option<Table>,
    /// What to do next; without parts where that is not known.
    pub next: Line,
    /// Unit of all its times.
    pub(crate) unit: TimeUnit,
}

impl FirstScreen {
    /// The same where something else is to be done next.
    pub fn without_next(mut self) -> FirstScreen {
        self.next.parts.clear();
        self
    }
}

/// Keys of the model's figures that the first screen has, as far as they are known.
const DECISIVE: [&str; 14] = [
    "batch_size",
    "threads",
    "instances",
    "launches",
    "iterations",
    "latency_median_ms",
    "latency_median_low_ms",
    "latency_median_high_ms",
    "latency_p90_ms",
    "latency_p99_ms",
    "device_mean_ms",
    "throughput_items_per_second",
    "gflops_per_second",
    "recording_overhead_percent",
];

/// The first screen of a recording, with what a check of it found.
pub fn first_screen(
    summary: &Summary,
    check: Option<&Check>,
    selection: &FirstScreenSelection,
) -> FirstScreen {
    let words = selection.words.as_deref();
    let unit = lines::time_unit(summary);
    let mut lines = lines::lines(summary, unit);
    lines.extend(check.map(|check| trust::trust(check, words)));
    let next = words.map_or(Line::new("Next"), |words| lines::next(words, summary));
    let run = run(summary);
    let around = [&run, &next].iter().filter(|line| !line.parts.is_empty()).count();
    // A blank line parts each of them from the rest.
    let taken = lines.len() + 2 * around;
    let (types, operators) = tables::tables(summary, selection, taken);
    let chart = types.as_ref().and_then(|types| tables::chart(summary, types));
    let mut figures = model::figures(summary);
    figures.figures.retain(|figure| DECISIVE.contains(&figure.heading.key));
    FirstScreen {
        headline: headline(summary),
        figures,
        run,
        lines,
        types,
        chart,
        operators,
        next,
        unit,
    }
}

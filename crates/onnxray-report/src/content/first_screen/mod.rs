//! What a reader sees first of a recording: what was measured, how long it takes, whether that
//! can be trusted, where the time goes, and what to do next. At most a screen of it; everything
//! is of figures that other reports show as well.
//!
//! ```text
//! selection ◀ tables; headline; lines; outlier; trust
//! ```

mod cost;
mod headline;
mod lines;
mod outlier;
mod selection;
mod tables;
mod trust;

pub(crate) use headline::{headline, left_out};
pub(crate) use lines::{run, sentences, setup};
pub use selection::{FirstScreenSelection, Rows};
pub(crate) use trust::sentence;

use super::recording::model;
use crate::document::{Block, Compact, Document, Line, Lines};
use onnxray_analyzer::comparison::Check;
use onnxray_analyzer::statistics::Summary;

/// Rows of both tables that come before remarks.
const FEWEST_ROWS: usize = 10;

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

/// The first screen of a recording, with what a check of it found: what was measured; latency, what
/// profiling adds, and whether to trust that; operator types and what else the time goes to, which
/// add up to a typical iteration, and the slowest operators, where times of operators are known;
/// what to do next, where that is.
pub fn first_screen(
    summary: &Summary,
    check: Option<&Check>,
    selection: &FirstScreenSelection,
) -> Document {
    let words = selection.words.as_deref();
    let unit = lines::time_unit(summary);
    let mut lines = lines::lines(summary, unit);
    lines.extend(check.map(|check| trust::trust(check, words)));
    let next = words.map(|words| lines::next(words, summary));
    let run = run(summary);
    let folds = selection.fold && selection.modules.is_empty();
    let mut outlier = outlier::outlier(summary).filter(|_| folds && !summary.is_unprofiled());
    let taken = |lines: &[Line], outlier: &Option<Line>| {
        let around = [!run.parts.is_empty(), outlier.is_some(), next.is_some()];
        // A blank line parts each of them from the rest.
        lines.len() + 2 * around.into_iter().map(usize::from).sum::<usize>()
    };
    let is_short =
        |taken: usize| tables::rows(selection, taken).is_some_and(|rows| rows < FEWEST_ROWS);
    // What most people came for is where the time goes.
    if is_short(taken(&lines, &outlier)) {
        lines.retain(|line| line.name != lines::NO_ROOF);
    }
    if is_short(taken(&lines, &outlier)) {
        outlier = None;
    }
    let taken = taken(&lines, &outlier);
    let (types, operators) = tables::tables(summary, selection, taken);
    let chart = types.as_ref().and_then(|types| tables::chart(summary, types));
    // What `record` ends with has no command below it, and no such option of its own.
    let all = if selection.next { "--all" } else { "summary --all" };
    let compact = Compact { unit, all };
    let mut screen = Document::new("first_screen");
    screen.extend([Lines { lines: vec![run] }, Lines { lines }]);
    screen.extend(types.map(|types| types.compact(compact)));
    screen.extend(chart);
    screen.extend(operators.map(|operators| operators.compact(compact)));
    screen.extend(outlier.map(|outlier| Lines { lines: vec![outlier] }));
    screen.extend(next.filter(|_| selection.next).map(|next| Lines { lines: vec![next] }));
    screen
}

/// The same for the first sheet of a workbook, with at most this many types and operators: sentences
/// as well, and the decisive figures, whose keys are those of all figures of the model.
pub(crate) fn front(summary: &Summary, rows: usize) -> Document {
    let rows = Rows::Most(Some(rows));
    let selection = FirstScreenSelection { rows, ..FirstScreenSelection::default() };
    let mut front = first_screen(summary, None, &selection);
    front.headline = headline(summary);
    let mut figures = model::figures(summary);
    figures.figures.retain(|figure| DECISIVE.contains(&figure.heading.key));
    let below = front.blocks.iter().take_while(|block| matches!(block, Block::Lines(_))).count();
    front.blocks.insert(below, figures.into());
    front
}

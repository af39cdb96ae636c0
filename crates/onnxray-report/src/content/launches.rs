//! The tables of launches and of iterations.

use super::downsample::{Downsampled, downsampled};
use super::operators::are_of_one;
use crate::document::{Cell, Chart, ChartKind, Column, Note, Series, Table, Unit, column};
use Unit::{Count, Milliseconds as Ms, Text};
use onnxray_analyzer::Milliseconds;
use onnxray_analyzer::statistics::{Distribution, IterationSummary, LaunchSummary, Summary};
use onnxray_format::{IterationKind, Nanoseconds};

pub(super) const LAUNCHES: &[Column<LaunchSummary>] = &[
    column("launch", "Launch", Count, "number of the launch", |launch| {
        Cell::Whole(u64::from(launch.launch))
    }),
    column(RANK, "Rank", Count, "which process of a distributed run it is", |launch| {
        launch.rank.map_or(Cell::None, |rank| Cell::Whole(u64::from(rank)))
    }),
    column(INSTANCE, "Instance", Count, "its place among those that ran side by side", |launch| {
        launch.instance.map_or(Cell::None, |instance| Cell::Whole(u64::from(instance.number)))
    }),
    column("iterations", "Iterations", Count, "measured iterations", |launch| {
        Cell::Whole(launch.iterations)
    }),
    column(
        "warmup_flagged",
        "Warm-up",
        Count,
        "iterations that the recorder declared warm-up",
        |launch| Cell::Whole(launch.warmup_flagged),
    ),
    column(
        "warmup_found",
        "Detected",
        Count,
        "iterations before the latency settles, as found in the data",
        |launch| Cell::whole(launch.warmup_found),
    ),
    column("latency_median_ms", "Median ms", Ms, "median latency", |launch| {
        latency(launch, |latency| latency.median)
    }),
    column("latency_p10_ms", "p10 ms", Ms, "10th percentile", |launch| {
        latency(launch, |latency| latency.p10)
    }),
    column("latency_p90_ms", "p90 ms", Ms, "90th percentile", |launch| {
        latency(launch, |latency| latency.p90)
    }),
    column(
        PROFILED_MEDIAN,
        "Profiled median ms",
        Ms,
        "median latency with the profiler at work",
        |launch| Cell::milliseconds(launch.latency.map(|profiled| profiled.median)),
    ),
];

pub(super) const ITERATIONS: &[Column<IterationSummary>] = &[
    column("launch", "Launch", Count, "number of the launch", |iteration| {
        Cell::Whole(u64::from(iteration.launch))
    }),
    column(ITERATION, "Iteration", Count, "number that the recorder gave it", |iteration| {
        Cell::Whole(u64::from(iteration.index))
    }),
    column(
        "kind",
        "Kind",
        Text,
        "plain (unprofiled), measured (profiled) or warm-up",
        |iteration| Cell::text(iteration.kind.name()),
    ),
    column(PHASE, "Phase", Text, "of a generation: prefill or decode", |iteration| {
        iteration.step.map_or(Cell::None, |step| Cell::text(step.phase.name()))
    }),
    column(CACHED, "Cached", Count, "tokens in the cache before it", |iteration| {
        iteration.step.map_or(Cell::None, |step| Cell::Whole(u64::from(step.cached)))
    }),
    column("start_ms", "Start ms", Ms, "start on the launch's clock", |iteration| {
        time(Some(iteration.start))
    }),
    column(LATENCY, "Latency ms", Ms, "wall time of the iteration", |iteration| {
        time(Some(iteration.latency))
    }),
    column(
        "operators_ms",
        "Operators ms",
        Ms,
        "exclusive time of all its operators",
        |iteration| time(iteration.operators),
    ),
    column(
        "profiling_ms",
        "Profiling ms",
        Ms,
        "what profiling costs inside the events of its operators, taken out of their times",
        |iteration| time(iteration.profiling),
    ),
    column(
        CONCURRENT,
        "Concurrent ms",
        Ms,
        "time of its operators beyond the part of its wall time that they cover; taken off",
        |iteration| time(iteration.concurrent),
    ),
    column(
        DEVICES_ALONE,
        "Devices alone ms",
        Ms,
        "wall time in which devices are at work, and none of its operators on the host",
        |iteration| time(iteration.devices_alone),
    ),
    column(
        "overhead_ms",
        "Overhead ms",
        Ms,
        "wall time that no event covers, with what profiling costs between events",
        |iteration| time(iteration.overhead),
    ),
];

const RANK: &str = "rank";
const INSTANCE: &str = "instance";
const PROFILED_MEDIAN: &str = "profiled_latency_median_ms";
const PHASE: &str = "phase";
const CACHED: &str = "cached";
const ITERATION_TABLE: &str = "iterations";
const ITERATION: &str = "iteration";
const LATENCY: &str = "latency_ms";
const CONCURRENT: &str = "concurrent_ms";
const DEVICES_ALONE: &str = "devices_alone_ms";

/// The table of launches.
pub(crate) fn launches(summary: &Summary) -> Table {
    let table = Table::new("launches", "Launches", LAUNCHES, &summary.launches);
    let table = match summary.launches.iter().any(|launch| launch.rank.is_some()) {
        true => table,
        false => table.hiding(&[RANK]),
    };
    let latencies = summary.launches.iter().filter_map(|l| l.plain.as_ref().or(l.latency.as_ref()));
    let table = match are_of_one(latencies) {
        true => table.hiding(&["latency_p10_ms", "latency_p90_ms"]),
        false => table,
    };
    let table = match summary.launches.iter().any(|launch| launch.plain.is_some()) {
        true => table,
        false => table.without(&[PROFILED_MEDIAN]),
    };
    match &summary.instances {
        Some(_) => table,
        None => table.without(&[INSTANCE]),
    }
}

/// The table of iterations, as they ran.
pub(crate) fn iterations(summary: &Summary) -> Table {
    iteration_table(summary, &summary.iterations)
}

/// The table of iterations, those first that the latency is of, and the chart of these: what
/// a line of it shows stands together.
pub(crate) fn iterations_to_draw(summary: &Summary) -> (Table, Chart) {
    let shows = "wall time of every iteration that the latency is of, a line for each launch";
    drawn(summary, summary.iterations.iter().collect(), shows)
}

/// The same of at most this many iterations, and what to know of them if these are not all.
pub(crate) fn iterations_to_draw_of(
    summary: &Summary,
    most: usize,
) -> (Table, Chart, Option<Note>) {
    let all = &summary.iterations;
    let Some(Downsampled { rows, of_each }) = downsampled(all, most) else {
        let (table, chart) = iterations_to_draw(summary);
        return (table, chart, None);
    };
    let note = Note::note(format!(
        "{} of {} iterations are listed and drawn: of every {of_each} neighbours of one launch \
         and kind, those with the lowest, the median and the highest latency; \
         all other figures are of all",
        rows.len(),
        all.len(),
    ));
    let shows = "lowest, median and highest wall time of neighbouring iterations that the \
                 latency is of, a line for each launch";
    let left_out = all.len() - rows.len();
    let rows = rows.into_iter().map(|row| &all[row]).collect();
    let (mut table, chart) = drawn(summary, rows, shows);
    table.left_out = left_out;
    (table, chart, Some(note))
}

fn drawn(
    summary: &Summary,
    mut iterations: Vec<&IterationSummary>,
    shows: &'static str,
) -> (Table, Chart) {
    // Without unprofiled iterations, profiled ones stand for them, and those that warm up with them.
    let has_plain = summary.model.plain.is_some();
    let is_beside =
        |iteration: &&IterationSummary| (iteration.kind == IterationKind::Plain) != has_plain;
    iterations.sort_by_key(is_beside);
    let drawn = iterations.iter().take_while(|iteration| !is_beside(iteration)).count();
    let mut first = 0;
    let launches = iterations[..drawn].chunk_by(|a, b| a.launch == b.launch);
    let series = launches.map(|iterations| {
        let rows = first..first + iterations.len();
        first = rows.end;
        let name = Some(format!("launch {}", iterations[0].launch));
        Series { name, column: LATENCY, rows: Some(rows) }
    });
    let chart = Chart {
        title: "Latency by iteration (ms)".to_string(),
        kind: ChartKind::Line,
        table: ITERATION_TABLE,
        categories: ITERATION,
        series: series.collect(),
        shows,
    };
    (iteration_table(summary, iterations), chart)
}

fn iteration_table<'a>(
    summary: &Summary,
    rows: impl IntoIterator<Item = &'a IterationSummary>,
) -> Table {
    let table = Table::new(ITERATION_TABLE, "Iterations", ITERATIONS, rows);
    let has_concurrent = |i: &IterationSummary| i.concurrent.is_some_and(|time| time.0 > 0);
    let table = match summary.iterations.iter().any(has_concurrent) {
        true => table,
        false => table.without(&[CONCURRENT]),
    };
    let table = match summary.model.device {
        Some(_) => table,
        None => table.without(&[DEVICES_ALONE]),
    };
    match summary.phases.is_empty() {
        true => table.without(&[PHASE, CACHED]),
        false => table,
    }
}

fn latency(launch: &LaunchSummary, pick: fn(&Distribution) -> Milliseconds) -> Cell {
    Cell::milliseconds(launch.plain.or(launch.latency).as_ref().map(pick))
}

fn time(time: Option<Nanoseconds>) -> Cell {
    Cell::milliseconds(time.map(Milliseconds::from))
}

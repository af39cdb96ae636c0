//! The tables of launches and of iterations.

use super::downsample::{Downsampled, downsampled};
use super::operators::are_of_one;
use crate::document::{Cell, Chart, ChartKind, Note, Series, Table, Unit, columns};
use Unit::{Count, Milliseconds as Ms, Text};
use onnxray_analyzer::Milliseconds;
use onnxray_analyzer::statistics::{Distribution, IterationSummary, LaunchSummary, Summary};
use onnxray_format::{IterationKind, Nanoseconds};

columns! {
    pub(super) const LAUNCHES: LaunchSummary;

    /// number of the launch
    "launch" "Launch" Count = |launch| Cell::Whole(u64::from(launch.launch));
    /// process of a distributed run
    RANK "Rank" Count =
        |launch| launch.rank.map_or(Cell::None, |rank| Cell::Whole(u64::from(rank)));
    /// place among those side by side
    INSTANCE "Instance" Count = |launch| {
        launch.instance.map_or(Cell::None, |instance| Cell::Whole(u64::from(instance.number)))
    };
    /// measured iterations
    "iterations" "Iterations" Count = |launch| Cell::Whole(launch.iterations);
    /// iterations declared warm-up
    "warmup_flagged" "Warm-up" Count = |launch| Cell::Whole(launch.warmup_flagged);
    /// iterations before the latency settles
    "warmup_found" "Detected" Count = |launch| Cell::whole(launch.warmup_found);
    /// median latency
    "latency_median_ms" "Median ms" Ms = |launch| latency(launch, |latency| latency.median);
    /// 10th percentile
    "latency_p10_ms" "p10 ms" Ms = |launch| latency(launch, |latency| latency.p10);
    /// 90th percentile
    "latency_p90_ms" "p90 ms" Ms = |launch| latency(launch, |latency| latency.p90);
    /// median profiled latency
    PROFILED_MEDIAN "Profiled median ms" Ms =
        |launch| Cell::milliseconds(launch.latency.map(|profiled| profiled.median));
}

columns! {
    pub(super) const ITERATIONS: IterationSummary;

    /// number of the launch
    "launch" "Launch" Count = |iteration| Cell::Whole(u64::from(iteration.launch));
    /// its number in the recording
    ITERATION "Iteration" Count = |iteration| Cell::Whole(u64::from(iteration.index));
    /// plain (unprofiled), measured (profiled) or warm-up
    "kind" "Kind" Text = |iteration| Cell::text(iteration.kind.name());
    /// of a generation: prefill or decode
    PHASE "Phase" Text =
        |iteration| iteration.step.map_or(Cell::None, |step| Cell::text(step.phase.name()));
    /// tokens cached before it
    CACHED "Cached" Count =
        |iteration| iteration.step.map_or(Cell::None, |step| Cell::Whole(u64::from(step.cached)));
    /// start on the launch's clock
    "start_ms" "Start ms" Ms = |iteration| time(Some(iteration.start));
    /// wall time of the iteration
    LATENCY "Latency ms" Ms = |iteration| time(Some(iteration.latency));
    /// exclusive time of all its operators
    "operators_ms" "Operators ms" Ms = |iteration| time(iteration.operators);
    /// profiling cost inside its operators' events, subtracted from their times
    "profiling_ms" "Profiling ms" Ms = |iteration| time(iteration.profiling);
    /// time of its operators beyond the wall time they cover; subtracted
    CONCURRENT "Concurrent ms" Ms = |iteration| time(iteration.concurrent);
    /// wall time in which devices work and no operator of the host does
    DEVICES_ALONE "Devices alone ms" Ms = |iteration| time(iteration.devices_alone);
    /// wall time that no event covers, including profiling cost between events
    "overhead_ms" "Overhead ms" Ms = |iteration| time(iteration.overhead);
}

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
    let launches = &summary.launches;
    let latencies = launches.iter().filter_map(|l| l.unprofiled.as_ref().or(l.latency.as_ref()));
    Table::new("launches", "Launches", LAUNCHES, launches)
        .hiding_unless(launches.iter().any(|launch| launch.rank.is_some()), &[RANK])
        .hiding_unless(!are_of_one(latencies), &["latency_p10_ms", "latency_p90_ms"])
        .without_unless(
            launches.iter().any(|launch| launch.unprofiled.is_some()),
            &[PROFILED_MEDIAN],
        )
        .without_unless(summary.instances.is_some(), &[INSTANCE])
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
    // `drawn` knows only the rows that it is given.
    table.left_out = left_out;
    (table, chart, Some(note))
}

fn drawn(
    summary: &Summary,
    mut iterations: Vec<&IterationSummary>,
    shows: &'static str,
) -> (Table, Chart) {
    // Without unprofiled iterations, profiled ones stand for them, and those that warm up with them.
    let has_unprofiled = summary.model.unprofiled.is_some();
    let is_beside = |iteration: &&IterationSummary| {
        (iteration.kind == IterationKind::Unprofiled) != has_unprofiled
    };
    // Stable: both parts stay in the order of the iterations.
    iterations.sort_by_key(is_beside);
    let drawn = iterations.iter().take_while(|iteration| !is_beside(iteration)).count();
    let mut first = 0;
    // The iterations of a launch are still neighbours: the sort was stable.
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
    let has_concurrent = |i: &IterationSummary| i.concurrent.is_some_and(|time| time.0 > 0);
    Table::new(ITERATION_TABLE, "Iterations", ITERATIONS, rows)
        .without_unless(summary.iterations.iter().any(has_concurrent), &[CONCURRENT])
        .without_unless(summary.model.device.is_some(), &[DEVICES_ALONE])
        .without_unless(!summary.phases.is_empty(), &[PHASE, CACHED])
}

fn latency(launch: &LaunchSummary, pick: fn(&Distribution) -> Milliseconds) -> Cell {
    Cell::milliseconds(launch.unprofiled.or(launch.latency).as_ref().map(pick))
}

fn time(time: Option<Nanoseconds>) -> Cell {
    Cell::milliseconds(time.map(Milliseconds::from))
}

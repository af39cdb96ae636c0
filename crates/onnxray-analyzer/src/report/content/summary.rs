//! Decides what a report says.

use super::operators;
use crate::report::table::{Cell, Report, Table};
use crate::schema;
use crate::statistics::{
    Distribution, FlopsProfile, OperatorSummary, PartialSum, Summary, TypeSummary,
};
use crate::units::{Milliseconds, Share};
use onnxray_format::Run;

/// A level of detail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Model,
    Launch,
    Iteration,
    Type,
    Operator,
    Resource,
    Notes,
}

/// Order of types and operators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// From most to least time, or FLOPs where there is no time.
    #[default]
    Time,
    /// As the engine executes them.
    Execution,
    Name,
    Flops,
    Bytes,
}

/// What of a summary is wanted.
#[derive(Clone, Debug)]
pub struct Selection {
    pub levels: Vec<Level>,
    pub order: Order,
    /// At most so many operators; `None` for all.
    pub operators: Option<usize>,
}

impl Default for Selection {
    /// Model, operator types and the ten operators that take most time.
    fn default() -> Selection {
        Selection {
            levels: vec![Level::Model, Level::Type, Level::Operator, Level::Resource, Level::Notes],
            order: Order::Time,
            operators: Some(10),
        }
    }
}

/// The report of a recording.
pub fn summary_report(summary: &Summary, selection: &Selection) -> Report {
    let tables = selection.levels.iter().filter_map(|level| match level {
        Level::Model => Some(Table::new(&schema::MODEL, model_rows(summary))),
        Level::Launch => Some(Table::new(&schema::LAUNCHES, launch_rows(summary))),
        Level::Iteration => Some(Table::new(&schema::ITERATION_ROWS, iteration_rows(summary))),
        Level::Type => {
            Some(type_table(summary.types.clone(), selection.order, remainder_rows(summary)))
        }
        Level::Operator => Some(operators::operators(summary, selection)),
        Level::Resource => operators::resources(summary, selection),
        Level::Notes => Some(Table::new(&schema::NOTES, note_rows(summary)))
            .filter(|table| !table.rows.is_empty()),
    });
    Report { tables: tables.collect(), ..Report::default() }
}

/// The FLOPS profile: the same tables without a measurement.
pub fn flops_report(profile: &FlopsProfile, run: &Run, selection: &Selection) -> Report {
    let mut facts = run_rows(run);
    facts.extend(cost_rows(profile.flops, profile.bytes));
    let order = if selection.order == Order::Time { Order::Flops } else { selection.order };
    let operators =
        profile.operators.iter().map(|operator| OperatorSummary::unmeasured(operator.clone()));
    let mut operators: Vec<OperatorSummary> = operators.collect();
    operators::sort(&mut operators, order);
    let left_out = operators::cut(&mut operators, selection.operators);
    let rows = operators.iter().map(operators::row).collect();
    let mut table = Table::new(&schema::OPERATORS, rows).showing(&[
        "number",
        "name",
        "type",
        "executions",
        "flops",
        "bytes",
        "parameters",
        "weight_shape",
        "sparse_ratio_4x1",
    ]);
    table.left_out = left_out;
    let tables = selection.levels.iter().filter_map(|level| match level {
        Level::Model => Some(Table::new(&schema::MODEL, facts.clone())),
        Level::Type => Some(type_table(profile.types.clone(), order, Vec::new())),
        Level::Operator => Some(table.clone()),
        _ => None,
    });
    Report { tables: tables.collect(), ..Report::default() }
}

fn fact(name: &str, value: Cell) -> Vec<Cell> {
    vec![Cell::text(name), value]
}

fn model_rows(summary: &Summary) -> Vec<Vec<Cell>> {
    let model = &summary.model;
    let latency = |pick: fn(&Distribution) -> Milliseconds| {
        Cell::number(model.latency.as_ref().map(|latency| pick(latency).0))
    };
    let mut rows = run_rows(&summary.run);
    let counted = |count: u64| match model.latency {
        Some(_) => Cell::Whole(count),
        None => Cell::Unknown,
    };
    let flagged: u64 = summary.launches.iter().map(|launch| launch.warmup_flagged).sum();
    let found: Option<u64> =
        summary.launches.iter().map(|launch| launch.warmup_found).max().flatten();
    rows.extend([
        fact("launches", Cell::Whole(summary.launches.len() as u64)),
        fact("iterations", Cell::whole(model.latency.map(|latency| latency.count))),
        fact("warm-up iterations, flagged", counted(flagged)),
        fact("warm-up iterations, found per launch", Cell::whole(found)),
        fact("latency median (ms)", latency(|l| l.median)),
        fact("latency p10 (ms)", latency(|l| l.p10)),
        fact("latency p90 (ms)", latency(|l| l.p90)),
        fact("latency p99 (ms)", latency(|l| l.p99)),
        fact("latency min (ms)", latency(|l| l.min)),
        fact("latency max (ms)", latency(|l| l.max)),
        fact("latency mean (ms)", latency(|l| l.mean)),
        fact("throughput (items/s)", Cell::number(model.items_per_second)),
        fact("throughput (iterations/s)", Cell::number(model.iterations_per_second)),
        fact("operators, mean (ms)", Cell::number(operators_mean(summary))),
    ]);
    match (model.latency, model.operators) {
        (None, Some(total)) => {
            rows.push(fact("operators, whole trace (ms)", Cell::Number(total.milliseconds())));
        }
        _ if has_concurrent(summary) => {
            let mean = mean(summary, model.concurrent);
            rows.push(fact("concurrent, mean (ms)", Cell::number(mean)));
        }
        _ => {}
    }
    rows.extend([
        fact("overhead, mean (ms)", Cell::number(mean(summary, model.overhead))),
        fact("overhead (% of latency)", percent(model.overhead_share)),
        fact("overhead of recording (%)", percent(model.recording_overhead.map(Share))),
    ]);
    rows.extend(cost_rows(model.flops, model.bytes));
    rows.push(fact("GFLOP/s", Cell::number(model.gflops_per_second)));
    rows
}

/// A total as milliseconds per measured iteration.
fn mean(summary: &Summary, total: Option<onnxray_format::Nanoseconds>) -> Option<f64> {
    let latency = summary.model.latency?;
    Some(total?.milliseconds() / latency.count as f64)
}

fn operators_mean(summary: &Summary) -> Option<f64> {
    mean(summary, summary.model.operators).or(summary.model.operators_mean.map(|mean| mean.0))
}

/// Whether operators ran side by side.
fn has_concurrent(summary: &Summary) -> bool {
    summary.model.concurrent.is_some_and(|concurrent| concurrent.0 > 0)
}

fn percent(share: Option<Share>) -> Cell {
    Cell::number(share.map(|share| share.0 * 100.0))
}

fn cost_rows(flops: PartialSum, bytes: PartialSum) -> Vec<Vec<Cell>> {
    vec![
        fact("FLOPs per iteration", partial(flops)),
        fact("operators with unknown FLOPs", Cell::Whole(flops.unknown)),
        fact("bytes per iteration", partial(bytes)),
        fact("operators with unknown bytes", Cell::Whole(bytes.unknown)),
    ]
}

/// A text of the run's metadata, which is empty if it is unknown.
fn known(text: &str) -> Cell {
    match text {
        "" => Cell::Unknown,
        text => Cell::text(text),
    }
}

/// The run's metadata.
fn run_rows(run: &Run) -> Vec<Vec<Cell>> {
    let text = |value: &Option<String>| value.clone().map_or(Cell::Unknown, Cell::Text);
    let dimensions = run.dimensions.iter().map(|d| format!("{}={}", d.name, d.size));
    let milliseconds = |time: Option<onnxray_format::Nanoseconds>| {
        Cell::number(time.map(|time| time.milliseconds()))
    };
    let mut rows = vec![
        fact("model", known(&run.model)),
        fact("profile", known(&run.profile)),
        fact("batch size", Cell::whole(run.batch_size)),
        match (&run.dimensions[..], &run.model_sha256) {
            // Whose model is unknown may have dimensions.
            ([], None) => fact("dimensions", Cell::Unknown),
            _ => fact("dimensions", Cell::some_text(dimensions.collect::<Vec<_>>().join(", "))),
        },
        fact("parameters", Cell::whole(run.parameters)),
        fact("threads", Cell::whole(run.threads.map(u64::from))),
        fact("ISA", text(&run.isa)),
        fact("CPU", text(&run.cpu)),
        fact("host", text(&run.host)),
        fact("operating system", text(&run.operating_system)),
        fact("engine", known(format!("{} {}", run.engine, run.engine_version).trim())),
        fact("recorded by", known(&run.producer)),
        fact("recorded at", text(&run.started_at)),
        fact("inputs", text(&run.inputs)),
        fact("model SHA-256", text(&run.model_sha256)),
        fact("clock", text(&run.clock)),
        fact("clock resolution (ns)", Cell::whole(run.clock_resolution.map(|time| time.0))),
        fact("load time (ms)", milliseconds(run.load_time)),
    ];
    // A profile of the model alone has no run to tell of.
    let is_run = !run.recording.is_empty() || !run.engine.is_empty();
    rows.retain(|row| is_run || row[1] != Cell::Unknown);
    rows
}

fn launch_rows(summary: &Summary) -> Vec<Vec<Cell>> {
    let row = |launch: &crate::statistics::LaunchSummary| {
        let latency = |pick: fn(&Distribution) -> Milliseconds| {
            Cell::number(launch.latency.as_ref().map(|latency| pick(latency).0))
        };
        vec![
            Cell::Whole(u64::from(launch.launch)),
            Cell::Whole(launch.iterations),
            Cell::Whole(launch.warmup_flagged),
            Cell::whole(launch.warmup_found),
            latency(|l| l.median),
            latency(|l| l.p10),
            latency(|l| l.p90),
        ]
    };
    summary.launches.iter().map(row).collect()
}

fn iteration_rows(summary: &Summary) -> Vec<Vec<Cell>> {
    let rows = summary.iterations.iter().map(|iteration| {
        vec![
            Cell::Whole(u64::from(iteration.launch)),
            Cell::Whole(u64::from(iteration.index)),
            Cell::text(iteration.kind.name()),
            Cell::Number(iteration.start.milliseconds()),
            Cell::Number(iteration.latency.milliseconds()),
            Cell::number(iteration.operators.map(|time| time.milliseconds())),
            Cell::number(iteration.overhead.map(|time| time.milliseconds())),
        ]
    });
    rows.collect()
}

/// The table of types; `remainder` are the rows that make the shares whole.
fn type_table(mut types: Vec<TypeSummary>, order: Order, remainder: Vec<Vec<Cell>>) -> Table {
    match order {
        Order::Time => types.sort_by(|a, b| b.weight.total_cmp(&a.weight)),
        Order::Execution => types.sort_by_key(|known| known.first),
        Order::Name => types.sort_by(|a, b| a.operator_type.cmp(&b.operator_type)),
        Order::Flops => types.sort_by(|a, b| b.flops.known.total_cmp(&a.flops.known)),
        Order::Bytes => types.sort_by(|a, b| b.bytes.known.total_cmp(&a.bytes.known)),
    }
    let mut keys = vec!["type", "operators", "flops", "bytes"];
    if types.iter().any(|known| known.mean.is_some()) {
        keys.extend(["executions", "time_ms", "time_median_ms", "share", "gflops_per_second"]);
    } else if types.iter().any(|known| known.total.is_some()) {
        keys.extend(["calls", "total_ms", "share"]);
    } else {
        keys.push("executions");
    }
    if types.iter().any(|known| known.flops.unknown > 0) {
        keys.push("flops_unknown");
    }
    if types.iter().any(|known| known.bytes.unknown > 0) {
        keys.push("bytes_unknown");
    }
    let rows = types.iter().map(type_row).chain(remainder).collect();
    Table::new(&schema::TYPES, rows).showing(&keys)
}

fn type_row(summary: &TypeSummary) -> Vec<Cell> {
    vec![
        Cell::text(&summary.operator_type),
        Cell::Whole(summary.operators),
        Cell::number(summary.executions),
        Cell::whole(summary.calls),
        Cell::number(summary.total.map(|total| total.milliseconds())),
        Cell::number(summary.mean.map(|mean| mean.0)),
        Cell::number(summary.time.map(|time| time.median.0)),
        Cell::number(summary.share.map(|share| share.0)),
        partial(summary.flops),
        Cell::Whole(summary.flops.unknown),
        operators::rate(summary.gflops_per_second, summary.flops.whole()),
        partial(summary.bytes),
        Cell::Whole(summary.bytes.unknown),
    ]
}

/// What is known of a sum; nothing known is not zero.
fn partial(sum: PartialSum) -> Cell {
    match sum {
        PartialSum { unknown: 1.., known: 0.0 } => Cell::Unknown,
        sum => Cell::Number(sum.known),
    }
}

/// What makes the shares add up to the whole: the overhead, and, taken off, the
/// time in which operators ran side by side.
fn remainder_rows(summary: &Summary) -> Vec<Vec<Cell>> {
    let model = &summary.model;
    let row = |name: &str, sign: f64, total, median: Option<f64>| {
        let mean = mean(summary, total);
        let wall = mean.zip(model.latency).filter(|(_, latency)| latency.mean.0 > 0.0);
        let cell = |key: &str| match key {
            "type" => Cell::text(name),
            "time_ms" => Cell::number(mean.map(|mean| sign * mean)),
            "time_median_ms" => Cell::number(median),
            "share" => Cell::number(wall.map(|(mean, latency)| sign * mean / latency.mean.0)),
            _ => Cell::None,
        };
        schema::TYPES.columns.iter().map(|column| cell(column.key)).collect()
    };
    let mut rows = Vec::new();
    if has_concurrent(summary) {
        rows.push(row("concurrent", -1.0, model.concurrent, None));
    }
    if model.overhead.is_some() {
        let median = model.overhead_median.map(|median| median.0);
        rows.push(row("overhead", 1.0, model.overhead, median));
    }
    rows
}

fn note_rows(summary: &Summary) -> Vec<Vec<Cell>> {
    let note = |kind: &str, text: &str| vec![Cell::text(kind), Cell::text(text)];
    let warnings = summary.warnings.iter().map(|warning| note("warning", warning));
    let doubts = summary.doubts.iter().map(|doubt| note("note", doubt));
    warnings.chain(doubts).collect()
}

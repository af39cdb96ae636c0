//! The table of points, and their chart.

use super::words;
use crate::document::Unit::{Count, Milliseconds as Ms, Number, Share, Text};
use crate::document::{Cell, Chart, ChartKind, Column, Scatter, Series, Table, column};
use onnxray_analyzer::statistics::{Interval, Measured};
use onnxray_analyzer::sweep::{Candidates, Counted, FrontPoint, Percentile, Point, Sweep};
use onnxray_format::shell_word;

/// Key of the table.
pub(crate) const POINTS: &str = "points";
/// Columns that say something only where models are compared with each other.
const OF_ALL_MODELS: [&str; 2] = ["on_front_of_all", "sweet_spot_of_all"];

struct Row<'a> {
    sweep: &'a Sweep,
    number: usize,
    point: &'a Point,
    /// Of its model.
    of: &'a Candidates,
    label: &'a str,
}

impl Row<'_> {
    fn front(&self) -> Option<&FrontPoint> {
        self.of.on_front(self.number)
    }

    fn latency(&self, percentile: Percentile) -> Cell {
        Cell::number(percentile.of(&self.point.profile.latency_ms).value)
    }
}

fn end(measured: Measured, pick: fn(Interval) -> f64) -> Cell {
    Cell::number(measured.interval.map(pick))
}

const fn yes_or_no(is_so: bool) -> Cell {
    if is_so { Cell::label("yes", "yes") } else { Cell::label("no", "no") }
}

/// Whether a latency is within the threshold, and how sure that is.
fn within(row: &Row) -> Cell {
    let Some(most) = row.sweep.options.latency_threshold else { return Cell::None };
    let Interval { low, high } = row.point.latency.ends();
    let (is_within, is_sure) = match row.point.latency.value <= most.0 {
        true => (true, high <= most.0),
        false => (false, low > most.0),
    };
    match (is_within, is_sure) {
        (true, true) => Cell::label("yes", "yes"),
        (true, false) => Cell::label("probably", "probably"),
        (false, false) => Cell::label("probably_not", "probably not"),
        (false, true) => Cell::label("no", "no"),
    }
}

/// The interval stands behind the percentile that it is of.
fn columns<'a>(chosen: Percentile) -> Vec<Column<Row<'a>>> {
    let mut columns = what_it_is();
    for (percentile, latency) in Percentile::ALL.into_iter().zip(latencies()) {
        columns.push(latency);
        if percentile == chosen {
            columns.extend(chosen_latency());
        }
    }
    columns.extend(throughput());
    columns.extend(what_it_is_worth());
    columns
}

fn what_it_is<'a>() -> Vec<Column<Row<'a>>> {
    vec![
        column("number", "#", Count, "position among the points", |row| {
            Cell::Whole(row.number as u64 + 1)
        }),
        column("name", "Profile", Text, "name of the profile", |row| {
            Cell::text(&row.point.profile.name)
        }),
        column("model", "Model", Text, "file name of the model", |row| {
            row.of.model.as_ref().map_or(Cell::Unknown, Cell::text)
        }),
        column("engine", "Engine", Text, "what ran it", |row| {
            Cell::stated(&row.point.profile.configuration.engine)
        }),
        column("batch_size", "Batch", Count, "size of the batch dimension", |row| {
            Cell::whole(row.point.profile.configuration.batch_size)
        }),
        column("dimensions", "Dimensions", Text, "sizes of other free dimensions", |row| {
            words::dimensions(&row.point.profile.configuration)
        }),
        column("threads", "Threads", Count, "threads that a kernel may use", |row| {
            Cell::whole(row.point.profile.configuration.threads.map(u64::from))
        }),
        column("instances", "Instances", Count, "processes side by side", |row| {
            words::instances(&row.point.profile.configuration)
        }),
    ]
}

fn latencies<'a>() -> [Column<Row<'a>>; 3] {
    [
        column("latency_p50_ms", "p50 ms", Ms, "latency of an iteration, median", |row| {
            row.latency(Percentile::P50)
        }),
        column("latency_p90_ms", "p90 ms", Ms, "90th percentile of the latency", |row| {
            row.latency(Percentile::P90)
        }),
        column("latency_p99_ms", "p99 ms", Ms, "99th percentile of the latency", |row| {
            row.latency(Percentile::P99)
        }),
    ]
}

fn chosen_latency<'a>() -> [Column<Row<'a>>; 3] {
    [
        column("latency_ms", "Latency ms", Ms, "latency at the percentile chosen", |row| {
            Cell::number(row.point.latency.value)
        }),
        column("latency_low_ms", "Low ms", Ms, "low end of its 95 % interval", |row| {
            end(row.point.latency, |interval| interval.low)
        }),
        column("latency_high_ms", "High ms", Ms, "high end of its 95 % interval", |row| {
            end(row.point.latency, |interval| interval.high)
        }),
    ]
}

fn throughput<'a>() -> Vec<Column<Row<'a>>> {
    vec![
        column(
            "throughput_per_second",
            "Throughput/s",
            Number,
            "items per second, or iterations, as the column Counts says: batch size / median \
             latency; of instances side by side what they ran together by their wall time",
            |row| Cell::number(row.point.throughput.value),
        ),
        column(
            "throughput_low_per_second",
            "Low/s",
            Number,
            "low end of its 95 % interval",
            |row| end(row.point.throughput, |interval| interval.low),
        ),
        column(
            "throughput_high_per_second",
            "High/s",
            Number,
            "high end of its 95 % interval",
            |row| end(row.point.throughput, |interval| interval.high),
        ),
        column("counted", "Counts", Text, "what throughput counts: items or iterations", |row| {
            Cell::text(row.of.counted.name())
        }),
        column("rounds", "Rounds", Count, "launches, or rounds of instances", |row| {
            Cell::Whole(row.point.profile.rounds)
        }),
        column(
            "precision",
            "Precision",
            Share,
            "half of an interval by its figure: latency or throughput, whichever is larger",
            |row| Cell::share(row.point.precision()),
        ),
    ]
}

fn what_it_is_worth<'a>() -> Vec<Column<Row<'a>>> {
    vec![
        column(
            "within_threshold",
            "Within threshold",
            Text,
            "whether its latency is; probably, or probably not, if the interval reaches beyond",
            within,
        ),
        column(
            "on_front",
            "On front",
            Text,
            "no point of the model is better in latency and throughput beyond the intervals",
            |row| yes_or_no(row.front().is_some()),
        ),
        column(
            "equals_count",
            "Equals",
            Count,
            "points of the front whose intervals overlap with its own in both",
            |row| row.front().map_or(Cell::None, |front| Cell::Whole(front.equals.len() as u64)),
        ),
        column("equals", "Equal to", Text, "names of these points", |row| {
            let equals = row.front().map_or(&[][..], |front| &front.equals);
            Cell::some_text(words::names(row.sweep, equals))
        }),
        column(
            "sweet_spot",
            "Sweet spot",
            Text,
            "whether it has the highest throughput of its model within the threshold",
            |row| yes_or_no(row.of.sweet_spot == Some(row.number)),
        ),
        column("on_front_of_all", "On front of all", Text, "the same, of all models", |row| {
            let overall = row.sweep.overall.as_ref();
            overall.map_or(Cell::None, |all| yes_or_no(all.on_front(row.number).is_some()))
        }),
        column("sweet_spot_of_all", "Sweet spot of all", Text, "the same, of all models", |row| {
            let overall = row.sweep.overall.as_ref();
            overall.map_or(Cell::None, |all| yes_or_no(all.sweet_spot == Some(row.number)))
        }),
        column("label", "Label", Text, "what sets it apart, as the chart names it", |row| {
            Cell::text(row.label)
        }),
        column(
            "compare_as",
            "Compare as",
            Text,
            "its name for `onnxray compare`, as a word of a command line",
            |row| {
                let project = row.sweep.options.project.as_ref();
                project.map_or(Cell::None, |project| {
                    let name = &row.point.profile.name;
                    Cell::text(shell_word(format!("{}:{name}", project.display())))
                })
            },
        ),
    ]
}

pub(super) fn table(sweep: &Sweep) -> Table {
    let profiles: Vec<_> = sweep.points.iter().map(|point| &point.profile).collect();
    let labels = words::labels(&profiles);
    let numbered = sweep.points.iter().zip(&labels).enumerate();
    let rows = numbered.filter_map(|(number, (point, label))| {
        Some(Row { sweep, number, point, of: sweep.models.get(point.model)?, label })
    });
    let mut hidden = vec!["number", "latency_ms", "equals_count", "label", "compare_as"];
    if sweep.models.len() < 2 {
        hidden.push("model");
    }
    if sweep.models.iter().all(|model| model.counted == Counted::Items) {
        hidden.push("counted");
    }
    let latency = match sweep.options.percentile {
        Percentile::P50 => "latency_p50_ms",
        Percentile::P90 => "latency_p90_ms",
        Percentile::P99 => "latency_p99_ms",
    };
    let table = Table::new(POINTS, "Points", &columns(sweep.options.percentile), rows)
        .hiding(&hidden)
        .essential(&["name", latency, "throughput_per_second", "on_front", "sweet_spot"]);
    let table = match sweep.overall {
        Some(_) => table,
        None => table.without(&OF_ALL_MODELS),
    };
    match sweep.options.latency_threshold {
        Some(_) => table,
        None => table.hiding(&["within_threshold"]),
    }
}

/// Throughput by latency, a chart for each kind of throughput: they have no common axis.
pub(super) fn charts(sweep: &Sweep) -> Vec<Chart> {
    let kinds = [Counted::Items, Counted::Iterations].map(|counted| {
        let models = sweep.models.iter().filter(|model| model.counted == counted);
        let series: Vec<Series> = models.filter_map(series).collect();
        (!series.is_empty()).then(|| Chart {
            title: format!("Throughput ({}/s) by latency (ms)", counted.name()),
            kind: ChartKind::Scatter(Scatter {
                across: "latency (ms)",
                up: match counted {
                    Counted::Items => "throughput (items/s)",
                    Counted::Iterations => "throughput (iterations/s)",
                },
                labels: "label",
                marks: &["on_front", "sweet_spot"],
            }),
            table: POINTS,
            categories: "latency_ms",
            series,
            shows: "latency and throughput of every configuration that was measured, a series \
                    for each model; the front and the sweet spots are marked",
        })
    });
    kinds.into_iter().flatten().collect()
}

/// The points of a model, which stand together.
fn series(model: &Candidates) -> Option<Series> {
    let rows = *model.points.first()?..*model.points.last()? + 1;
    Some(Series { name: model.model.clone(), column: "throughput_per_second", rows: Some(rows) })
}

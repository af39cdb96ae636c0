//! The table of points, and their chart.

use super::words;
use crate::document::Unit::{Count, Milliseconds as Ms, Number, Share, Text};
use crate::document::{
    Cell, CellStyle, Chart, ChartKind, Column, Scatter, Series, SheetTable, Table, UNKNOWN,
};
use onnxray_analyzer::statistics::{Interval, Measured};
use onnxray_analyzer::sweep::{Candidates, Counted, FrontPoint, Percentile, Point, Sweep};
use onnxray_text::shell_word;

/// Key of the table.
const POINTS: &str = "points";
/// Columns that say something only where models are compared with each other.
const OF_ALL_MODELS: [&str; 2] = ["on_front_of_all", "sweet_spot_of_all"];

type Declared<'a> = Column<Row<'a>>;

pub(super) struct Row<'a> {
    sweep: &'a Sweep,
    number: usize,
    point: &'a Point,
    /// Of its model.
    of: &'a Candidates,
    label: String,
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
pub(super) fn columns<'a>(chosen: Percentile) -> Vec<Column<Row<'a>>> {
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
        Declared::new("number", "#", Count, "position among the points", |row| {
            Cell::Whole(row.number as u64 + 1)
        })
        .width(6.0),
        Declared::new("name", "Profile", Text, "name of the profile", |row| {
            Cell::text(&row.point.profile.name)
        })
        .width(14.0),
        Declared::new("model", "Model", Text, "file name of the model", |row| {
            row.of.model.as_ref().map_or(Cell::Unknown, Cell::text)
        })
        .width(14.0),
        Declared::new("engine", "Engine", Text, "what ran it", |row| {
            Cell::stated(&row.point.profile.configuration.engine)
        })
        .width(14.0),
        Declared::new("batch_size", "Batch", Count, "size of the batch dimension", |row| {
            Cell::whole(row.point.profile.configuration.batch_size)
        }),
        Declared::new("dimensions", "Dimensions", Text, "sizes of other free dimensions", |row| {
            words::dimensions(&row.point.profile.configuration)
        })
        .width(14.0),
        Declared::new("threads", "Threads", Count, "threads that a kernel may use", |row| {
            Cell::whole(row.point.profile.configuration.threads.map(u64::from))
        }),
        Declared::new("instances", "Instances", Count, "processes side by side", |row| {
            words::instances(&row.point.profile.configuration)
        }),
    ]
}

fn latencies<'a>() -> [Column<Row<'a>>; 3] {
    [
        Declared::new("latency_p50_ms", "p50 ms", Ms, "latency of an iteration, median", |row| {
            row.latency(Percentile::P50)
        }),
        Declared::new("latency_p90_ms", "p90 ms", Ms, "90th percentile of the latency", |row| {
            row.latency(Percentile::P90)
        }),
        Declared::new("latency_p99_ms", "p99 ms", Ms, "99th percentile of the latency", |row| {
            row.latency(Percentile::P99)
        }),
    ]
}

fn chosen_latency<'a>() -> [Column<Row<'a>>; 3] {
    [
        Declared::new("latency_ms", "Latency ms", Ms, "latency at the percentile chosen", |row| {
            Cell::number(row.point.latency.value)
        })
        .formula(|_| {
            "=CHOOSE([:percentile],[latency_p50_ms],[latency_p90_ms],[latency_p99_ms])".into()
        }),
        Declared::new("latency_low_ms", "Low ms", Ms, "low end of its 95 % interval", |row| {
            end(row.point.latency, |interval| interval.low)
        })
        .formula(|_| chosen("low")),
        Declared::new("latency_high_ms", "High ms", Ms, "high end of its 95 % interval", |row| {
            end(row.point.latency, |interval| interval.high)
        })
        .formula(|_| chosen("high")),
    ]
}

fn throughput<'a>() -> Vec<Column<Row<'a>>> {
    vec![
        Declared::new(
            "throughput_per_second",
            "Throughput/s",
            Number,
            "items per second, or iterations, as the column Counts says: batch size / median \
             latency; of instances side by side what they ran together by their wall time",
            |row| Cell::number(row.point.throughput.value),
        ),
        Declared::new(
            "throughput_low_per_second",
            "Low/s",
            Number,
            "low end of its 95 % interval",
            |row| end(row.point.throughput, |interval| interval.low),
        ),
        Declared::new(
            "throughput_high_per_second",
            "High/s",
            Number,
            "high end of its 95 % interval",
            |row| end(row.point.throughput, |interval| interval.high),
        ),
        Declared::new(
            "counted",
            "Counts",
            Text,
            "what throughput counts: items or iterations",
            |row| Cell::text(row.of.counted.name()),
        )
        .width(14.0),
        Declared::new("rounds", "Rounds", Count, "launches, or rounds of instances", |row| {
            Cell::Whole(row.point.profile.rounds)
        }),
        Declared::new(
            "precision",
            "Precision",
            Share,
            "half an interval / its figure: latency or throughput, whichever is larger",
            |row| Cell::share(row.point.precision()),
        )
        .formula(|_| precision()),
    ]
}

fn what_it_is_worth<'a>() -> Vec<Column<Row<'a>>> {
    vec![
        Declared::new(
            "within_threshold",
            "Within threshold",
            Text,
            "whether its latency is; probably, or probably not, if the interval reaches beyond",
            within,
        )
        .width(14.0)
        .formula(|_| within_threshold()),
        Declared::new(
            "on_front",
            "On front",
            Text,
            "no point of the model is better in latency and throughput beyond the intervals",
            |row| Cell::yes_or_no(row.front().is_some()),
        )
        .width(14.0)
        .formula(|_| on_front("([!points.model_number*]=[model_number])*")),
        Declared::new(
            "equals_count",
            "Equals",
            Count,
            "points of the front whose intervals overlap with its own in both",
            |row| row.front().map_or(Cell::None, |front| Cell::Whole(front.equals.len() as u64)),
        )
        .formula(|_| equals_count()),
        Declared::new("equals", "Equal to", Text, "names of these points", |row| {
            let equals = row.front().map_or(&[][..], |front| &front.equals);
            Cell::some_text(words::names(row.sweep, equals))
        }),
        Declared::new(
            "sweet_spot",
            "Sweet spot",
            Text,
            "whether it has the highest throughput of its model within the threshold",
            |row| Cell::yes_or_no(row.of.sweet_spot == Some(row.number)),
        )
        .width(14.0)
        .formula(|row| {
            let first = usize::from(row.sweep.overall.is_some());
            let last = first + row.sweep.models.len() - 1;
            let numbers = format!("[!sweet_spot.number:{first}:{last}]");
            format!("=IF(INDEX({numbers},[model_number])=[number],\"yes\",\"no\")")
        }),
        Declared::new(
            "on_front_of_all",
            "On front of all",
            Text,
            "the same, of all models",
            |row| {
                let overall = row.sweep.overall.as_ref();
                overall
                    .map_or(Cell::None, |all| Cell::yes_or_no(all.on_front(row.number).is_some()))
            },
        )
        .width(14.0)
        .formula(|_| on_front("")),
        Declared::new(
            "sweet_spot_of_all",
            "Sweet spot of all",
            Text,
            "the same, of all models",
            |row| {
                let overall = row.sweep.overall.as_ref();
                overall
                    .map_or(Cell::None, |all| Cell::yes_or_no(all.sweet_spot == Some(row.number)))
            },
        )
        .width(14.0)
        .formula(|_| "=IF([!sweet_spot.number:0]=[number],\"yes\",\"no\")".into()),
        Declared::new("label", "Label", Text, "what sets it apart, as the chart names it", |row| {
            Cell::text(&row.label)
        })
        .width(14.0),
        Declared::new(
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
        )
        .width(14.0),
    ]
}

/// What the chart draws on top: nothing where the point is not meant.
fn mark_of(is_meant: bool, row: &Row) -> Cell {
    if is_meant { Cell::number(row.point.throughput.value) } else { Cell::Unknown }
}

/// An end of the interval of a percentile.
fn end_of(row: &Row, percentile: Percentile, pick: fn(Interval) -> f64) -> Cell {
    end(percentile.of(&row.point.profile.latency_ms), pick)
}

/// What formulas and the chart need.
fn steps<'a>() -> Vec<Column<Row<'a>>> {
    fn step<'a>(key: &'static str, value: fn(&Row<'a>) -> Cell) -> Column<Row<'a>> {
        Column::helper(key, "", value).style(CellStyle::Step)
    }
    let mark = |key, heading, value| {
        let step: Column<Row> = Column::own(key, heading, CellStyle::Step, "", value);
        step.width(13.0)
    };
    vec![
        mark("chart_on_front", "On front, for the chart", |row| {
            mark_of(row.front().is_some(), row)
        })
        .formula(|_| "=IF([on_front]=\"yes\",[throughput_per_second],NA())".into()),
        mark("chart_sweet_spot", "Sweet spot, for the chart", |row| {
            mark_of(row.of.sweet_spot == Some(row.number), row)
        })
        .formula(|_| "=IF([sweet_spot]=\"yes\",[throughput_per_second],NA())".into()),
        step("model_number", |row| Cell::Number(row.point.model as f64 + 1.0)),
        step("latency_p50_low", |row| end_of(row, Percentile::P50, |known| known.low)),
        step("latency_p50_high", |row| end_of(row, Percentile::P50, |known| known.high)),
        step("latency_p90_low", |row| end_of(row, Percentile::P90, |known| known.low)),
        step("latency_p90_high", |row| end_of(row, Percentile::P90, |known| known.high)),
        step("latency_p99_low", |row| end_of(row, Percentile::P99, |known| known.low)),
        step("latency_p99_high", |row| end_of(row, Percentile::P99, |known| known.high)),
        step("latency_from", |row| Cell::number(row.point.latency.ends().low))
            .formula(|_| known_or_latency("latency_low_ms")),
        step("latency_to", |row| Cell::number(row.point.latency.ends().high))
            .formula(|_| known_or_latency("latency_high_ms")),
        step("throughput_from", |row| Cell::number(row.point.throughput.ends().low)),
        step("throughput_to", |row| Cell::number(row.point.throughput.ends().high)),
    ]
}

fn known_or_latency(key: &str) -> String {
    format!("=IF(ISNUMBER([{key}]),[{key}],[latency_ms])")
}

/// An end of the interval of the percentile that is chosen.
fn chosen(end: &str) -> String {
    let ends = ["p50", "p90", "p99"].map(|percentile| format!("[latency_{percentile}_{end}]"));
    format!("=CHOOSE([:percentile],{})", ends.join(","))
}

fn precision() -> String {
    let (low, high) = ("throughput_low_per_second", "throughput_high_per_second");
    let (latency, rate) = ("[latency_ms]", "[throughput_per_second]");
    format!(
        "=IF(AND(COUNT([latency_low_ms],[latency_high_ms],[{low}],[{high}])=4,{latency}>0,{rate}>0),\
         MAX(([latency_high_ms]-{latency})/{latency},([{high}]-{rate})/{rate}),\"{UNKNOWN}\")"
    )
}

fn within_threshold() -> String {
    let most = "[:threshold]";
    format!(
        "=IF(ISNUMBER({most}),IF([latency_ms]<={most},IF([latency_to]<={most},\"yes\",\"probably\"),\
         IF([latency_from]>{most},\"no\",\"probably not\")),\"\")"
    )
}

/// Whether none is better beyond the intervals; `of` is what others have to be, times.
fn on_front(of: &str) -> String {
    format!(
        "=IF(SUMPRODUCT({of}([!points.latency_to*]<[latency_from])\
         *([!points.throughput_from*]>[throughput_to]))=0,\"yes\",\"no\")"
    )
}

fn equals_count() -> String {
    let met =
        |of: &str| format!("([!points.{of}_from*]<=[{of}_to])*([!points.{of}_to*]>=[{of}_from])");
    format!(
        "=IF([on_front]=\"yes\",SUMPRODUCT(([!points.model_number*]=[model_number])\
         *([!points.on_front*]=\"yes\")*{}*{})-1,\"\")",
        met("latency"),
        met("throughput")
    )
}

fn rows(sweep: &Sweep) -> impl Iterator<Item = Row<'_>> {
    let profiles: Vec<_> = sweep.points.iter().map(|point| &point.profile).collect();
    let labels = words::labels(&profiles);
    sweep.points.iter().zip(labels).enumerate().filter_map(|(number, (point, label))| {
        Some(Row { sweep, number, point, of: sweep.models.get(point.model)?, label })
    })
}

/// All points on their sheet. What depends on the percentile or the threshold is live; what
/// is of the percentile chosen stands behind all three, whichever that is.
pub(crate) fn points_sheet(sweep: &Sweep) -> SheetTable<'_> {
    let mut columns = columns(Percentile::P99);
    columns.retain(|column| match column.key {
        // Names of others, which no formula can gather.
        "equals" => false,
        key => sweep.overall.is_some() || !OF_ALL_MODELS.contains(&key),
    });
    columns.extend(steps());
    SheetTable::reported(POINTS, &columns, rows(sweep), CellStyle::reported).with_width(12.0)
}

pub(super) fn table(sweep: &Sweep) -> Table {
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
    let table = Table::new(POINTS, "Points", &columns(sweep.options.percentile), rows(sweep))
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
            title: format!("Throughput ({}/s) against latency (ms)", counted.name()),
            kind: ChartKind::Scatter(Scatter {
                across: "latency (ms)",
                up: match counted {
                    Counted::Items => "throughput (items/s)",
                    Counted::Iterations => "throughput (iterations/s)",
                },
                labels: "label",
                marks: &["on_front", "sweet_spot"],
                from_zero: true,
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

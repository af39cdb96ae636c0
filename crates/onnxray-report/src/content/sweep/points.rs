//! The table of points, and their chart.

use super::row::Row;
use super::{configuration, costs};
use crate::document::Unit::{Count, Milliseconds as Ms, Number, Share, Text};
use crate::document::{
    Cell, CellStyle, Chart, ChartKind, Column, End, Scatter, Series, Table, UNKNOWN, columns,
};
use onnxray_analyzer::statistics::{Interval, Measured};
use onnxray_analyzer::sweep::{Candidates, Counted, Percentile, Point, Sweep};
use onnxray_text::shell_word;

const POINTS: &str = "points";
/// Columns that say something only where models are compared with each other.
const OF_ALL_MODELS: [&str; 3] = ["on_front_of_all", "sweet_spot_of_all", "on_cpu_front_of_all"];

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

/// The interval follows the percentile that it is of.
pub(super) fn columns<'a>(chosen: Percentile) -> Vec<Column<Row<'a>>> {
    let mut columns = what_it_is();
    for (percentile, latency) in Percentile::ALL.into_iter().zip(latencies()) {
        columns.push(latency);
        if percentile == chosen {
            columns.extend(chosen_latency());
        }
    }
    columns.extend(throughput());
    columns.extend(costs::costs());
    columns.extend(what_it_is_worth());
    columns
}

columns! {
    fn what_it_is<'a>: Row<'a>;

    /// position among the points
    "number" "#" Count = |row| Cell::Whole(row.number as u64 + 1), width(6.0);
    /// name of the profile
    "name" "Profile" Text = |row| Cell::text(&row.point.profile.name), width(14.0);
    /// its name, without the sizes that all names have
    "short_name" "Profile" Text = |row| Cell::text(&row.short_name), width(14.0);
    /// model file
    "model" "Model" Text = |row| row.of.model.as_ref().map_or(Cell::Unknown, Cell::text),
        width(14.0);
    /// name and version
    "engine" "Engine" Text = |row| Cell::stated(&row.point.profile.configuration.engine),
        width(14.0);
    /// size of the batch dimension
    "batch_size" "Batch" Count = |row| Cell::whole(row.point.profile.configuration.batch_size);
    /// sizes of other free dimensions
    "dimensions" "Dimensions" Text = |row| configuration::dimensions(&row.point.profile.configuration),
        width(14.0);
    /// threads per kernel
    "threads" "Threads" Count =
        |row| Cell::whole(row.point.profile.configuration.threads.map(u64::from));
    /// processes side by side
    "instances" "Instances" Count = |row| configuration::instances(&row.point.profile.configuration);
}

columns! {
    fn latencies<'a>: Row<'a>;

    /// latency of an iteration, median
    "latency_p50_ms" "p50 ms" Ms = |row| row.latency(Percentile::P50);
    /// 90th percentile of the latency
    "latency_p90_ms" "p90 ms" Ms = |row| row.latency(Percentile::P90);
    /// 99th percentile of the latency
    "latency_p99_ms" "p99 ms" Ms = |row| row.latency(Percentile::P99);
}

columns! {
    fn chosen_latency<'a>: Row<'a>;

    /// latency at the chosen percentile
    "latency_ms" "Latency ms" Ms = |row| Cell::number(row.point.latency.value),
        formula(|_| {
            "=CHOOSE([:percentile],[latency_p50_ms],[latency_p90_ms],[latency_p99_ms])".into()
        });
    /// its 95 % interval
    ends END: End in ["latency_low_ms" "Low ms", "latency_high_ms" "High ms"] Ms =
        |row| END.cell(row.point.latency.interval), formula(|_| chosen(END));
}

columns! {
    fn throughput<'a>: Row<'a>;

    /// items (or iterations: column Counts) per second: batch size / median latency; of instances:
    /// items of all / wall time
    "throughput_per_second" "Throughput/s" Number = |row| Cell::number(row.point.throughput.value);
    /// its 95 % interval
    ends END: End in [
        "throughput_low_per_second" "Low/s",
        "throughput_high_per_second" "High/s",
    ] Number = |row| END.cell(row.point.throughput.interval);
    /// unit of throughput: items or iterations
    "counted" "Counts" Text = |row| Cell::text(row.of.counted.name()), width(14.0);
    /// launches, or rounds of instances
    "rounds" "Rounds" Count = |row| Cell::Whole(row.point.profile.rounds);
    /// half interval / figure, the larger of latency and throughput
    "precision" "Precision" Share = |row| Cell::share(row.point.precision()),
        formula(|_| precision());
}

columns! {
    fn what_it_is_worth<'a>: Row<'a>;

    /// whether its latency is; probably (not) if the interval crosses the threshold
    "within_threshold" "Within threshold" Text = within,
        width(14.0), formula(|_| within_threshold());
    /// no point of the model beats it in both latency and throughput, beyond the intervals
    "on_front" "On front" Text = |row| Cell::yes_or_no(row.front().is_some()),
        width(14.0), formula(|_| on_front("([!points.model_number*]=[model_number])*"));
    /// points of the front whose intervals overlap in both
    "equals_count" "Equals" Count =
        |row| row.front().map_or(Cell::None, |front| Cell::Whole(front.equals.len() as u64)),
        formula(|_| equals_count());
    /// their names
    "equals" "Equal to" Text = |row| {
        let equals = row.front().map_or(&[][..], |front| &front.equals);
        Cell::some_text(configuration::names(row.sweep, equals))
    };
    /// highest throughput of its model within the threshold, by those with an interval if one has
    "sweet_spot" "Sweet spot" Text = |row| Cell::yes_or_no(row.of.sweet_spot == Some(row.number)),
        width(14.0),
        formula(|row| {
            // The first of the sweet spots is that of all models, if they are compared.
            let first = usize::from(row.sweep.overall.is_some());
            let last = first + row.sweep.models.len() - 1;
            let numbers = format!("[!sweet_spot.number:{first}:{last}]");
            format!("=IF(INDEX({numbers},[model_number])=[number],\"yes\",\"no\")")
        });
    /// no point of any model beats it in both, beyond the intervals
    "on_front_of_all" "On front of all" Text = |row| {
        let overall = row.sweep.overall.as_ref();
        overall.map_or(Cell::None, |all| Cell::yes_or_no(all.on_front(row.number).is_some()))
    }, width(14.0), formula(|_| on_front(""));
    /// highest throughput of all models within the threshold
    "sweet_spot_of_all" "Sweet spot of all" Text = |row| {
        let overall = row.sweep.overall.as_ref();
        overall.map_or(Cell::None, |all| Cell::yes_or_no(all.sweet_spot == Some(row.number)))
    }, width(14.0), formula(|_| "=IF([!sweet_spot.number:0]=[number],\"yes\",\"no\")".into());
    /// its name in the chart
    "label" "Label" Text = |row| Cell::text(&row.label), width(14.0);
    /// its name for `onnxray compare`, quoted for a shell
    "compare_as" "Compare as" Text = |row| {
        let project = row.sweep.options.project.as_ref();
        project.map_or(Cell::None, |project| {
            let name = &row.point.profile.name;
            Cell::text(shell_word(format!("{}:{name}", project.display())))
        })
    }, width(14.0);
}

/// What the chart draws on top: nothing where the point is not meant.
fn mark_of(is_meant: bool, row: &Row) -> Cell {
    if is_meant { Cell::number(row.point.throughput.value) } else { Cell::Unknown }
}

/// An end of the interval of a percentile.
fn end_of(row: &Row, percentile: Percentile, end: End) -> Cell {
    end.cell(percentile.of(&row.point.profile.latency_ms).interval)
}

columns! {
    /// What formulas and the chart need.
    fn steps<'a>: Row<'a>;

    own "chart_on_front" "On front, for the chart" Step = |row| mark_of(row.front().is_some(), row),
        width(13.0),
        formula(|_| "=IF([on_front]=\"yes\",[throughput_per_second],NA())".into());
    own "chart_sweet_spot" "Sweet spot, for the chart" Step =
        |row| mark_of(row.of.sweet_spot == Some(row.number), row),
        width(13.0),
        formula(|_| "=IF([sweet_spot]=\"yes\",[throughput_per_second],NA())".into());
    own "model_number" "" Step = |row| Cell::Number(row.point.model as f64 + 1.0), hidden();
    own "latency_p50_low" "" Step = |row| end_of(row, Percentile::P50, End::Low), hidden();
    own "latency_p50_high" "" Step = |row| end_of(row, Percentile::P50, End::High), hidden();
    own "latency_p90_low" "" Step = |row| end_of(row, Percentile::P90, End::Low), hidden();
    own "latency_p90_high" "" Step = |row| end_of(row, Percentile::P90, End::High), hidden();
    own "latency_p99_low" "" Step = |row| end_of(row, Percentile::P99, End::Low), hidden();
    own "latency_p99_high" "" Step = |row| end_of(row, Percentile::P99, End::High), hidden();
    own "latency_from" "" Step = |row| end(row.point.latency.ends().low),
        formula(|_| known_or("latency_low_ms", "0")), hidden();
    own "latency_to" "" Step = |row| end(row.point.latency.ends().high),
        formula(|_| known_or("latency_high_ms", "1E+300")), hidden();
    own "throughput_from" "" Step = |row| end(row.point.throughput.ends().low), hidden();
    own "throughput_to" "" Step = |row| end(row.point.throughput.ends().high), hidden();
    own "latency_known" "" Step = |row| known(row.point.latency),
        formula(|_| "=IF(ISNUMBER([latency_high_ms]),1,0)".into()), hidden();
    own "throughput_known" "" Step = |row| known(row.point.throughput), hidden();
}

/// A workbook has no infinity.
fn end(end: f64) -> Cell {
    Cell::Number(end.min(1e300))
}

fn known_or(key: &str, otherwise: &str) -> String {
    format!("=IF(ISNUMBER([{key}]),[{key}],{otherwise})")
}

fn known(measured: Measured) -> Cell {
    Cell::Number(f64::from(u8::from(measured.interval.is_some())))
}

/// An end of the interval of the percentile that is chosen.
fn chosen(end: End) -> String {
    let ends = ["p50", "p90", "p99"].map(|of| format!("[latency_{of}_{}]", end.key()));
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
    // Less 1: the point meets its own intervals.
    format!(
        "=IF([on_front]=\"yes\",SUMPRODUCT(([!points.model_number*]=[model_number])\
         *([!points.on_front*]=\"yes\")*{}*{})-1,\"\")",
        met("latency"),
        met("throughput")
    )
}

fn rows(sweep: &Sweep) -> impl Iterator<Item = Row<'_>> {
    let profiles: Vec<_> = sweep.points.iter().map(|point| &point.profile).collect();
    let labels = configuration::labels(&profiles);
    let shared = configuration::shared_sizes(sweep);
    sweep.points.iter().zip(labels).enumerate().filter_map(move |(number, (point, label))| {
        let short_name = configuration::short_name(&point.profile.name, &shared);
        Some(Row { sweep, number, point, of: sweep.models.get(point.model)?, label, short_name })
    })
}

/// All points on their sheet. What depends on the percentile or the threshold is live; what
/// is of the percentile chosen follows all three, whichever that is.
pub(crate) fn points_sheet(sweep: &Sweep) -> Table {
    let mut columns = columns(Percentile::P99);
    columns.retain(|column| match column.key {
        // Names of others, which no formula can gather, and what would be there twice.
        "equals" | "short_name" => false,
        key if !costs::is_on_sheet(sweep, key) => false,
        key => sweep.overall.is_some() || !OF_ALL_MODELS.contains(&key),
    });
    let has_costs = costs::is_on_sheet(sweep, costs::OF_ONE);
    columns.extend(costs::chart_steps().into_iter().filter(|_| has_costs));
    columns.extend(steps());
    columns.extend(costs::steps().into_iter().filter(|_| has_costs));
    Table::reported(POINTS, &columns, rows(sweep), CellStyle::reported).with_width(12.0)
}

pub(super) fn table(sweep: &Sweep) -> Table {
    // The names of all equals would be wider than a terminal.
    let mut hidden = vec!["number", "latency_ms", "equals", "label", "compare_as"];
    hidden.push(match configuration::shared_sizes(sweep).is_empty() {
        true => "short_name",
        false => "name",
    });
    hidden.extend(costs::HIDDEN);
    if sweep.points.iter().all(|point| point.profile.costs.is_none()) {
        hidden.extend(costs::SHOWN);
    }
    let is_of_one =
        |point: &Point| point.cpu_time.map(|one| one.value) == point.profile.cpu_time_ms();
    if sweep.points.iter().all(is_of_one) {
        hidden.push(costs::OF_ONE);
    }
    // Columns with one value for all points are hidden from people; files keep them.
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
        .hiding_empty(&costs::PACED)
        .hiding_empty(&["costs_unknown"])
        .essential(&[
            "name",
            "short_name",
            latency,
            "throughput_per_second",
            "cpu_time_ms",
            "paced_latency_ms",
            "paced_cpu_time_ms",
            "on_front",
            "on_cpu_front",
            "sweet_spot",
        ]);
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
        let series: Vec<Series> =
            models.filter_map(|model| series(model, "throughput_per_second")).collect();
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
    let of_cpu_time =
        [Counted::Items, Counted::Iterations].map(|counted| cpu_chart(sweep, counted));
    kinds.into_iter().chain(of_cpu_time).flatten().collect()
}

/// CPU time by latency, of models that count the same; `None` if none is known.
fn cpu_chart(sweep: &Sweep, counted: Counted) -> Option<Chart> {
    let models = sweep.models.iter().filter(|model| model.counted == counted);
    let models = models.filter(|model| !model.cpu_front.is_empty());
    let series: Vec<Series> = models.filter_map(|model| series(model, costs::OF_ONE)).collect();
    let (title, up) = match counted {
        Counted::Items => ("CPU time of an item (ms) against latency (ms)", "CPU time (ms/item)"),
        Counted::Iterations => {
            ("CPU time of an iteration (ms) against latency (ms)", "CPU time (ms/iteration)")
        }
    };
    (!series.is_empty()).then(|| Chart {
        title: title.to_string(),
        kind: ChartKind::Scatter(Scatter {
            across: "latency (ms)",
            up,
            labels: "label",
            marks: &["on_cpu_front"],
            from_zero: true,
        }),
        table: POINTS,
        categories: "latency_ms",
        series,
        shows: "latency and CPU time of every configuration whose CPU time is known, a series for \
                each model; those that none beats in both are marked",
    })
}

/// The points of a model, which stand together.
fn series(model: &Candidates, column: &'static str) -> Option<Series> {
    let rows = *model.points.first()?..*model.points.last()? + 1;
    Some(Series { name: model.model.clone(), column, rows: Some(rows) })
}

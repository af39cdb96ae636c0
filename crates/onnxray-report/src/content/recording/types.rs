//! The table of operator types, and its chart.

use super::latency::{has_concurrent, mean};
use super::operators::{
    DEVICE_MEAN, DEVICE_SHARE, DEVICE_TOTAL, RATE, ROOF_SHARE, SHORT_HEADINGS, TO_GAIN, are_of_one,
    of_clocks, on_devices, rate, rate_at_a_glance, shown_of_arithmetic, shown_of_device,
    under_roofs,
};
use crate::content::selection::{Order, Selection};
use crate::content::shares::partial;
use crate::document::{Cell, Chart, ChartKind, Series, Table, Unit, columns};
use Unit::{Count, Milliseconds as Ms, Number, Quantity, Share as InPercent, Text};
use onnxray_analyzer::statistics::{PartialSum, Summary, TypeSummary};
use onnxray_analyzer::{Milliseconds, Share};

/// A row of the table.
pub(crate) enum TypeRow {
    Type(Box<TypeSummary>),
    /// What makes the shares add up to the whole.
    Remainder {
        name: &'static str,
        mean: Option<Milliseconds>,
        median: Option<Milliseconds>,
        share: Option<Share>,
    },
    /// What all of it adds up to.
    Whole {
        name: String,
        mean: Milliseconds,
    },
}

impl TypeRow {
    /// A figure that the remainder does not have.
    fn of_type(&self, figure: fn(&TypeSummary) -> Cell) -> Cell {
        match self {
            TypeRow::Type(summary) => figure(summary),
            TypeRow::Remainder { .. } | TypeRow::Whole { .. } => Cell::None,
        }
    }
}

columns! {
    pub(super) const TYPES: TypeRow;

    /// ONNX op type; `framework overhead`: the rest of an iteration; `concurrent`: overlap of
    /// operators
    TYPE "Type" Text = |row| match row {
        TypeRow::Type(summary) => Cell::stated(&summary.operator_type),
        TypeRow::Remainder { name, .. } => Cell::text(*name),
        TypeRow::Whole { name, .. } => Cell::text(name),
    };
    /// operators of this type
    "operators" "Operators" Count = |row| row.of_type(|summary| Cell::Whole(summary.operators));
    /// executions per iteration
    "executions" "Runs" Number = |row| row.of_type(|summary| Cell::number(summary.executions));
    /// executions in measured iterations, or in the trace
    "calls" "Calls" Count = |row| row.of_type(|summary| Cell::whole(summary.calls));
    /// sum of exclusive times
    TOTAL "Total ms" Ms =
        |row| row.of_type(|summary| Cell::milliseconds(summary.total.map(Milliseconds::from)));
    /// exclusive time per iteration, mean
    MEAN "Time ms" Ms = |row| {
        Cell::milliseconds(match row {
            TypeRow::Type(summary) => summary.mean,
            TypeRow::Remainder { mean, .. } => *mean,
            TypeRow::Whole { mean, .. } => Some(*mean),
        })
    };
    /// exclusive time per iteration, median
    "time_median_ms" "Median ms" Ms = |row| match row {
        TypeRow::Type(summary) => Cell::milliseconds(summary.time.map(|time| time.median)),
        TypeRow::Remainder { median, .. } => Cell::milliseconds(*median),
        TypeRow::Whole { .. } => Cell::None,
    };
    /// share of operators + framework overhead; of all operators' time if unknown
    "share" "Share" InPercent = |row| match row {
        TypeRow::Type(summary) => Cell::share(summary.share),
        TypeRow::Remainder { share, .. } => Cell::share(*share),
        TypeRow::Whole { .. } => Cell::None,
    };
    /// time of the kernels, copies and sets that they launched on devices
    DEVICE_TOTAL "Self device ms" Ms =
        |row| row.of_type(|s| Cell::milliseconds(s.device.map(|device| device.total.into())));
    /// the same per iteration, mean
    DEVICE_MEAN "Self device ms" Ms =
        |row| row.of_type(|s| Cell::milliseconds(s.device.and_then(|device| device.mean)));
    /// share of the device time of all operators
    DEVICE_SHARE "Device share" InPercent =
        |row| row.of_type(|s| Cell::share(s.device.and_then(|device| device.share)));
    /// operations per iteration
    "flops" "FLOPs" Quantity = |row| row.of_type(|summary| partial(summary.flops));
    /// operators not in the sum, their FLOPs being unknown
    "flops_unknown" "FLOPs missing in" Count =
        |row| row.of_type(|summary| Cell::Whole(summary.flops.unknown));
    /// share of the model's FLOPs
    "flops_share" "FLOPs share" InPercent =
        |row| row.of_type(|summary| Cell::share(summary.flops_share));
    /// FLOPs / exclusive time
    RATE "GFLOP/s" Number =
        |row| row.of_type(|summary| rate(summary.gflops_per_second, summary.flops.whole()));
    /// bytes read and written per iteration
    "bytes" "Bytes" Quantity = |row| row.of_type(|summary| partial(summary.bytes));
    /// operators not in the sum, their bytes being unknown
    "bytes_unknown" "Bytes missing in" Count =
        |row| row.of_type(|summary| Cell::Whole(summary.bytes.unknown));
    /// what they would take at the machine's peak rates, of what they take undisturbed; unknown as
    /// soon as one of them is
    ROOF_SHARE "Of roof, undisturbed" InPercent = |row| {
        row.of_type(|summary| under_roof(summary, Cell::share(summary.roof_share())))
    };
    /// their undisturbed time above what they would take at the machine's peak rates, per iteration
    TO_GAIN "To gain ms" Ms = |row| {
        row.of_type(|summary| under_roof(summary, Cell::milliseconds(summary.to_gain())))
    };
}

/// What adds up over types.
const SUMS: [&str; 14] = [
    "operators",
    "executions",
    "calls",
    TOTAL,
    MEAN,
    "share",
    DEVICE_TOTAL,
    DEVICE_MEAN,
    DEVICE_SHARE,
    "flops",
    "flops_unknown",
    "bytes",
    "bytes_unknown",
    TO_GAIN,
];

pub(crate) const KEY: &str = "operator_types";
pub(crate) const TYPE: &str = "type";
const TOTAL: &str = "total_ms";
const MEAN: &str = "time_ms";

/// The table of types; `remainder` are the rows that make the shares whole.
pub(crate) fn types(
    mut types: Vec<TypeSummary>,
    selection: &Selection,
    remainder: Vec<TypeRow>,
) -> Table {
    sort(&mut types, selection.order);
    let device = types.iter().find_map(|summary| summary.device);
    let has_roofs = types.iter().any(|summary| summary.roof_share().is_some());
    let mut keys = vec![TYPE, "operators", "flops", "bytes"];
    if types.iter().any(|summary| summary.mean.is_some()) {
        keys.extend(["executions", MEAN, "share"]);
        keys.extend(shown_of_arithmetic(has_roofs));
        let times = types.iter().filter_map(|summary| summary.time.as_ref());
        if device.is_none() && !are_of_one(times) {
            keys.push("time_median_ms");
        }
    } else if types.iter().any(|summary| summary.total.is_some()) {
        keys.extend(["calls", TOTAL, "share"]);
    } else {
        keys.push("executions");
    }
    // Where nothing is known, nothing is missing in it either.
    let is_partial = |part: fn(&TypeSummary) -> PartialSum| {
        let is_known = |summary| partial(part(summary)) != Cell::Unknown;
        types.iter().any(|summary| part(summary).unknown > 0) && types.iter().any(is_known)
    };
    if is_partial(|summary| summary.flops) {
        keys.push("flops_unknown");
    }
    if is_partial(|summary| summary.bytes) {
        keys.push("bytes_unknown");
    }
    keys.extend(device.map_or(&[][..], shown_of_device));
    let kept = remainder.len();
    let rows = types.into_iter().map(|one| TypeRow::Type(Box::new(one))).chain(remainder);
    let table = Table::new(KEY, "By type", TYPES, rows).showing(&keys);
    under_roofs(of_clocks(table, device), has_roofs)
        .essential(&[TYPE, MEAN, TOTAL, "share", DEVICE_MEAN, DEVICE_TOTAL, DEVICE_SHARE])
        .summed_up(selection.rows, kept, &SUMS)
}

/// What has no FLOPs has no roof.
fn under_roof(summary: &TypeSummary, figure: Cell) -> Cell {
    match figure {
        Cell::Unknown => rate(None, summary.flops.whole()),
        known => known,
    }
}

/// The same with what tells most at a glance, and bars.
pub(crate) fn at_a_glance(
    mut types: Vec<TypeSummary>,
    selection: &Selection,
    remainder: Vec<TypeRow>,
) -> Table {
    sort(&mut types, selection.order);
    let by_iteration = types.iter().any(|summary| summary.mean.is_some());
    let time = if by_iteration { MEAN } else { TOTAL };
    let device = types.iter().find_map(|summary| summary.device);
    let mut keys = vec![TYPE, "operators", time, "share"];
    let has_roofs = types.iter().any(|summary| summary.roof_share().is_some());
    keys.extend(device.map_or(&[][..], shown_of_device));
    keys.extend(rate_at_a_glance(has_roofs, device.is_some()));
    let is_timed = types.iter().any(|summary| summary.total.is_some() || summary.mean.is_some());
    let title = if is_timed { "Where the time goes" } else { "By type" };
    let kept = remainder.len();
    let rows = types.into_iter().map(|one| TypeRow::Type(Box::new(one))).chain(remainder);
    of_clocks(Table::new(KEY, title, TYPES, rows), device)
        .essential(&[TYPE, time, "share", DEVICE_MEAN, DEVICE_TOTAL, DEVICE_SHARE])
        .summed_up(selection.rows, kept, &SUMS)
        .only(&keys)
        .headed(&SHORT_HEADINGS)
        // Where devices work, the host's share says little.
        .with_bars(if device.is_some() { DEVICE_SHARE } else { "share" })
}

fn sort(types: &mut [TypeSummary], order: Order) {
    match order {
        Order::Time => types.sort_by(|a, b| b.sort_key.total_cmp(&a.sort_key)),
        Order::Execution => types.sort_by_key(|summary| summary.first),
        Order::Name => types.sort_by(|a, b| a.operator_type.cmp(&b.operator_type)),
        Order::Flops => types.sort_by(|a, b| b.flops.known.total_cmp(&a.flops.known)),
        Order::Bytes => types.sort_by(|a, b| b.bytes.known.total_cmp(&a.bytes.known)),
        // What is unknown comes last.
        Order::Device => {
            let time = |one: &TypeSummary| on_devices(one.device).unwrap_or(-1.0);
            types.sort_by(|a, b| time(b).total_cmp(&time(a)));
        }
        Order::Gain => {
            let gain = |one: &TypeSummary| one.to_gain().map_or(-1.0, |gain| gain.0);
            types.sort_by(|a, b| gain(b).total_cmp(&gain(a)));
        }
    }
}

/// The chart of a table of types, if it has times.
pub(crate) fn chart(types: &Table) -> Option<Chart> {
    let charts = [
        (MEAN, DEVICE_MEAN, "Exclusive time per iteration (ms, mean)"),
        // A trace without iterations knows no time per iteration.
        (TOTAL, DEVICE_TOTAL, "Exclusive time of all executions (ms)"),
    ];
    let has_times =
        |key: &str| types.column(key)?.cells.iter().find_map(Cell::as_number).map(|_| ());
    let (key, device, title) = charts.into_iter().find(|(key, ..)| has_times(key).is_some())?;
    Some(Chart {
        title: title.to_string(),
        kind: ChartKind::Bars,
        table: KEY,
        categories: TYPE,
        series: std::iter::once(Series::of(key))
            .chain(has_times(device).map(|()| Series::of(device)))
            .collect(),
        shows: "time of every operator type and of the overhead, in the order of the table",
    })
}

/// What makes the shares add up to the whole: the overhead, and, taken off, the
/// time in which operators ran side by side. Shares of two clocks are of operators alone.
pub(crate) fn remainder(summary: &Summary) -> Vec<TypeRow> {
    let model = &summary.model;
    if model.device.is_some() {
        return Vec::new();
    }
    let row = |name, mean: Option<Milliseconds>, median| {
        let latency = model.whole.map(|whole| whole.0).filter(|&mean| mean > 0.0);
        let share = mean.zip(latency).map(|(mean, latency)| Share(mean.0 / latency));
        TypeRow::Remainder { name, mean, median, share }
    };
    let mut rows = Vec::new();
    if has_concurrent(summary) {
        // Negative: operators take more than the wall time that they cover.
        let mean = mean(summary, model.concurrent).map(|mean| Milliseconds(-mean.0));
        rows.push(row("concurrent", mean, None));
    }
    // Blocks add up to the latency.
    if let Some(overhead) = model.overhead.filter(|_| !summary.run.blocks) {
        rows.push(row("framework overhead", Some(overhead.mean), overhead.median));
    }
    rows
}

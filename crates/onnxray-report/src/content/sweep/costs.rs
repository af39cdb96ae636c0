//! Columns of the points: what an inference costs beside its latency.

use super::row::Row;
use crate::document::Unit::{Count, Milliseconds as Ms, Number, Quantity, Text};
use crate::document::{Cell, End, columns};
use onnxray_analyzer::profiles::{PacedCosts, ProfileCosts};
use onnxray_analyzer::statistics::{Interval, Measured};
use onnxray_analyzer::sweep::Sweep;

/// Columns that files have and people do not see.
pub(super) const HIDDEN: [&str; 12] = [
    "starts",
    "cpu_time_low_ms",
    "cpu_time_high_ms",
    "memory_peak_low_bytes",
    "memory_peak_high_bytes",
    "start_low_ms",
    "start_high_ms",
    "paced_latency_low_ms",
    "paced_latency_high_ms",
    "paced_cpu_time_low_ms",
    "paced_cpu_time_high_ms",
    "on_cpu_front_of_all",
];
/// Only where something was measured.
pub(super) const SHOWN: [&str; 4] =
    ["cpu_time_ms", "memory_peak_bytes", "start_ms", "on_cpu_front"];
/// Only where iterations have several items.
pub(super) const OF_ONE: &str = "cpu_time_of_one_ms";
/// Only of calls at a pace.
pub(super) const PACED: [&str; 7] = [
    "rate",
    "paced_latency_ms",
    "paced_latency_low_ms",
    "paced_latency_high_ms",
    "paced_cpu_time_ms",
    "paced_cpu_time_low_ms",
    "paced_cpu_time_high_ms",
];

/// Whether a sheet has a column: none of what was not measured at any point.
pub(super) fn is_on_sheet(sweep: &Sweep, key: &str) -> bool {
    let mut all = sweep.points.iter().filter_map(|point| point.profile.costs.as_ref());
    match key {
        key if PACED.contains(&key) => all.any(|costs| costs.paced.is_some()),
        _ => all.next().is_some() || costs().iter().all(|column| column.key != key),
    }
}

impl Row<'_> {
    fn costs(&self) -> Option<&ProfileCosts> {
        self.point.profile.costs.as_ref()
    }

    fn paced(&self) -> Option<&PacedCosts> {
        self.costs()?.paced.as_ref()
    }
}

fn value(measured: Option<Measured>) -> Cell {
    Cell::number(measured.map(|measured| measured.value))
}

fn end(end: End, measured: Option<Measured>) -> Cell {
    end.cell(measured.and_then(|measured| measured.interval))
}

/// Whole bytes.
fn bytes(cell: Cell) -> Cell {
    match cell {
        Cell::Number(bytes) => Cell::Number(bytes.round()),
        unknown => unknown,
    }
}

/// Blank without calls at a pace.
fn paced(row: &Row, of: impl Fn(&PacedCosts) -> Cell) -> Cell {
    row.paced().map_or(Cell::None, of)
}

columns! {
    pub(super) fn costs<'a>: Row<'a>;

    /// processes that loaded the model and ran it, alone and unprofiled
    "starts" "Starts" Count = |row| Cell::whole(row.costs().map(|costs| costs.starts));
    /// CPU time of an iteration, of all threads: mean over starts
    "cpu_time_ms" "CPU ms" Ms = |row| value(row.costs().and_then(|costs| costs.cpu_time_ms));
    /// its 95 % interval
    ends END: End in ["cpu_time_low_ms" "CPU low ms", "cpu_time_high_ms" "CPU high ms"] Ms =
        |row| end(END, row.costs().and_then(|costs| costs.cpu_time_ms));
    /// CPU time of an item (or of an iteration: column Counts)
    OF_ONE "CPU ms/item" Ms = |row| value(row.point.cpu_time);
    /// resident memory at the most, beyond that before the engine was loaded
    "memory_peak_bytes" "Memory" Quantity =
        |row| bytes(value(row.costs().and_then(|costs| costs.memory_peak_bytes)));
    /// its 95 % interval
    ends END: End in ["memory_peak_low_bytes" "Memory low", "memory_peak_high_bytes" "Memory high"]
        Quantity = |row| bytes(end(END, row.costs().and_then(|costs| costs.memory_peak_bytes)));
    /// library load, session creation and first iteration
    "start_ms" "Start ms" Ms = |row| value(row.costs().and_then(|costs| costs.start_ms));
    /// its 95 % interval
    ends END: End in ["start_low_ms" "Start low ms", "start_high_ms" "Start high ms"] Ms =
        |row| end(END, row.costs().and_then(|costs| costs.start_ms));
    /// lowest rate of calls at a pace, per second
    "rate" "Rate/s" Number = |row| paced(row, |paced| Cell::Number(paced.rate));
    /// median latency of these calls, from when each was due
    "paced_latency_ms" "ms at pace" Ms = |row| paced(row, |paced| value(paced.latency_ms));
    /// its 95 % interval
    ends END: End in [
        "paced_latency_low_ms" "Low ms at pace",
        "paced_latency_high_ms" "High ms at pace",
    ] Ms = |row| paced(row, |paced| end(END, paced.latency_ms));
    /// CPU time of such a call, of all threads
    "paced_cpu_time_ms" "CPU ms at pace" Ms = |row| paced(row, |paced| value(paced.cpu_time_ms));
    /// its 95 % interval
    ends END: End in [
        "paced_cpu_time_low_ms" "CPU low ms at pace",
        "paced_cpu_time_high_ms" "CPU high ms at pace",
    ] Ms = |row| paced(row, |paced| end(END, paced.cpu_time_ms));
    /// why CPU time, memory or start is unknown
    "costs_unknown" "Costs unknown" Text =
        |row| row.point.costs_unknown().map_or(Cell::None, Cell::text), width(14.0);
    /// no point beats it in both latency and CPU time of an item; blank if that is unknown
    "on_cpu_front" "On CPU front" Text =
        |row| row.on_cpu_front(row.of),
        width(14.0), formula(|_| on_cpu_front("([!points.model_number*]=[model_number])*"));
    /// among all models
    "on_cpu_front_of_all" "On CPU front of all" Text =
        |row| row.sweep.overall.as_ref().map_or(Cell::None, |all| row.on_cpu_front(all)),
        width(14.0), formula(|_| on_cpu_front(""));
}

columns! {
    /// What the chart needs: it draws what is to be seen only.
    pub(super) fn chart_steps<'a>: Row<'a>;

    own "chart_cpu_time_of_one_ms" "CPU time, for the chart" Step = |row| value(row.point.cpu_time),
        width(13.0), formula(|_| "=IF(ISNUMBER([cpu_time_of_one_ms]),[cpu_time_of_one_ms],NA())".into());
    own "chart_on_cpu_front" "On CPU front, for the chart" Step = |row| {
            let is_on = row.of.on_cpu_front(row.number).is_some();
            if is_on { value(row.point.cpu_time) } else { Cell::Unknown }
        },
        width(13.0),
        formula(|_| "=IF([on_cpu_front]=\"yes\",[cpu_time_of_one_ms],NA())".into());
}

columns! {
    /// What formulas need.
    pub(super) fn steps<'a>: Row<'a>;

    own "cpu_time_from" "" Step = |row| Cell::Number(ends(row).low), hidden();
    own "cpu_time_to" "" Step = |row| Cell::Number(ends(row).high.min(1e300)), hidden();
}

/// From 0 to infinity where it is unknown.
fn ends(row: &Row) -> Interval {
    row.point.cpu_time.map_or(Interval { low: 0.0, high: f64::INFINITY }, Measured::ends)
}

/// Whether none is better beyond the intervals; `of` is what others have to be, times.
fn on_cpu_front(of: &str) -> String {
    format!(
        "=IF(ISNUMBER([{OF_ONE}]),IF(SUMPRODUCT({of}([!points.latency_to*]<[latency_from])\
         *([!points.cpu_time_to*]<[cpu_time_from]))=0,\"yes\",\"no\"),\"\")"
    )
}

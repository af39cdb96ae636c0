//! Calls at a pace: how long answers take at each rate, and what they cost.

use crate::document::{Cell, Chart, ChartKind, End, Series, Table, Unit, columns};
use Unit::{Count, Number, Share, Text};
use onnxray_analyzer::statistics::{CostFigure, PaceSummary, Percentile, rate_number};

columns! {
    pub(in crate::content::recording) const PACE: PaceSummary;

    /// calls per second that do not wait for answers; max: each follows the answer before
    "rate" "Rate (calls/s)" Text = |pace| Cell::text(rate(pace));
    /// between calls: even, or random (poisson)
    "gaps" "Gaps" Text = |pace| match (pace.rate, pace.is_poisson) {
        (None, _) => Cell::None,
        (_, true) => Cell::label("poisson", "poisson"),
        (_, false) => Cell::label("even", "even"),
    };
    /// calls that were answered, in all processes
    "calls" "Calls" Count = |pace| Cell::Whole(pace.calls);
    /// calls that were due and did not begin before the end
    "unserved" "Unserved" Count = |pace| Cell::Whole(pace.unserved);
    /// answers per second
    "served_per_second" "Served/s" Number = |pace| mean(pace.served.as_ref());
    /// from when a call is due to its answer: median
    "latency_median_ms" "Latency, median (ms)" Number = |pace| time(pace.latency[0]);
    /// 95 % interval of the median latency
    ends END: End in ["latency_median_low_ms" "Median, low (ms)", "latency_median_high_ms" "Median, high (ms)"] Number =
        |pace| end(END, pace.latency[0]);
    /// 90th percentile of the latency
    "latency_p90_ms" "p90 (ms)" Number = |pace| time(pace.latency[1]);
    /// 99th percentile of the latency
    "latency_p99_ms" "p99 (ms)" Number = |pace| time(pace.latency[2]);
    /// 95 % interval of p99; the upper end is unknown of too few calls
    ends END: End in ["latency_p99_low_ms" "p99, low (ms)", "latency_p99_high_ms" "p99, high (ms)"] Number =
        |pace| end(END, pace.latency[2]);
    /// 99.9th percentile of the latency
    "latency_p999_ms" "p99.9 (ms)" Number = |pace| time(pace.latency[3]);
    /// 95 % interval of p99.9
    ends END: End in ["latency_p999_low_ms" "p99.9, low (ms)", "latency_p999_high_ms" "p99.9, high (ms)"] Number =
        |pace| end(END, pace.latency[3]);
    /// from when a call begins to its answer, without waiting: median
    "service_median_ms" "Service time, median (ms)" Number = |pace| time(pace.service[0]);
    /// 99th percentile of the service time
    "service_p99_ms" "Service time, p99 (ms)" Number = |pace| time(pace.service[2]);
    /// share of calls whose answer came after the next one was due
    "late_share" "Late" Share = |pace| pace.late.map_or(Cell::None, |late| Cell::Number(late.0));
    /// whether calls wait for each other by half the service time, or fewer than 95 % began
    "departs" "Departs" Text = |pace| pace.departs.map_or(Cell::None, Cell::yes_or_no);
    /// CPU time of all threads per call, with what they take between calls
    "cpu_time_ms" "CPU time of a call (ms)" Number = |pace| Cell::number(pace.cpu_time.as_ref().map(|of| of.mean));
    /// 95 % interval of the CPU time of a call, over processes
    ends END: End in ["cpu_time_low_ms" "CPU time, low (ms)", "cpu_time_high_ms" "CPU time, high (ms)"] Number =
        |pace| Cell::number(pace.cpu_time.as_ref().and_then(|of| of.interval).map(|known| END.of(known)));
    /// CPU time / time
    "busy_cores" "Busy cores" Number = |pace| mean(pace.busy_cores.as_ref());
    /// time per call for which a container's limit stopped threads
    THROTTLED "Throttled per call (ms)" Number = |pace| Cell::number(pace.throttled);
}

const TABLE: &str = "pace";
/// Only where a container has a limit.
const THROTTLED: &str = "throttled_ms";

/// `20`, `0.5` or `max`
pub(crate) fn rate(pace: &PaceSummary) -> String {
    pace.rate.map_or("max".to_string(), rate_number)
}

/// The table of all rates; `None` if there are none.
pub(in crate::content::recording) fn table(paces: &[PaceSummary]) -> Option<Table> {
    let essential =
        ["rate", "latency_median_ms", "latency_p99_ms", "service_median_ms", "cpu_time_ms"];
    (!paces.is_empty()).then(|| {
        Table::new(TABLE, "Calls at a pace", PACE, paces.iter())
            .hiding_empty(&[THROTTLED])
            .essential(&essential)
    })
}

/// What a call takes at each rate.
pub(in crate::content::recording) fn chart() -> Chart {
    let drawn = [
        ("latency_median_ms", "latency, median"),
        ("latency_p99_ms", "latency, p99"),
        ("service_median_ms", "service time, median"),
        ("cpu_time_ms", "CPU time of a call"),
    ];
    // The unit is in the title.
    let line = |(column, name): (&'static str, &str)| Series {
        name: Some(name.to_string()),
        ..Series::of(column)
    };
    Chart {
        title: "Calls at a pace (ms)".to_string(),
        kind: ChartKind::Line,
        table: TABLE,
        categories: "rate",
        series: drawn.map(line).to_vec(),
        shows: "latency, service time and CPU time of a call at each rate, in calls per second",
    }
}

fn mean(figure: Option<&CostFigure>) -> Cell {
    Cell::number(figure.map(|figure| figure.mean))
}

fn time(percentile: Option<Percentile>) -> Cell {
    Cell::number(percentile.map(|known| known.value))
}

fn end(end: End, percentile: Option<Percentile>) -> Cell {
    Cell::number(percentile.and_then(|known| match end {
        End::Low => Some(known.low),
        End::High => known.high,
    }))
}

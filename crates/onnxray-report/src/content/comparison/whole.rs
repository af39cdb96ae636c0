//! What is said of the whole model: its figures, in what the recordings were not made
//! alike, and what the time of each side is made of.

use super::rows::{
    BASELINE, DETECTABLE, Pair, Row, computed, detectable, hiding_empty, high, low, table,
};
use super::verdict::{has_one_unit, reason, verdict};
use crate::document::Unit::{Probability, Ratio, Share, Text};
use crate::document::{Cell, Column, Table, column};
use onnxray_analyzer::comparison::{Change, Comparison, Conservation, Difference, Side, Whole};

/// A figure of the whole model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WholeFigure {
    /// Of what decides: the latency, or what stands in for it.
    Typical,
    Mean,
    /// Of the same iterations as the mean.
    ItemRate,
    IterationRate,
    /// With profiling, where the latency is known without it.
    ProfiledTypical,
    ProfiledMean,
    OperatorsMean,
    OverheadMean,
}

impl WholeFigure {
    /// Those that a comparison can tell, in the order in which they are shown.
    pub(crate) fn of(comparison: &Comparison) -> &'static [WholeFigure] {
        use WholeFigure::*;
        match (&comparison.plain, comparison.total_is) {
            (Some(_), Whole::Latency) => &[
                Typical,
                Mean,
                OperatorsMean,
                OverheadMean,
                ItemRate,
                IterationRate,
                ProfiledTypical,
                ProfiledMean,
            ],
            (Some(_), _) => &[
                Typical,
                Mean,
                ItemRate,
                IterationRate,
                ProfiledTypical,
                ProfiledMean,
                OperatorsMean,
                OverheadMean,
            ],
            (None, Whole::Wall | Whole::Latency) => {
                &[Typical, Mean, ItemRate, IterationRate, OperatorsMean, OverheadMean]
            }
            (None, Whole::Operators) => &[Typical, Mean],
        }
    }

    /// The mean that layers, causes and what is beyond them add up to.
    pub(crate) fn of_parts(comparison: &Comparison) -> WholeFigure {
        match (comparison.total_is, &comparison.plain) {
            (Whole::Wall | Whole::Operators, Some(_)) => WholeFigure::ProfiledMean,
            (Whole::Latency, _) | (_, None) => WholeFigure::Mean,
        }
    }

    /// Whether it is per second; the others are in milliseconds.
    pub(crate) fn is_rate(self) -> bool {
        matches!(self, WholeFigure::ItemRate | WholeFigure::IterationRate)
    }

    fn label(self, comparison: &Comparison) -> Cell {
        const LATENCY: [(&str, &str); 2] = [
            ("latency_typical_ms", "latency, typical (ms)"),
            ("latency_mean_ms", "latency, mean (ms)"),
        ];
        const PROFILED: [(&str, &str); 2] = [
            ("profiled_latency_typical_ms", "profiled latency, typical (ms)"),
            ("profiled_latency_mean_ms", "profiled latency, mean (ms)"),
        ];
        const OPERATORS: [(&str, &str); 2] = [
            ("operators_typical_ms", "operators, typical (ms)"),
            ("operators_mean_ms", "operators, mean (ms)"),
        ];
        let of_parts = match comparison.total_is {
            Whole::Operators => OPERATORS,
            Whole::Wall | Whole::Latency if comparison.is_timed_apart() => LATENCY,
            Whole::Wall | Whole::Latency => PROFILED,
        };
        let decisive = if comparison.plain.is_some() { LATENCY } else { of_parts };
        let (key, text) = match self {
            WholeFigure::Typical => decisive[0],
            WholeFigure::Mean => decisive[1],
            WholeFigure::ProfiledTypical => of_parts[0],
            WholeFigure::ProfiledMean => of_parts[1],
            WholeFigure::OperatorsMean => OPERATORS[1],
            WholeFigure::ItemRate => ("throughput_items_per_second", "throughput (items/s)"),
            WholeFigure::IterationRate => {
                ("throughput_iterations_per_second", "throughput (iterations/s)")
            }
            WholeFigure::OverheadMean => ("overhead_mean_ms", "framework overhead, mean (ms)"),
        };
        Cell::label(key, text)
    }

    fn value(self, pair: &Pair, side: Side) -> Option<f64> {
        let timing = &pair.comparison.decisive().sides[side as usize];
        let profiled = &pair.comparison.total.sides[side as usize];
        let parts = &pair.comparison.conservation[side as usize];
        let typical = timing.typical.map(|time| time.0);
        let rate = || typical.filter(|time| *time > 0.0).map(|time| 1e3 / time);
        match self {
            WholeFigure::Typical => typical,
            WholeFigure::Mean => timing.mean.map(|time| time.0),
            WholeFigure::ItemRate => {
                let batch = pair.recordings[side as usize].summary.run.batch_size?;
                Some(rate()? * batch as f64)
            }
            WholeFigure::IterationRate => rate(),
            WholeFigure::ProfiledTypical => profiled.typical.map(|time| time.0),
            WholeFigure::ProfiledMean => profiled.mean.map(|time| time.0),
            WholeFigure::OperatorsMean => Some(per_iteration(parts, parts.aligned + parts.only)),
            WholeFigure::OverheadMean => Some(per_iteration(parts, parts.overhead?)),
        }
    }
}

/// Milliseconds of a sum of nanoseconds.
pub(super) fn per_iteration(parts: &Conservation, sum: f64) -> f64 {
    sum / parts.iterations / 1e6
}

/// The whole model on both sides.
pub(super) fn inference(pairs: &[Pair]) -> Table {
    let rows = |pair: Pair| WholeFigure::of(pair.comparison).to_vec();
    let table = table("inference", "Inference time", inference_columns(), pairs, rows);
    let essential = ["version", "figure", "a", "b", "ratio", "verdict"];
    hiding_empty(hiding_empty(table.hiding(&[BASELINE]), "reason"), DETECTABLE)
        .essential(&essential)
        .wrapping(&["reason"])
}

fn inference_columns<'a>() -> Vec<Column<Row<'a, WholeFigure>>> {
    vec![
        column("figure", "Figure", Text, "what is stated", |row| {
            row.subject.label(row.pair.comparison)
        }),
        column(BASELINE, "A is", Text, "what the baseline is called", |row| {
            Cell::text(&row.pair.recordings[Side::A as usize].label)
        }),
        column("a", "A", Ratio, "of the baseline", |row| Cell::number(row.value(Side::A))),
        column("b", "B", Ratio, "of the version", |row| Cell::number(row.value(Side::B))),
        column("difference", "B - A", Ratio, "B minus A", |row| {
            Cell::number(row.comparable().map(|[a, b]| b - a))
        }),
        column("ratio", "B / A", Ratio, "B by A", |row| {
            Cell::number(row.comparable().filter(|[a, _]| *a > 0.0).map(|[a, b]| b / a))
        }),
        column("ratio_low", "Low", Ratio, "low end of a 95 % interval of the ratio", |row| {
            low(row.tested().and_then(|change| change.ratio_interval))
        }),
        column("ratio_high", "High", Ratio, "high end", |row| {
            high(row.tested().and_then(|change| change.ratio_interval))
        }),
        column("p", "p", Probability, "of the test on launches", |row| {
            computed(row.tested().and_then(|change| change.p))
        }),
        column(
            DETECTABLE,
            "Detectable",
            Share,
            "smallest difference that these recordings would have shown in four of five cases",
            |row| row.tested().map_or(Cell::None, detectable),
        ),
        column("verdict", "Verdict", Text, "what can be said of the difference", |row| {
            row.tested().map_or(Cell::None, |_| verdict(row.pair.comparison.decisive()))
        }),
        column("reason", "Why", Text, "why it is inconclusive beside its interval", |row| {
            row.tested().map_or(Cell::None, reason)
        }),
    ]
}

impl<'a> Row<'a, WholeFigure> {
    fn value(&self, side: Side) -> Option<f64> {
        self.subject.value(&self.pair, side)
    }

    /// Both values, if they are of the same.
    fn comparable(&self) -> Option<[f64; 2]> {
        let comparison = self.pair.comparison;
        let is_comparable = match self.subject {
            WholeFigure::Typical => comparison.decisive().change.ratio.is_some(),
            WholeFigure::ProfiledTypical => comparison.total.change.ratio.is_some(),
            WholeFigure::Mean => has_one_unit(comparison),
            _ => true,
        };
        let [a, b] = [Side::A, Side::B].map(|side| self.value(side));
        a.zip(b).filter(|_| is_comparable).map(|(a, b)| [a, b])
    }

    /// What the test says; typical times are what is tested.
    fn tested(&self) -> Option<&'a Change> {
        (self.subject == WholeFigure::Typical).then(|| &self.pair.comparison.decisive().change)
    }
}

/// In what the recordings were not made alike.
pub(super) fn configuration(pairs: &[Pair]) -> Table {
    let title = "Configuration differences";
    table("configuration_differences", title, configuration_columns(), pairs, |pair| {
        pair.comparison.guard.differences.iter().collect()
    })
    .wrapping(&["a", "b", "meaning"])
}

fn configuration_columns<'a>() -> Vec<Column<Row<'a, &'a Difference>>> {
    vec![
        column("field", "Field", Text, "what differs", |row| Cell::text(row.subject.field.name())),
        column("a", "A", Text, "of the baseline", |row| row.setting(Side::A)),
        column("b", "B", Text, "of the version", |row| row.setting(Side::B)),
        column(
            "meaning",
            "Meaning",
            Text,
            "whether it is compared, or keeps from comparing",
            |row| Cell::text(row.subject.weight.text()),
        ),
    ]
}

impl Row<'_, &Difference> {
    fn setting(&self, side: Side) -> Cell {
        self.subject.values[side as usize].clone().map_or(Cell::Unknown, Cell::Text)
    }
}

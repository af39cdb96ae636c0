//! Calls at a pace, on both sides.

use super::rows::{Pair, Row, table};
use crate::content::recording::costs::pace::rate;
use crate::document::Unit::{Number, Ratio, Text};
use crate::document::{Cell, Table, columns};
use onnxray_analyzer::statistics::{CostFigure, PaceSummary};

/// One rate, by side.
pub(super) type Paces<'a> = [Option<&'a PaceSummary>; 2];

/// All rates of either side; `None` if there are none.
pub(super) fn paces(pairs: &[Pair]) -> Option<Table> {
    let table = table("pace", "Calls at a pace", pace_columns(), pairs, rows);
    let essential = ["rate", "a_median_ms", "b_median_ms", "a_cpu_ms", "b_cpu_ms"];
    (!table.is_empty()).then(|| table.essential(&essential))
}

fn rows(pair: Pair<'_>) -> Vec<Paces<'_>> {
    let [a, b] = pair
        .recordings
        .map(|recording| recording.summary.costs.as_ref().map_or(&[][..], |costs| &costs.paces));
    let of_a = a.iter().map(|of_a| [Some(of_a), b.iter().find(|of_b| of_b.has_schedule_of(of_a))]);
    let only_b = b.iter().filter(|of_b| !a.iter().any(|of_a| of_a.has_schedule_of(of_b)));
    of_a.chain(only_b.map(|of_b| [None, Some(of_b)])).collect()
}

columns! {
    pub(super) fn pace_columns<'a>: Row<'a, Paces<'a>>;

    /// calls per second; max: each follows the answer before
    "rate" "Rate (calls/s)" Text =
        |row| row.subject.iter().flatten().next().map_or(Cell::None, |pace| Cell::text(rate(pace)));
    /// median latency of calls
    for SIDE: usize in ["a_median_ms" "A median (ms)" = 0, "b_median_ms" "B median (ms)" = 1] Number =
        |row| row.of(SIDE, median);
    /// B / A of these
    "median_ratio" "B / A" Ratio = |row| row.ratio(median);
    /// 99th percentile of it
    for SIDE: usize in ["a_p99_ms" "A p99 (ms)" = 0, "b_p99_ms" "B p99 (ms)" = 1] Number =
        |row| row.of(SIDE, |pace| Some(pace.latency[2]?.value));
    /// CPU time of a call
    for SIDE: usize in ["a_cpu_ms" "A CPU (ms)" = 0, "b_cpu_ms" "B CPU (ms)" = 1] Number =
        |row| row.of(SIDE, cpu);
    /// B / A of these
    "cpu_ratio" "B / A" Ratio = |row| row.ratio(cpu);
    /// whether the latency departs
    for SIDE: usize in ["a_departs" "A departs" = 0, "b_departs" "B departs" = 1] Text =
        |row| row.subject[SIDE].and_then(|pace| pace.departs).map_or(Cell::None, Cell::yes_or_no);
}

fn median(pace: &PaceSummary) -> Option<f64> {
    Some(pace.latency[0]?.value)
}

fn cpu(pace: &PaceSummary) -> Option<f64> {
    pace.cpu_time.as_ref().map(|figure: &CostFigure| figure.mean)
}

impl Row<'_, Paces<'_>> {
    fn of(&self, side: usize, figure: impl Fn(&PaceSummary) -> Option<f64>) -> Cell {
        Cell::number(self.subject[side].and_then(figure))
    }

    fn ratio(&self, figure: impl Fn(&PaceSummary) -> Option<f64>) -> Cell {
        let [a, b] = self.subject.map(|pace| figure(pace?));
        let known = a.zip(b).filter(|(a, _)| *a > 0.0);
        known.map_or(Cell::None, |(a, b)| Cell::Number(b / a))
    }
}

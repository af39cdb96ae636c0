//! The table of what is best: of all models, and of each.

use super::configuration;
use crate::document::Unit::{Count, Milliseconds as Ms, Number, Text};
use crate::document::{Cell, Table, columns};
use onnxray_analyzer::sweep::{Candidates, Counted, Point, Sweep};

pub(super) struct Row<'a> {
    sweep: &'a Sweep,
    of: &'a Candidates,
}

impl<'a> Row<'a> {
    fn point(&self, number: Option<usize>) -> Option<&'a Point> {
        self.sweep.points.get(number?)
    }

    fn name(&self, number: Option<usize>) -> Cell {
        self.point(number).map_or(Cell::None, |point| Cell::text(&point.profile.name))
    }

    fn latency(&self, number: Option<usize>) -> Cell {
        self.point(number).map_or(Cell::None, |point| Cell::number(point.latency.value))
    }

    fn throughput(&self, number: Option<usize>) -> Cell {
        self.point(number).map_or(Cell::None, |point| Cell::number(point.throughput.value))
    }

    /// Names of points that may be as good.
    fn names(&self, numbers: &[usize]) -> Cell {
        Cell::some_text(configuration::names(self.sweep, numbers))
    }
}

columns! {
    pub(super) fn columns<'a>: Row<'a>;

    /// the model, or all
    "model" "Model" Text =
        |row| row.of.model.as_ref().map_or(Cell::label("all", "all models"), Cell::text);
    /// unit of throughput: items or iterations
    "counted" "Counts" Text = |row| Cell::text(row.of.counted.name());
    /// measured configurations
    "points" "Points" Count = |row| Cell::Whole(row.of.points.len() as u64);
    /// points of the Pareto front
    "front_points" "On front" Count = |row| Cell::Whole(row.of.front.len() as u64);
    /// highest throughput within the latency threshold; blank without one
    "sweet_spot" "Sweet spot" Text = |row| row.name(row.of.sweet_spot);
    /// latency of the sweet spot
    "sweet_spot_latency_ms" "Its latency ms" Ms = |row| row.latency(row.of.sweet_spot);
    /// its throughput
    "sweet_spot_throughput_per_second" "Its rate/s" Number =
        |row| row.throughput(row.of.sweet_spot);
    /// point of the lowest latency
    "best_latency" "Best latency" Text = |row| row.name(Some(row.of.best_latency));
    /// the lowest latency
    "best_latency_ms" "Lowest ms" Ms = |row| row.latency(Some(row.of.best_latency));
    /// points of the front whose latency is not shown to be higher
    "best_latency_equals" "Equals" Text =
        |row| row.names(&row.of.may_have_best_latency(&row.sweep.points));
    /// point of the highest throughput
    "best_throughput" "Best throughput" Text = |row| row.name(Some(row.of.best_throughput));
    /// the highest throughput
    "best_throughput_per_second" "Highest/s" Number =
        |row| row.throughput(Some(row.of.best_throughput));
    /// points of the front whose throughput is not shown to be lower
    "best_throughput_equals" "Equals" Text =
        |row| row.names(&row.of.may_have_best_throughput(&row.sweep.points));
}

pub(super) fn table(sweep: &Sweep) -> Table {
    let rows = sweep.all_candidates().map(|of| Row { sweep, of });
    let mut hidden = vec!["best_latency_equals", "best_throughput_equals"];
    if sweep.models.iter().all(|model| model.counted == Counted::Items) {
        hidden.push("counted");
    }
    Table::new("best_points", "Best points", &columns(), rows).hiding(&hidden).essential(&[
        "model",
        "sweet_spot",
        "best_latency",
        "best_throughput",
    ])
}

//! The table of what is best: of all models, and of each.

use super::words;
use crate::document::Unit::{Count, Milliseconds as Ms, Number, Text};
use crate::document::{Cell, Column, Table, column};
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

    /// Names of the points that the intervals do not part from one.
    fn equals(&self, number: usize) -> Cell {
        let front = self.of.on_front(number);
        Cell::some_text(words::names(self.sweep, front.map_or(&[], |front| &front.equals)))
    }
}

pub(super) fn columns<'a>() -> Vec<Column<Row<'a>>> {
    vec![
        column("model", "Model", Text, "the model, or all", |row| {
            row.of.model.as_ref().map_or(Cell::label("all", "all models"), Cell::text)
        }),
        column("counted", "Counts", Text, "what throughput counts: items or iterations", |row| {
            Cell::text(row.of.counted.name())
        }),
        column("points", "Points", Count, "configurations that were measured", |row| {
            Cell::Whole(row.of.points.len() as u64)
        }),
        column("front_points", "On front", Count, "points of the Pareto front", |row| {
            Cell::Whole(row.of.front.len() as u64)
        }),
        column(
            "sweet_spot",
            "Sweet spot",
            Text,
            "highest throughput within the latency threshold; blank if none is within it",
            |row| row.name(row.of.sweet_spot),
        ),
        column("sweet_spot_latency_ms", "Its latency ms", Ms, "of the sweet spot", |row| {
            row.latency(row.of.sweet_spot)
        }),
        column("sweet_spot_throughput_per_second", "Its rate/s", Number, "its throughput", |row| {
            row.throughput(row.of.sweet_spot)
        }),
        column("best_latency", "Best latency", Text, "point of the lowest latency", |row| {
            row.name(Some(row.of.best_latency))
        }),
        column("best_latency_ms", "Lowest ms", Ms, "the lowest latency", |row| {
            row.latency(Some(row.of.best_latency))
        }),
        column(
            "best_latency_equals",
            "Equals",
            Text,
            "points of the front that the intervals do not part from it",
            |row| row.equals(row.of.best_latency),
        ),
        column(
            "best_throughput",
            "Best throughput",
            Text,
            "point of the highest throughput",
            |row| row.name(Some(row.of.best_throughput)),
        ),
        column(
            "best_throughput_per_second",
            "Highest/s",
            Number,
            "the highest throughput",
            |row| row.throughput(Some(row.of.best_throughput)),
        ),
        column(
            "best_throughput_equals",
            "Equals",
            Text,
            "points of the front that the intervals do not part from it",
            |row| row.equals(row.of.best_throughput),
        ),
    ]
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

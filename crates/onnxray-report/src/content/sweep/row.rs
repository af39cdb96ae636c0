//! A row of the table of points.

use crate::document::Cell;
use onnxray_analyzer::sweep::{Candidates, FrontPoint, Percentile, Point, Sweep};

pub(super) struct Row<'a> {
    pub(super) sweep: &'a Sweep,
    pub(super) number: usize,
    pub(super) point: &'a Point,
    /// Of its model.
    pub(super) of: &'a Candidates,
    /// In the chart.
    pub(super) label: String,
    pub(super) short_name: String,
}

impl Row<'_> {
    pub(super) fn front(&self) -> Option<&FrontPoint> {
        self.of.on_front(self.number)
    }

    /// Whether it is on the front of CPU time; blank if that is unknown.
    pub(super) fn on_cpu_front(&self, of: &Candidates) -> Cell {
        let known = self.point.cpu_time;
        known.map_or(Cell::None, |_| Cell::yes_or_no(of.on_cpu_front(self.number).is_some()))
    }

    pub(super) fn latency(&self, percentile: Percentile) -> Cell {
        Cell::number(percentile.of(&self.point.profile.latency_ms).value)
    }
}

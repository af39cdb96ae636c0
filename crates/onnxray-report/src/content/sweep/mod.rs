//! Decides what a report says of a sweep: a file per table.

mod best;
mod candidates;
mod compared;
mod configuration;
mod costs;
mod headline;
mod notes;
mod page;
mod points;
mod row;
mod skipped;

pub(crate) use best::{Goal, best_sheet};
pub use page::SweepReport;
pub(crate) use points::points_sheet;

use crate::document::Unit::{Count, Milliseconds, Text};
use crate::document::{Cell, Document, Figures, Notes, columns};
use onnxray_analyzer::sweep::{Percentile, Sweep};

columns! {
    const FIGURES: Sweep;

    /// measured configurations
    "points" "points" Count = |sweep| Cell::Whole(sweep.points.len() as u64);
    /// configurations that failed or do not fit the machine
    "skipped_points" "not measured" Count = |sweep| Cell::Whole(sweep.skipped.len() as u64);
    /// percentile that "latency" stands for
    "percentile" "percentile of the latency" Text =
        |sweep| Cell::text(sweep.options.percentile.name());
    /// highest latency of a sweet spot; blank without
    "latency_threshold_ms" "latency threshold (ms)" Milliseconds =
        |sweep| sweep.options.latency_threshold.map_or(Cell::None, Cell::milliseconds);
}

/// The report of a sweep.
pub(crate) fn sweep_report(sweep: &Sweep) -> Document {
    let mut document = Document::new("sweep");
    document.headline = headline::headline(sweep);
    let figures = Figures::new("sweep", "Sweep", FIGURES, sweep);
    document.push(match sweep.options.latency_threshold {
        Some(_) => figures,
        None => figures.without(&["latency_threshold_ms"]),
    });
    if !sweep.points.is_empty() {
        document.push(candidates::table(sweep));
    }
    document.push(points::table(sweep));
    document.extend(points::charts(sweep));
    if !sweep.skipped.is_empty() {
        document.push(skipped::table(sweep));
    }
    let notes = notes::notes(sweep);
    if !notes.is_empty() {
        document.push(Notes { notes });
    }
    document
}

/// The tables, for their documentation and for schemas.
pub(super) fn declared() -> Vec<super::declared::Declared> {
    use super::declared::Declared;
    vec![
        Declared::of("Sweep", FIGURES),
        Declared::of("Sweep: what is best", &candidates::columns()),
        Declared::of("Sweep: points", &points::columns(Percentile::P50)),
        Declared::of("Sweep: not measured", skipped::SKIPPED),
    ]
}

//! The machine's peak rates, as a recording measured them, and what operators reach of them.

use crate::document::{Cell, Table, Unit, columns};
use Unit::{Count, Milliseconds as Ms, Number, Quantity, Text};
use onnxray_analyzer::statistics::RoofSummary;

columns! {
    /// Figures of the model.
    pub(super) const REACHED: RoofSummary;

    /// what operators with a roof would take at the machine's peak rates, of what they take undisturbed
    "roof_share_percent" "of the roof (%)" Number =
        |summary| Cell::number(summary.share().map(|share| share.0 * 100.0));
    /// their undisturbed time above that, per iteration: no more than the latency
    "to_gain_ms" "to gain (ms)" Ms = |summary| Cell::milliseconds(summary.to_gain());
    /// operators that are faster than the peak rates, which were measured too low
    "roof_exceeded" "operators above their roof" Count =
        |summary| Cell::Whole(summary.exceeded.len() as u64);
    /// why the machine's peak rates are unknown
    UNKNOWN "roof unknown" Text =
        |summary| summary.roofs.unknown.as_ref().map_or(Cell::None, Cell::text);
}

/// Only where nothing is known.
pub(super) const UNKNOWN: &str = "roof_unknown";

/// A rate that no operator exceeds.
pub(super) struct Roof {
    name: String,
    rate: Option<f64>,
    unit: &'static str,
    bytes: Option<u64>,
    unknown: Option<String>,
}

columns! {
    pub(super) const ROOFS: Roof;

    /// type of the operands of multiply-adds, or the level of memory that is read
    "roof" "Roof" Text = |roof| Cell::text(&roof.name);
    /// the best of many trials of all threads together
    "rate" "Rate" Number = |roof| Cell::number(roof.rate);
    /// of the rate
    "unit" "Unit" Text = |roof| Cell::text(roof.unit);
    /// what the level holds of all threads together
    "bytes" "Holds" Quantity = |roof| roof.bytes.map_or(Cell::None, Cell::Whole);
    /// why the rate is unknown
    "unknown" "Unknown" Text = |roof| roof.unknown.as_ref().map_or(Cell::None, Cell::text);
}

/// The table of peak rates; `None` if none was measured.
pub(super) fn table(summary: &RoofSummary) -> Option<Table> {
    let roofs = &summary.roofs;
    let arithmetic = roofs.arithmetic.iter().map(|roof| Roof {
        name: roof.data_type.name().to_string(),
        rate: roof.gflops,
        unit: "GFLOP/s",
        bytes: None,
        unknown: roof.unknown.clone(),
    });
    let bandwidth = roofs.bandwidth.iter().map(|level| Roof {
        name: level.level.clone(),
        rate: Some(level.gb_per_second),
        unit: "GB/s",
        bytes: level.bytes,
        unknown: None,
    });
    let rows: Vec<Roof> = arithmetic.chain(bandwidth).collect();
    (!rows.is_empty()).then(|| Table::new("roofs", "Peak rates of the machine", ROOFS, rows))
}

//! Intervals and shares, as figures show them.

use crate::report::document::Cell;
use crate::statistics::PartInterval;
use crate::units::Share;

const TOO_FEW: &str = "unknown: too few iterations";

pub(super) fn interval_text(value: f64, interval: Option<PartInterval>) -> Cell {
    Cell::text(match interval {
        Some(known) => known.about(value),
        None => TOO_FEW.to_string(),
    })
}

pub(super) fn percent(share: Option<Share>) -> Cell {
    Cell::number(share.map(|share| share.0 * 100.0))
}

//! Intervals, shares and sizes, as lines, figures and tables show them.

use crate::document::Cell;
use onnxray_analyzer::Share;
use onnxray_analyzer::statistics::{PartInterval, PartialSum};
use onnxray_format::Dimension;

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

/// What is known of a sum; nothing known is not zero.
pub(super) fn partial(sum: PartialSum) -> Cell {
    match sum {
        PartialSum { unknown: 1.., known: 0.0 } => Cell::Unknown,
        sum => Cell::Number(sum.known),
    }
}

/// Sizes of dimensions: `sequence=128, width=64`.
pub(super) fn sizes(dimensions: &[Dimension]) -> String {
    let sizes = dimensions.iter().map(|size| format!("{}={}", size.name, size.size));
    sizes.collect::<Vec<_>>().join(", ")
}

/// Three digits that matter, or all in front of the point.
pub(super) fn short(value: f64) -> String {
    let decimals = match value.abs() {
        100.0.. => 0,
        10.0.. => 1,
        1.0.. => 2,
        _ => 3,
    };
    format!("{value:.decimals$}")
}

pub(super) fn megabytes(bytes: f64) -> String {
    match bytes.abs() {
        1e9.. => format!("{} GB", short(bytes / 1e9)),
        1e6.. => format!("{} MB", short(bytes / 1e6)),
        1e3.. => format!("{} kB", short(bytes / 1e3)),
        _ => format!("{bytes:.0} bytes"),
    }
}

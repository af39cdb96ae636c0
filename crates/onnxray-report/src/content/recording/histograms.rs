//! How the times of each operator are spread, row by row of the table of operators.

use super::operators::sorted;
use crate::content::selection::Order;
use crate::document::Histograms;
use onnxray_analyzer::statistics::{BINS, Details, Histogram, Summary};
use onnxray_format::Nanoseconds;

/// `None` if the times of single iterations are not known of any operator.
pub(crate) fn histograms(summary: &Summary, details: &Details) -> Option<Histograms> {
    if details.histograms.iter().all(Option::is_none) {
        return None;
    }
    // The rows of the table.
    let operators = sorted(&summary.operators, Order::Execution);
    let histograms: Vec<Option<&Histogram>> = operators
        .iter()
        .map(|row| details.histograms.get(row.operator.number as usize)?.as_ref())
        .collect();
    let ends = |end: fn(&Histogram) -> Nanoseconds| {
        let rows = histograms.iter();
        rows.map(|row| row.map(|histogram| end(histogram).milliseconds())).collect()
    };
    let counts = histograms.iter().flat_map(|row| match row {
        Some(histogram) => histogram.counts.map(Some),
        None => [None; BINS],
    });
    Some(Histograms {
        key: "latency_histograms",
        table: "operators",
        bins: BINS,
        low_ms: ends(|histogram| histogram.low),
        high_ms: ends(|histogram| histogram.high),
        counts: counts.collect(),
    })
}

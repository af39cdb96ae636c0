//! What rows are called that have none of their own in a table.

use onnxray_text::counted;

/// The name of a row that sums up `count` others: `1 other`, `3 others`.
pub(crate) fn others(count: usize) -> String {
    counted(count as u64, "other", "others")
}

/// The line below a table that leaves out `count` rows: `… and 3 more`.
pub(crate) fn more(count: usize) -> String {
    format!("… and {count} more")
}

/// How many of `all` rows have one of their own; `None` for all. Where a row sums up those beyond the
/// first `most`, a sum of one row would take its place and hide its name.
pub(crate) fn shown_of(all: usize, most: Option<usize>, is_summed_up: bool) -> usize {
    match most {
        Some(most) if !(is_summed_up && all == most + 1) => most.min(all),
        _ => all,
    }
}

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

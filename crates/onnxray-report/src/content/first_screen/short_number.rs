//! Numbers of which a line has room for three digits.

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

//! Values between points that are known.

/// On the straight line between two points; outside, the nearest one's value.
pub(super) fn on_line(points: &[(f64, f64)], at: f64) -> f64 {
    let above = points.partition_point(|(level, _)| *level <= at);
    match (above.checked_sub(1).and_then(|below| points.get(below)), points.get(above)) {
        (Some(below), Some(above)) => {
            below.1 + (at - below.0) / (above.0 - below.0) * (above.1 - below.1)
        }
        (Some(only), None) | (None, Some(only)) => only.1,
        (None, None) => 0.0,
    }
}

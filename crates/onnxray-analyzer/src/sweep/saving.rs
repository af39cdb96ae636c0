//! A point that takes far less CPU time than the best latency does, for nearly that latency.

use super::point::Point;

/// Latency / the lowest one, up to which it is nearly that.
const NEAR: f64 = 1.05;
/// CPU time / the one of the lowest latency, up to which it is far less.
const FAR_LESS: f64 = 0.8;

/// Positions in [`Sweep::points`](super::Sweep::points).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Saving {
    /// The point.
    pub point: usize,
    /// The point of the lowest latency.
    pub instead_of: usize,
}

impl Saving {
    /// Of several, the point of the least CPU time. The intervals of both CPU times have to be known,
    /// and apart.
    pub(super) fn of(points: &[(usize, &Point)], best_latency: usize) -> Option<Saving> {
        let (_, best) = points.iter().find(|(number, _)| *number == best_latency)?;
        let of_best = best.cpu_time?;
        let low = of_best.interval?.low;
        let saves = points.iter().filter_map(|(number, point)| {
            let cpu_time = point.cpu_time?;
            let is_near = point.latency.value <= NEAR * best.latency.value;
            let is_less = cpu_time.value <= FAR_LESS * of_best.value;
            (is_near && is_less && cpu_time.interval?.high < low)
                .then_some((*number, cpu_time.value))
        });
        let (point, _) = saves.min_by(|(_, a), (_, b)| a.total_cmp(b))?;
        Some(Saving { point, instead_of: best_latency })
    }
}

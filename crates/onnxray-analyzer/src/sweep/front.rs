//! Which points no other surpasses, and which of these cannot be told apart.

use crate::statistics::Interval;

/// Intervals of a point; from 0 to infinity where these are unknown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends {
    /// The less, the better.
    pub latency: Interval,
    /// The more, the better: throughput, or CPU time below 0.
    pub worth: Interval,
}

impl Ends {
    /// True if both overlap.
    fn meets(&self, other: &Ends) -> bool {
        overlap(self.latency, other.latency) && overlap(self.worth, other.worth)
    }
}

fn overlap(a: Interval, b: Interval) -> bool {
    a.low <= b.high && b.low <= a.high
}

/// Positions, in their order, of the points that no other is better than in both, beyond
/// the intervals: with a latency that ends below, and a worth that begins above.
pub(super) fn front(points: &[Ends]) -> Vec<usize> {
    let mut by_latency: Vec<&Ends> = points.iter().collect();
    by_latency.sort_by(|a, b| a.latency.high.total_cmp(&b.latency.high));
    // Of points whose latency ends below another's, the one of most worth decides.
    let mut most = f64::NEG_INFINITY;
    let most_so_far: Vec<f64> = by_latency
        .iter()
        .map(|point| {
            most = most.max(point.worth.low);
            most
        })
        .collect();
    let surpassed = |point: &Ends| {
        // Strictly below: points whose intervals touch are equals.
        let faster = by_latency.partition_point(|other| other.latency.high < point.latency.low);
        let most = faster.checked_sub(1).and_then(|last| most_so_far.get(last));
        most.is_some_and(|&most| most > point.worth.high)
    };
    let kept = points.iter().enumerate().filter(|(_, point)| !surpassed(point));
    kept.map(|(position, _)| position).collect()
}

/// For each point, positions of the others whose intervals meet its own in both.
pub(super) fn equals(points: &[Ends]) -> Vec<Vec<usize>> {
    let others = |position: usize, point: &Ends| {
        let equal = points
            .iter()
            .enumerate()
            .filter(|(other, ends)| *other != position && point.meets(ends));
        equal.map(|(other, _)| other).collect()
    };
    points.iter().enumerate().map(|(position, point)| others(position, point)).collect()
}

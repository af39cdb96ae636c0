//! The point whose calls at a pace take the least CPU time.

use super::point::{Point, known_first, sound};
use crate::statistics::Measured;

/// Positions in [`Sweep::points`](super::Sweep::points).
#[derive(Clone, Debug, PartialEq)]
pub struct LeastAtPace {
    /// Calls per second, of all points that are compared.
    pub rate: f64,
    /// The point.
    pub point: usize,
    /// Others whose CPU time is not shown to be more.
    pub rivals: Vec<usize>,
}

/// What calls of a point are, and the CPU time that one takes.
#[derive(Clone, Copy)]
struct Calls {
    point: usize,
    rate: f64,
    batch_size: Option<u64>,
    cpu_time: Measured,
}

impl LeastAtPace {
    /// `None` with fewer than two points whose calls came at one rate. Calls of one batch size
    /// are compared, since a call of another one does other work.
    pub(super) fn of(points: &[(usize, &Point)]) -> Option<LeastAtPace> {
        let calls = |(point, of): &(usize, &Point)| {
            let paced = of.profile.costs.as_ref()?.paced.as_ref()?;
            let cpu_time = sound(paced.cpu_time_ms?);
            let batch_size = of.profile.configuration.batch_size;
            Some(Calls { point: *point, rate: paced.rate, batch_size, cpu_time })
                .filter(|_| cpu_time.value.is_finite())
        };
        LeastAtPace::of_calls(&points.iter().filter_map(calls).collect::<Vec<_>>())
    }

    fn of_calls(all: &[Calls]) -> Option<LeastAtPace> {
        let first = all.first()?;
        let is_alike = |of: &Calls| of.rate == first.rate && of.batch_size == first.batch_size;
        if all.len() < 2 || !all.iter().all(is_alike) {
            return None;
        }
        let least = all.iter().min_by(|a, b| {
            let known = known_first(a.cpu_time, b.cpu_time);
            known.then(a.cpu_time.value.total_cmp(&b.cpu_time.value))
        })?;
        let most = least.cpu_time.ends().high;
        let may_be_less = |of: &&Calls| of.point != least.point && of.cpu_time.ends().low <= most;
        Some(LeastAtPace {
            rate: first.rate,
            point: least.point,
            rivals: all.iter().filter(may_be_less).map(|of| of.point).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Interval;

    fn calls(point: usize, [low, value, high]: [f64; 3]) -> Calls {
        let cpu_time = Measured { value, interval: Some(Interval { low, high }) };
        Calls { point, rate: 20.0, batch_size: Some(1), cpu_time }
    }

    fn least(all: &[Calls]) -> Option<(usize, Vec<usize>)> {
        LeastAtPace::of_calls(all).map(|least| (least.point, least.rivals))
    }

    #[test]
    fn the_least_is_named_with_those_that_may_be_less() {
        let spins = calls(4, [17.0, 18.0, 19.0]);
        let mut all = [spins, calls(5, [0.7, 0.9, 1.1]), calls(7, [0.6, 0.8, 1.0])];
        assert_eq!(least(&all), Some((7, vec![5])));
        assert_eq!(least(&all[..2]), Some((5, vec![])));
        assert_eq!(least(&all[..1]), None, "nothing to compare it with");
        all[2].cpu_time.interval = None;
        assert_eq!(least(&all), Some((5, vec![7])), "it proves nothing");
        let cheap = calls(5, [0.1; 3]);
        for other in [Calls { batch_size: Some(8), ..cheap }, Calls { rate: 5.0, ..cheap }] {
            assert_eq!(least(&[spins, other]), None, "other work");
        }
    }
}

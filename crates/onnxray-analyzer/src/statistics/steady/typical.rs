//! Typical iterations: those that sums and means of operators are taken over.
//!
//! A program that takes the core away for some milliseconds makes whatever runs at that moment
//! the slowest operator of a model that takes less. Such an iteration is left out as a whole, so
//! that the parts still add up to it.

use crate::probability::typical;
use crate::statistics::IterationSummary;
use crate::units::Milliseconds;
use onnxray_format::IterationKind;

/// Measured iterations that took far longer than the others of their launch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stragglers {
    /// Number of stragglers; as many of the fastest are left out with them.
    pub count: u64,
    /// Number of measured iterations.
    pub of: u64,
    /// Wall time of the fastest of them.
    pub shortest: Milliseconds,
    /// Wall time of the slowest.
    pub longest: Milliseconds,
}

/// Stragglers that take less than this many times the mean of the others are usual noise.
const NOTABLE: f64 = 1.25;

impl Stragglers {
    /// Stragglers and as many of the fastest.
    pub fn left_out(&self) -> u64 {
        2 * self.count
    }

    /// True if the slowest takes more than 1.25 times the mean of the others.
    pub fn is_notable(&self, mean: Milliseconds) -> bool {
        self.longest.0 > NOTABLE * mean.0
    }
}

/// The typical iterations of a recording (docs/statistics.md#typical-iterations).
pub(in crate::statistics) struct Typical {
    /// By row of the iterations: measured, and not left out.
    pub(in crate::statistics) rows: Vec<bool>,
    /// The slower half of those left out; `None` if all are typical.
    pub(in crate::statistics) stragglers: Option<Stragglers>,
}

impl Typical {
    /// All measured iterations: an average cannot be computed anew without some of them.
    pub(in crate::statistics) fn all(iterations: &[IterationSummary]) -> Typical {
        let rows = iterations.iter().map(is_measured).collect();
        Typical { rows, stragglers: None }
    }

    /// Leaves out iterations far from the median of their launch, as many at either end.
    pub(in crate::statistics) fn of(iterations: &[IterationSummary]) -> Typical {
        let rows = typical_rows(iterations, IterationKind::Measured);
        let of = iterations.iter().filter(|iteration| is_measured(iteration)).count() as u64;
        let mut slow: Vec<f64> = Vec::new();
        let with_rows: Vec<_> = iterations.iter().zip(&rows).collect();
        for launch in with_rows.chunk_by(|a, b| a.0.position == b.0.position) {
            let measured = launch.iter().filter(|(iteration, _)| is_measured(iteration));
            let left_out = measured.filter(|(_, is_typical)| !**is_typical);
            let mut times: Vec<f64> =
                left_out.map(|(iteration, _)| iteration.latency.milliseconds()).collect();
            times.sort_by(f64::total_cmp);
            // `typical` leaves out as many fast ones as slow ones: the slower half are the
            // stragglers.
            slow.extend(&times[times.len() / 2..]);
        }
        slow.sort_by(f64::total_cmp);
        let ends = slow.first().zip(slow.last());
        let stragglers = ends.map(|(&shortest, &longest)| Stragglers {
            count: slow.len() as u64,
            of,
            shortest: Milliseconds(shortest),
            longest: Milliseconds(longest),
        });
        Typical { rows, stragglers }
    }

    /// The typical ones of `iterations`, which `self` was made of.
    pub(in crate::statistics) fn among<'a>(
        &self,
        iterations: &'a [IterationSummary],
    ) -> impl Iterator<Item = &'a IterationSummary> {
        iterations.iter().zip(&self.rows).filter(|&(_, &is_typical)| is_typical).map(|(own, _)| own)
    }
}

/// By row of the iterations: of this kind, and typical of its launch.
fn typical_rows(iterations: &[IterationSummary], kind: IterationKind) -> Vec<bool> {
    let launches = iterations.chunk_by(|a, b| a.position == b.position);
    let rows = launches.flat_map(|launch| {
        let of_kind = launch.iter().filter(|iteration| iteration.kind == kind);
        // Whole nanoseconds, so that a time exactly at the limit is typical.
        let times: Vec<f64> = of_kind.map(|iteration| iteration.latency.0 as f64).collect();
        let mut of_kind = typical(&times).into_iter();
        launch.iter().map(move |own| own.kind == kind && of_kind.next().unwrap_or(false))
    });
    rows.collect()
}

fn is_measured(iteration: &IterationSummary) -> bool {
    iteration.kind == IterationKind::Measured
}

#[cfg(test)]
mod tests {
    use super::*;
    use onnxray_format::{Iteration, Nanoseconds};

    fn launch(position: u32, kind: IterationKind, times: &[u64]) -> Vec<IterationSummary> {
        let iterations = (0..).zip(times).map(|(index, &milliseconds)| {
            IterationSummary::of_time(
                position,
                position,
                Iteration {
                    index,
                    kind,
                    start: Nanoseconds(0),
                    duration: Nanoseconds(milliseconds * 1_000_000),
                    step: None,
                },
            )
        });
        iterations.collect()
    }

    #[test]
    fn an_iteration_far_beyond_those_of_its_launch_is_no_typical_one() {
        // Quartiles are 10.5, 11 and 12: typical is from 9.5 to 12.5.
        let times = [10, 11, 12, 10, 11, 12, 10, 11, 12, 16, 18];
        let mut iterations = launch(0, IterationKind::Measured, &times);
        iterations.extend(launch(1, IterationKind::Measured, &times.map(|time| time + 10)));
        iterations.extend(launch(2, IterationKind::Unprofiled, &times));
        let typical = Typical::of(&iterations);
        let left_out: Vec<usize> = (0..22).filter(|&row| !typical.rows[row]).collect();
        assert_eq!(left_out, [0, 3, 9, 10, 11, 14, 20, 21], "each launch by itself");
        let expected = Stragglers {
            count: 4,
            of: 22,
            shortest: Milliseconds(16.0),
            longest: Milliseconds(28.0),
        };
        assert_eq!(typical.stragglers, Some(expected));
        assert_eq!(typical.among(&iterations).count(), 14, "unprofiled ones have no operators");
        let unprofiled = typical_rows(&iterations, IterationKind::Unprofiled);
        assert_eq!(unprofiled.iter().filter(|&&is_typical| is_typical).count(), 7);
    }

    #[test]
    fn averages_and_iterations_that_are_alike_have_no_stragglers() {
        let alike = launch(0, IterationKind::Measured, &[10; 9]);
        assert_eq!(Typical::of(&alike).stragglers, None);
        let one_slow = launch(0, IterationKind::Measured, &[10, 11, 12, 900]);
        assert_eq!(Typical::of(&one_slow).stragglers.map(|slow| slow.count), Some(1));
        assert_eq!(Typical::all(&one_slow).stragglers, None);
    }
}

//! Typical iterations: those that sums and means of operators are taken over.
//!
//! A program that takes the core away for some milliseconds makes whatever runs at that moment
//! the slowest operator of a model that takes less. Such an iteration is left out as a whole, so
//! that the parts still add up to it.

use super::IterationSummary;
use super::distribution::median;
use crate::probability::fences;
use crate::units::Milliseconds;
use onnxray_format::IterationKind;

/// Fewer iterations of a launch do not tell what is typical of it.
const FEWEST: usize = 10;
/// By the median: what takes less distorts no mean, however much alike the others are.
const LEAST: f64 = 1.25;

/// Measured iterations that took far longer than the others of their launch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stragglers {
    /// How many there are.
    pub count: u64,
    /// Of this many measured iterations.
    pub of: u64,
    /// Wall time of the fastest of them.
    pub shortest: Milliseconds,
    /// Wall time of the slowest.
    pub longest: Milliseconds,
}

/// Which iterations of a recording are typical.
pub(super) struct Typical {
    /// By row of the iterations: whether it is measured and no straggler.
    pub(super) rows: Vec<bool>,
    /// Those that are left out; `None` without any.
    pub(super) stragglers: Option<Stragglers>,
}

impl Typical {
    /// All measured ones, of averages, which nothing can be taken out of.
    pub(super) fn all(iterations: &[IterationSummary]) -> Typical {
        let rows = iterations.iter().map(is_measured).collect();
        Typical { rows, stragglers: None }
    }

    /// Without those of each launch that are beyond its fence.
    pub(super) fn of(iterations: &[IterationSummary]) -> Typical {
        let rows = typical_rows(iterations, IterationKind::Measured);
        let of = iterations.iter().filter(|iteration| is_measured(iteration)).count() as u64;
        let beyond = |&(iteration, is_typical): &(&IterationSummary, &bool)| {
            is_measured(iteration) && !is_typical
        };
        let left_out = iterations.iter().zip(&rows).filter(beyond);
        let mut left_out: Vec<f64> =
            left_out.map(|(iteration, _)| iteration.latency.milliseconds()).collect();
        left_out.sort_by(f64::total_cmp);
        let ends = left_out.first().zip(left_out.last());
        let stragglers = ends.map(|(&shortest, &longest)| Stragglers {
            count: left_out.len() as u64,
            of,
            shortest: Milliseconds(shortest),
            longest: Milliseconds(longest),
        });
        Typical { rows, stragglers }
    }

    /// Those among the iterations of the recording.
    pub(super) fn among<'a>(
        &self,
        iterations: &'a [IterationSummary],
    ) -> impl Iterator<Item = &'a IterationSummary> {
        iterations.iter().zip(&self.rows).filter(|&(_, &is_typical)| is_typical).map(|(own, _)| own)
    }
}

/// By row of the iterations: whether it is of this kind, and not beyond the fence of its launch.
pub(crate) fn typical_rows(iterations: &[IterationSummary], kind: IterationKind) -> Vec<bool> {
    let launches = iterations.chunk_by(|a, b| a.position == b.position);
    let rows = launches.flat_map(|launch| {
        let fence = fence(launch, kind);
        let is_typical = move |iteration: &IterationSummary| {
            iteration.kind == kind && iteration.latency.milliseconds() <= fence
        };
        launch.iter().map(is_typical)
    });
    rows.collect()
}

fn is_measured(iteration: &IterationSummary) -> bool {
    iteration.kind == IterationKind::Measured
}

/// The wall time that no typical iteration of the kind exceeds in a launch, in milliseconds.
fn fence(launch: &[IterationSummary], kind: IterationKind) -> f64 {
    let of_kind = launch.iter().filter(|iteration| iteration.kind == kind);
    let times: Vec<f64> = of_kind.map(|iteration| iteration.latency.milliseconds()).collect();
    match fences(&times).zip(median(&times)) {
        Some(((_, far), middle)) if times.len() >= FEWEST => far.max(LEAST * middle),
        _ => f64::INFINITY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use onnxray_format::Nanoseconds;

    fn launch(position: u32, kind: IterationKind, times: &[u64]) -> Vec<IterationSummary> {
        let iterations = (0..).zip(times).map(|(index, &milliseconds)| IterationSummary {
            position,
            launch: position,
            index,
            kind,
            start: Nanoseconds(0),
            latency: Nanoseconds(milliseconds * 1_000_000),
            operators: None,
            profiling: None,
            concurrent: None,
            devices_alone: None,
            overhead: None,
            step: None,
        });
        iterations.collect()
    }

    #[test]
    fn an_iteration_far_beyond_those_of_its_launch_is_no_typical_one() {
        let times = [10, 11, 12, 10, 11, 12, 10, 11, 12, 16, 18];
        // Quartiles are 10.5 and 12: the fence is at 16.5.
        let mut iterations = launch(0, IterationKind::Measured, &times);
        iterations.extend(launch(1, IterationKind::Measured, &times.map(|time| time + 10)));
        iterations.extend(launch(2, IterationKind::Plain, &times));
        let typical = Typical::of(&iterations);
        let left_out: Vec<usize> = (0..22).filter(|&row| !typical.rows[row]).collect();
        assert_eq!(left_out, [10, 21], "each launch has a fence of its own");
        let expected = Stragglers {
            count: 2,
            of: 22,
            shortest: Milliseconds(18.0),
            longest: Milliseconds(28.0),
        };
        assert_eq!(typical.stragglers, Some(expected));
        assert_eq!(typical.among(&iterations).count(), 20, "unprofiled ones have no operators");
        let unprofiled = typical_rows(&iterations, IterationKind::Plain);
        assert_eq!(unprofiled.iter().filter(|&&is_typical| is_typical).count(), 10);
    }

    #[test]
    fn few_iterations_do_not_tell_what_is_typical() {
        let few = launch(0, IterationKind::Measured, &[10, 10, 10, 10, 10, 10, 10, 10, 900]);
        assert_eq!(Typical::of(&few).stragglers, None);
        let many = launch(0, IterationKind::Measured, &[10, 10, 10, 10, 10, 10, 10, 10, 10, 900]);
        assert_eq!(Typical::of(&many).stragglers.unwrap().count, 1);
        assert_eq!(Typical::all(&many).stragglers, None);
        let alike = launch(0, IterationKind::Measured, &[10, 10, 10, 10, 10, 10, 10, 10, 10, 12]);
        assert_eq!(Typical::of(&alike).stragglers, None);
    }
}

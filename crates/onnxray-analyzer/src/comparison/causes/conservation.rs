//! Conservation: the parts of each side add up to its whole.

use crate::comparison::timing::{Measured, Whole};
use crate::comparison::{ComparedGroup, ComparisonError, Recording, Side};
use crate::units::Milliseconds;

/// Parts of a side's time, in nanoseconds over all typical iterations, or per iteration where only
/// averages are known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Conservation {
    /// Operators that have a counterpart.
    pub aligned: f64,
    /// Operators that only this side has.
    pub only: f64,
    /// The whole without operators; `None` if the recording does not tell.
    pub overhead: Option<f64>,
    /// Excess of concurrent operators over the time they cover: in the parts above, not in the
    /// whole. `None` if unknown.
    pub concurrent: Option<f64>,
    /// Excess of the operators of profiled iterations over the latency of unprofiled ones; `None`
    /// where both are the same iterations.
    pub beyond: Option<f64>,
    /// Operators less the whole, where operators were timed one by one in another run; may be below
    /// 0. `None` if they were timed in the iterations.
    pub apart: Option<f64>,
    /// Wall time, with or without what profiling costs, or the time of all operators.
    pub whole: f64,
    /// Number of iterations that the sums are over.
    pub iterations: f64,
}

impl Conservation {
    /// The whole, per iteration.
    pub fn mean_whole(&self) -> Milliseconds {
        Milliseconds::from_nanoseconds(self.whole / self.iterations)
    }

    /// Sum of the parts; equal to the whole.
    pub fn parts(&self) -> f64 {
        let taken_off =
            [self.concurrent, self.beyond, self.apart].into_iter().flatten().sum::<f64>();
        self.aligned + self.only + self.overhead.unwrap_or(0.0) - taken_off
    }
}

/// Time that no operator covers.
pub(crate) const OVERHEAD: &str = "framework overhead";
/// The same with what profiling costs, where that is taken out of operators and the whole has it.
pub const OUTSIDE: &str = "outside operators";
/// Excess of concurrent operators over the time that they cover.
pub(crate) const SIDE_BY_SIDE: &str = "side by side";
/// Latency less layers, where layers were timed in another run.
pub(crate) const TIMED_APART: &str = "latency less layers (timed one by one, in another run)";

/// Averages are rounded by their producers; times of iterations are exact, up to
/// 104 days.
const ROUNDING: f64 = 1e-9;
const EXACT: f64 = 9e15;

pub(crate) fn check(
    recordings: [&Recording; 2],
    measured: &[Measured; 2],
    groups: &[ComparedGroup],
) -> Result<[Conservation; 2], ComparisonError> {
    let mut sides = [Conservation::default(); 2];
    for (side, number) in [(Side::A, 0), (Side::B, 1)] {
        let (recording, measured) = (recordings[number], &measured[number]);
        let mut found = Conservation {
            whole: measured.whole,
            iterations: measured.iterations,
            ..Conservation::default()
        };
        for group in groups {
            let members = group.group.members(side).iter().map(|member| member.operator);
            let time = measured.sum(members).unwrap_or(0.0);
            *if group.group.is_matched() { &mut found.aligned } else { &mut found.only } += time;
        }
        let operators = found.aligned + found.only;
        let concurrent = measured.concurrent;
        if measured.whole_is == Whole::Operators {
            found.concurrent = Some(0.0);
        } else if measured.whole_is == Whole::Latency {
            // The latency is of other iterations than the operators: what is left may be below 0,
            // and an overhead may not (docs/statistics.md#what-the-time-is-made-of).
            let left = found.whole - operators + concurrent;
            found.concurrent = Some(concurrent);
            found.overhead = Some(left.max(0.0));
            found.beyond = Some((-left).max(0.0));
        } else if measured.overhead.is_some() {
            found.concurrent = Some(concurrent);
            found.overhead = measured.overhead;
        } else {
            let beyond = operators - found.whole;
            if recording.summary.operators_timed_apart {
                found.apart = Some(beyond);
            } else {
                // Means of operators of a compact recording are of all typical iterations, warm-up
                // that the test leaves out included.
                let concurrent = concurrent.max(beyond);
                found.concurrent = Some(concurrent);
                found.overhead = Some(concurrent - beyond);
            }
        }
        let is_exact = measured.whole_is == Whole::Wall && measured.overhead.is_some();
        // Whole nanoseconds below 2^53 add up in f64 without rounding: any difference is a defect.
        let exact = is_exact && found.whole < EXACT;
        let tolerance = if exact { 0.0 } else { ROUNDING * found.whole };
        if (found.parts() - found.whole).abs() > tolerance {
            return Err(ComparisonError::NotConserved {
                label: recording.label.clone(),
                parts: found.parts(),
                whole: found.whole,
            });
        }
        sides[number] = found;
    }
    Ok(sides)
}

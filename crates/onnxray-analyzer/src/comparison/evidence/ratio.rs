//! Ratio and difference of two sides, with intervals.

use crate::probability::Student;
use crate::statistics::Interval;

/// B next to A, with the ends of intervals. The difference is the ratio at the level of both,
/// so that the two never contradict each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RatioEstimate {
    /// B / A.
    pub ratio: f64,
    pub ratio_low: f64,
    pub ratio_high: f64,
    /// B - A, in nanoseconds.
    pub difference: f64,
    pub difference_low: f64,
    pub difference_high: f64,
}

impl RatioEstimate {
    /// `student` is of the logarithm of B / A, and `level` the logarithm of the root of A * B.
    pub(crate) fn of(student: &Student, level: f64) -> RatioEstimate {
        let [a, b] = typical(student, level);
        // B - A at a level M = sqrt(A * B): M * (e^(r/2) - e^(-r/2)), so that it has the sign of
        // the ratio's logarithm r at each end.
        let difference = |logarithm: f64| 2.0 * level.exp() * (logarithm / 2.0).sinh();
        let ends = [student.mean - student.half_width, student.mean + student.half_width];
        RatioEstimate {
            ratio: student.mean.exp(),
            ratio_low: ends[0].exp(),
            ratio_high: ends[1].exp(),
            difference: b - a,
            // Where there is no spread, rounding must not leave the estimate outside.
            difference_low: difference(ends[0]).min(b - a),
            difference_high: difference(ends[1]).max(b - a),
        }
    }

    /// Widened by a slowdown of the second side within `times`; `location` is A's typical time.
    pub(crate) fn shifted(self, times: Interval, location: f64) -> RatioEstimate {
        // B alone was slowed down by a factor within `times`: the true B lies between B / high and
        // B / low.
        let second = location + self.difference;
        RatioEstimate {
            difference_low: self.difference_low - second * (1.0 - 1.0 / times.high),
            difference_high: self.difference_high + second * (1.0 / times.low - 1.0),
            ratio_low: self.ratio_low / times.high,
            ratio_high: self.ratio_high / times.low,
            ..self
        }
    }

    /// Widened by `by` nanoseconds at either end; `location` is A's typical time.
    pub(crate) fn widened(self, by: f64, location: f64) -> RatioEstimate {
        RatioEstimate {
            difference_low: self.difference_low - by,
            difference_high: self.difference_high + by,
            ratio_low: (self.ratio_low - by / location).max(0.0),
            ratio_high: self.ratio_high + by / location,
            ..self
        }
    }
}

/// Typical times of A and B from ratio and level.
pub(crate) fn typical(student: &Student, level: f64) -> [f64; 2] {
    [-0.5, 0.5].map(|half| (level + half * student.mean).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probability::references::assert_close;

    #[test]
    fn a_ratio_at_a_level_is_a_difference() {
        // From 10 to 20: at their level, half as much is from 14.14 to 14.14.
        let student = Student { mean: 2f64.ln(), half_width: 2f64.ln(), p: 0.05, degrees: 4.0 };
        let level = (10f64 * 20.0).sqrt().ln();
        let found = RatioEstimate::of(&student, level);
        for (found, expected) in [
            (found.ratio, 2.0),
            (found.ratio_low, 1.0),
            (found.ratio_high, 4.0),
            (found.difference, 10.0),
            (found.difference_high, 200f64.sqrt() * 1.5),
        ] {
            assert_close(found, expected, 1e-12, "an end");
        }
        assert!(found.difference_low.abs() < 1e-12);
        let same = RatioEstimate::of(&Student { half_width: 0.0, ..student }, level);
        assert!(same.difference_low <= same.difference && same.difference <= same.difference_high);
    }

    #[test]
    fn what_else_may_differ_moves_both_ends() {
        let student = Student { mean: 2f64.ln(), half_width: 0.1, p: 0.0, degrees: 4.0 };
        let found = RatioEstimate::of(&student, (10f64 * 20.0).sqrt().ln());
        let wide = found.widened(1.0, 10.0);
        assert_close(wide.difference_low, found.difference_low - 1.0, 1e-12, "difference");
        assert_close(wide.ratio_high, found.ratio_high + 0.1, 1e-12, "ratio");
        let shifted = found.shifted(Interval { low: 1.0, high: 1.25 }, 10.0);
        assert_close(shifted.ratio_low, found.ratio_low / 1.25, 1e-12, "ratio");
        assert_close(shifted.difference_low, found.difference_low - 4.0, 1e-12, "difference");
        assert_eq!(shifted.ratio_high, found.ratio_high);
    }
}

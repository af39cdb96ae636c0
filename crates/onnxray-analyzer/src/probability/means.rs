//! How far means, and differences of means, may be off.

use super::student::{quantile, two_sided_tail};

/// The variance of the mean of independent values, of which there are two or more, in
/// the square of their unit.
pub(crate) fn variance_of_mean(values: &[f64]) -> f64 {
    let (count, mean) = (values.len() as f64, mean(values));
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    squares / (count - 1.0) / count
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// A mean, with its interval and test ("The probable error of a mean", 1908).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Student {
    pub mean: f64,
    /// Half the width of the interval around the mean.
    pub half_width: f64,
    /// Two-sided, of a mean of 0.
    pub p: f64,
    pub degrees: f64,
}

impl Student {
    /// Of two values or more; otherwise `None`. `widen`, at least 1, is for values that
    /// are not independent of each other: inflates the standard error by this factor.
    pub(crate) fn of(values: &[f64], confidence: f64, widen: f64) -> Option<Student> {
        if values.len() < 2 {
            return None;
        }
        let deviation = widen * variance_of_mean(values).sqrt();
        Some(Student::new(mean(values), deviation, values.len() as f64 - 1.0, confidence))
    }

    /// Of a mean of `count` values, two or more, whose standard error is known.
    pub(crate) fn of_mean(mean: f64, standard_error: f64, count: u64, confidence: f64) -> Student {
        Student::new(mean, standard_error, count as f64 - 1.0, confidence)
    }

    /// Of the difference of the means of two values or more each, B less A, by Welch's method
    /// (1947, "The generalization of 'Student's' problem when several different population
    /// variances are involved"), for which the two need not scatter alike.
    pub(crate) fn welch(a: &[f64], b: &[f64], confidence: f64, widen: f64) -> Option<Student> {
        if a.len().min(b.len()) < 2 {
            return None;
        }
        let (of_a, of_b) = (variance_of_mean(a), variance_of_mean(b));
        let sum = of_a + of_b;
        // As shares of the sum, whose squares cannot underflow.
        let part = |of: f64, count: usize| (of / sum).powi(2) / (count as f64 - 1.0);
        let degrees = match sum > 0.0 {
            true => 1.0 / (part(of_a, a.len()) + part(of_b, b.len())),
            // Neither side scatters: `new` needs no degrees then.
            false => (a.len() + b.len()) as f64 - 2.0,
        };
        Some(Student::new(mean(b) - mean(a), widen * sum.sqrt(), degrees, confidence))
    }

    /// `deviation` is the standard error of the mean.
    fn new(mean: f64, deviation: f64, degrees: f64, confidence: f64) -> Student {
        let p = match (mean == 0.0, deviation > 0.0) {
            (true, _) => 1.0,
            (false, true) => two_sided_tail((mean / deviation).abs(), degrees),
            // Not 0, and without any scatter.
            (false, false) => 0.0,
        };
        let reach = if deviation > 0.0 { quantile(confidence, degrees) * deviation } else { 0.0 };
        Student { mean, half_width: reach, p, degrees }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probability::references::{References, assert_close};

    #[test]
    fn intervals_of_differences_are_those_of_scipy() {
        for name in ["welch_interval", "paired_interval"] {
            for case in References::read().cases(name) {
                let (a, b) = (case.numbers("a"), case.numbers("b"));
                let confidence = case.number("confidence");
                let differences: Vec<f64> = a.iter().zip(&b).map(|(a, b)| b - a).collect();
                let found = match name {
                    "welch_interval" => Student::welch(&a, &b, confidence, 1.0),
                    _ => Student::of(&differences, confidence, 1.0),
                };
                let found = found.unwrap();
                assert_close(found.mean - found.half_width, case.number("low"), 1e-9, name);
                assert_close(found.mean + found.half_width, case.number("high"), 1e-9, name);
            }
        }
    }

    /// By hand: the mean is 2, its deviation 1/√3, t of 2 degrees 4.302652729911275, and
    /// the tail beyond t is 1 - t/√(2 + t²).
    #[test]
    fn three_values_by_hand() {
        let found = Student::of(&[1.0, 2.0, 3.0], 0.95, 1.0).unwrap();
        assert_eq!((found.mean, found.degrees), (2.0, 2.0));
        assert_close(found.half_width, 4.302652729911275 / 3f64.sqrt(), 1e-9, "half width");
        let t = 2.0 * 3f64.sqrt();
        assert_close(found.p, 1.0 - t / (2.0 + t * t).sqrt(), 1e-9, "p");
        let wide = Student::of(&[1.0, 2.0, 3.0], 0.95, 2.0).unwrap();
        assert_close(wide.half_width, 2.0 * found.half_width, 1e-12, "wider");
        let t = t / 2.0;
        assert_close(wide.p, 1.0 - t / (2.0 + t * t).sqrt(), 1e-9, "p");
    }

    #[test]
    fn values_without_spread() {
        let of = |values: &[f64]| {
            Student::of(values, 0.95, 1.0).map(|found| (found.mean, found.half_width, found.p))
        };
        assert_eq!(of(&[0.0; 3]), Some((0.0, 0.0, 1.0)));
        assert_eq!(of(&[0.5; 3]), Some((0.5, 0.0, 0.0)));
        assert_eq!(of(&[0.5]), None);
        assert_eq!(of(&[]), None);
    }
}

//! What the units of two sides say about each other: Student's t of the logarithms of their
//! times, in which halving is as far as doubling.

use super::{RatioEstimate, inflation, launch_values, typical};
use crate::comparison::units::pairing::Basis;
use crate::probability::{Student, quantile, two_sided_tail};

pub(crate) const CONFIDENCE: f64 = 0.95;

/// Estimate, interval and test of a group or of the whole.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tested {
    /// Of ln(B / A).
    pub student: Student,
    /// In nanoseconds.
    pub estimate: RatioEstimate,
    /// Times of both sides in nanoseconds; their ratio and difference are the estimate's.
    pub typical: [f64; 2],
    /// Units of the smaller side.
    pub units: usize,
}

impl Tested {
    /// `level` is the logarithm of the root of the product of both sides' times.
    pub(crate) fn of(student: Student, level: f64, units: usize) -> Tested {
        let estimate = RatioEstimate::of(&student, level);
        Tested { student, estimate, typical: typical(&student, level), units }
    }

    /// The same with another mean of ln(B / A), and its spread.
    pub(crate) fn moved(&self, by: f64) -> Tested {
        let level = self.typical.map(f64::ln).iter().sum::<f64>() / 2.0;
        let student = Student { mean: self.student.mean + by, ..self.student };
        Tested::of(student, level, self.units)
    }

    /// Standard error of ln(B / A).
    pub(crate) fn deviation(&self) -> f64 {
        self.student.half_width / quantile(CONFIDENCE, self.student.degrees)
    }

    /// Expected p with that number of launches, if estimate and spread stay; `estimate` has the
    /// ends to go by.
    pub(crate) fn expected_p(&self, estimate: &RatioEstimate, launches: usize) -> f64 {
        let times = (launches as f64 - 1.0) / (self.units as f64 - 1.0);
        let reach = (estimate.ratio_high / estimate.ratio_low).ln() / 2.0;
        let deviation = reach / quantile(CONFIDENCE, self.student.degrees);
        let more = (launches as f64 / self.units as f64).sqrt();
        two_sided_tail(estimate.ratio.ln().abs() / deviation * more, self.student.degrees * times)
    }
}

/// `values` are the cells' values in nanoseconds, `blocks` the number of cells of each unit.
/// `ticks` are two clock steps: shorter times than a quarter of that, half a step, count as half a
/// step, to have a logarithm. `None` if a side has fewer than two units, which have no spread.
pub(crate) fn test(
    basis: Basis,
    blocks: [&[usize]; 2],
    values: [&[f64]; 2],
    ticks: f64,
) -> Option<Tested> {
    let logarithms = [0, 1].map(|side| {
        let units = launch_values(values[side], blocks[side]).into_iter();
        units.map(|time| time.max((ticks / 4.0).max(0.5)).ln()).collect::<Vec<f64>>()
    });
    let [a, b] = logarithms.each_ref().map(|side| &side[..]);
    let student = match basis {
        // A launch without blocks has no value: the others would be paired with the wrong ones.
        Basis::Pairs(_) if a.len() != b.len() => return None,
        Basis::Pairs(_) => {
            let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| b - a).collect();
            Student::of(&differences, CONFIDENCE, 1.0)
        }
        // Blocks of one process follow each other.
        Basis::Blocks(_) => {
            Student::welch(a, b, CONFIDENCE, inflation(values[0]).max(inflation(values[1])))
        }
        _ => Student::welch(a, b, CONFIDENCE, 1.0),
    };
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    // ln(sqrt(A * B)), the level of both, at which the difference is stated.
    Some(Tested::of(student?, (mean(a) + mean(b)) / 2.0, a.len().min(b.len())))
}

/// Of the means of units that may be nothing, so that logarithms do not tell: of each side's values / its
/// mean, whose spread is to first order the one of the mean's logarithm. The ratio is of the means.
/// `None` with fewer than two units on a side, or if a side is nothing.
pub(crate) fn of_means([a, b]: [&[f64]; 2], in_pairs: bool) -> Option<Tested> {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (of_a, of_b) = (mean(a), mean(b));
    let logarithm = (of_b / of_a).ln();
    let shares_of_a: Vec<f64> = a.iter().map(|value| value / of_a).collect();
    let shares_of_b: Vec<f64> = b.iter().map(|value| value / of_b + logarithm).collect();
    let student = match in_pairs {
        true if a.len() != b.len() => return None,
        true => {
            let pairs = shares_of_a.iter().zip(&shares_of_b).map(|(a, b)| b - a);
            Student::of(&pairs.collect::<Vec<f64>>(), CONFIDENCE, 1.0)
        }
        false => Student::welch(&shares_of_a, &shares_of_b, CONFIDENCE, 1.0),
    };
    let student = student.filter(|_| logarithm.is_finite())?;
    Some(Tested::of(student, (of_a * of_b).sqrt().ln(), a.len().min(b.len())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probability::references::assert_close;

    fn of(basis: Basis, a: &[f64], b: &[f64]) -> Option<Tested> {
        test(basis, [&vec![1; a.len()], &vec![1; b.len()]], [a, b], 1.0)
    }

    #[test]
    fn ratios_are_of_geometric_means() {
        let found = of(Basis::Launches([2, 3]), &[1.0, 4.0], &[2.0, 4.0, 8.0]).unwrap();
        assert_close(found.estimate.ratio, 2.0, 1e-12, "ratio");
        assert_close(found.typical[0], 2.0, 1e-12, "A");
        assert_close(found.estimate.difference, 2.0, 1e-12, "difference");
        assert_eq!(found.units, 2);
    }

    /// Each pair has the same ratio, whatever befell the launch.
    #[test]
    fn pairs_see_through_what_they_share() {
        let (a, b) = ([10.0, 11.0, 15.0], [20.0, 22.0, 30.0]);
        let paired = of(Basis::Pairs(3), &a, &b).unwrap();
        assert_close(paired.estimate.ratio_low, 2.0, 1e-9, "low");
        assert_close(paired.estimate.ratio_high, 2.0, 1e-9, "high");
        assert!(of(Basis::Launches([3, 3]), &a, &b).unwrap().estimate.ratio_low < 1.6);
        assert!(of(Basis::Pairs(3), &a, &b[..2]).is_none());
    }

    #[test]
    fn one_unit_tells_no_spread_and_no_time_is_half_a_step() {
        assert!(of(Basis::Launches([1, 3]), &[1.0], &[1.0, 2.0, 3.0]).is_none());
        let nothing = of(Basis::Launches([2, 2]), &[0.0; 2], &[0.0; 2]).unwrap();
        assert_eq!((nothing.estimate.difference_low, nothing.student.p), (0.0, 1.0));
        let something = of(Basis::Launches([2, 2]), &[0.0; 2], &[1.0; 2]).unwrap();
        assert_close(something.estimate.ratio, 2.0, 1e-12, "ratio");
    }

    #[test]
    fn means_of_what_may_be_nothing_have_their_ratio() {
        let (a, b) = ([0.0, 2.0, 4.0], [3.0, 4.0, 5.0]);
        let apart = of_means([&a, &b], false).unwrap();
        assert_close(apart.estimate.ratio, 2.0, 1e-12, "ratio");
        assert_close(apart.typical[0], 2.0, 1e-12, "A");
        assert_close(apart.estimate.difference, 2.0, 1e-12, "difference");
        // Shares of pairs differ by 0.75, 0 and -0.75: 0.433 is their standard error, and t is 4.303.
        let pairs = of_means([&a, &b], true).unwrap();
        assert_close(pairs.student.half_width, 0.75 / 3f64.sqrt() * 4.3027, 1e-3, "interval");
        assert!(
            of_means([&a, &[0.0; 3]], false).is_none() && of_means([&a, &b[..2]], true).is_none()
        );
        assert!(of_means([&a[..1], &b], false).is_none() && of_means([&[], &[]], true).is_none());
    }

    /// Where blocks resemble the one before, they tell less.
    #[test]
    fn blocks_that_follow_each_other_widen_interval_and_test() {
        let [a, b] = [1.0, 1.1].map(|ratio| {
            (0..10).map(|at| ratio * (100.0 + f64::from(at / 5))).collect::<Vec<f64>>()
        });
        let launches = of(Basis::Launches([10, 10]), &a, &b).unwrap().student;
        let blocks = of(Basis::Blocks([10, 10]), &a, &b).unwrap().student;
        assert!(blocks.half_width > 1.5 * launches.half_width && blocks.p > launches.p);
    }
}

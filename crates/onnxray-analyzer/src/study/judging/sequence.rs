//! A mean over launches with an interval that may be looked at after every launch.
//!
//! The mixture of Gaussian effects with scale invariance: with n values whose mean is m and whose
//! squared deviations from it add up to S, a mean μ is refused once
//!
//! ```text
//! (1 + n / c)^(-1/2) * ((S + n d²) / (S + n d² c / (n + c)))^(n/2) >= 1 / alpha,   d = m - μ
//! ```
//!
//! The left side is a martingale that begins with 1, so that it ever reaches 1 / alpha with a
//! probability of alpha at most, however often it is looked at (Ville, 1939). c is the precision of
//! the effects it expects, in units of the spread (Wang and Ramdas, 2024, section 4).

/// Effects of about two spreads are found soonest.
const PRECISION: f64 = 0.2;
/// Probability that the interval ever leaves the truth out.
const ALPHA: f64 = 0.05;

/// Logarithms of ratios, one of each launch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sequence {
    /// Number of launches.
    pub launches: usize,
    /// Their mean.
    pub mean: f64,
    /// Half the width of the interval around it, at all looks together; `None` with too few launches.
    pub half_width: Option<f64>,
    /// Standard deviation over launches; `None` with fewer than two.
    spread: Option<f64>,
}

impl Sequence {
    /// `None` without launches.
    pub(super) fn of(values: &[f64]) -> Option<Sequence> {
        let count = values.len() as f64;
        let mean = (!values.is_empty()).then(|| values.iter().sum::<f64>() / count)?;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let spread = (values.len() > 1).then(|| (squares / (count - 1.0)).sqrt());
        let half_width = spread.and_then(|spread| Some(reach(values.len())? * spread));
        Some(Sequence { launches: values.len(), mean, half_width, spread })
    }

    /// Ends of the interval; infinite if unknown.
    pub fn ends(&self) -> [f64; 2] {
        let reach = self.half_width.unwrap_or(f64::INFINITY);
        [self.mean - reach, self.mean + reach]
    }

    /// Launches after which the interval is this narrow, if the spread stays; `None` beyond a thousand.
    pub(super) fn launches_for(&self, half_width: f64) -> Option<usize> {
        let spread = self.spread?;
        (self.launches..=1000)
            .find(|&launches| reach(launches).is_some_and(|reach| reach * spread <= half_width))
    }
}

/// Half the width of the interval, in standard deviations; `None` where any mean is possible.
fn reach(launches: usize) -> Option<f64> {
    let n = launches as f64;
    let least = ((1.0 + n / PRECISION).sqrt() / ALPHA).powf(2.0 / n);
    let left = 1.0 - least * PRECISION / (n + PRECISION);
    (launches > 1 && left > 0.0).then(|| ((least - 1.0) * (n - 1.0) / (n * left)).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The martingale at the end of the interval, from its definition.
    #[test]
    fn at_the_ends_the_martingale_has_its_limit() {
        for values in [vec![0.1, 0.3, 0.2, -0.4], vec![1.0, 1.2, 0.9, 1.1, 1.3, 0.8, 1.0]] {
            let (found, n) = (Sequence::of(&values).unwrap(), values.len() as f64);
            for end in found.ends() {
                let from_end = values.iter().map(|value| value - end);
                let squares: f64 = from_end.clone().map(|value| value * value).sum();
                let sum: f64 = from_end.sum();
                let left = squares - sum * sum / (n + PRECISION);
                let martingale = (1.0 + n / PRECISION).powf(-0.5) * (squares / left).powf(n / 2.0);
                assert!((martingale * ALPHA - 1.0).abs() < 1e-9, "{martingale}");
            }
        }
    }

    #[test]
    fn few_launches_say_nothing() {
        assert_eq!(Sequence::of(&[]), None);
        let ends = |values: &[f64]| Sequence::of(values).unwrap().ends();
        assert_eq!(ends(&[1.0]), [f64::NEG_INFINITY, f64::INFINITY]);
        assert_eq!(ends(&[1.0, 2.0]), [f64::NEG_INFINITY, f64::INFINITY]);
        assert_eq!(ends(&[0.5; 4]), [0.5, 0.5], "no spread at all");
        let four = Sequence::of(&[0.0, 0.1, 0.2, 0.1]).unwrap();
        let more = four.launches_for(0.05).unwrap();
        assert!(more > 4 && reach(more - 1).unwrap() * four.spread.unwrap() > 0.05);
        assert_eq!(four.launches_for(1e-4), None);
    }
}

//! What a change does to the latency or a cost, over launches.

use super::options::CONFIDENCE;
use crate::comparison::RatioEstimate;
use crate::probability::Student;

/// Latency of a variant / latency of the base, or the same of a cost, over launches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// The geometric mean over launches.
    pub ratio: f64,
    /// Ends of its 95 % confidence interval, by Student's t of the logarithms.
    pub interval: (f64, f64),
    /// Two-sided, of no effect.
    pub p: f64,
}

impl Effect {
    /// Effect over launches, and the estimate that verdicts take; `None` with fewer than two
    /// ratios.
    pub(crate) fn of(ratios: &[f64]) -> Option<(Effect, RatioEstimate)> {
        let logarithms: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
        let student = Student::of(&logarithms, CONFIDENCE, 1.0)?;
        let estimate = RatioEstimate::of(&student, 0.0);
        let interval = (estimate.ratio_low, estimate.ratio_high);
        Some((Effect { ratio: estimate.ratio, interval, p: student.p }, estimate))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probability::references::assert_close;

    /// By hand: logarithms 1, 2 and 3 have the mean 2 and the half width 4.3027 / √3.
    #[test]
    fn an_effect_is_of_logarithms() {
        let ratios = [1.0, 2.0, 3.0].map(f64::exp);
        let (effect, _) = Effect::of(&ratios).unwrap();
        let half_width = 4.302652729911275 / 3f64.sqrt();
        assert_close(effect.ratio, 2f64.exp(), 1e-12, "ratio");
        assert_close(effect.interval.0, (2.0 - half_width).exp(), 1e-9, "low");
        assert_close(effect.interval.1, (2.0 + half_width).exp(), 1e-9, "high");
        assert_eq!(Effect::of(&ratios[..1]), None);
    }
}

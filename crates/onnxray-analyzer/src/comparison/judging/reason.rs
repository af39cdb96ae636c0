//! Why a difference is inconclusive although its interval leaves out no difference.

use crate::comparison::evidence::{Band, RatioEstimate};
use crate::comparison::units::pairing::{Basis, FEWEST_LAUNCHES};
use crate::printable::probability;

/// Why a difference is not called faster or slower.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reason {
    /// The test does not find it: p, and what was tested on each side.
    Test {
        /// Before any adjustment.
        p: f64,
        /// Units of the test.
        basis: Basis,
    },
    /// The test finds it alone, and not among all layers: p before and after.
    Adjusted {
        /// Before the adjustment.
        p: f64,
        /// After it.
        adjusted: f64,
    },
    /// It is one, and may be more or less than the noise threshold, which is this share of the
    /// baseline's time.
    Threshold(f64),
    /// It is one, and may be no more than the steps of the clock that times are the same within.
    Clock,
    /// The machine changed by this share of the latency while it was recorded.
    Drift(f64),
    /// Profiling may make the sides differ by as much.
    Profiling,
    /// The machine may: the sides were recorded one after the other, and the latency may differ by
    /// this share.
    Shift(f64),
    /// The ratio's interval leaves out 1, and the difference's holds 0.
    Difference,
    /// There are fewer launches than a verdict needs.
    Launches,
}

/// Inputs of the verdict.
pub(crate) struct Doubted<'a> {
    pub(crate) estimate: &'a RatioEstimate,
    pub(crate) location: f64,
    /// Before and after the adjustment.
    pub(crate) p: [f64; 2],
    pub(crate) alpha: f64,
    pub(crate) band: Band,
    pub(crate) basis: Basis,
    /// Set if the verdict would be faster or slower without it.
    pub(crate) drift: Option<f64>,
    /// Other cause of a difference of that size; set if the verdict would be faster or slower
    /// without it.
    pub(crate) hidden: Option<Reason>,
}

impl Doubted<'_> {
    /// Reason of an inconclusive verdict; `None` if the interval shows it.
    pub(crate) fn reason(&self) -> Option<Reason> {
        let estimate = self.estimate;
        let leaves_out_0 = estimate.difference_low > 0.0 || estimate.difference_high < 0.0;
        let leaves_out_1 = estimate.ratio_low > 1.0 || estimate.ratio_high < 1.0;
        let band = self.band.half_width(self.location);
        let [p, adjusted] = self.p;
        match (leaves_out_0, leaves_out_1) {
            // First: the estimate is already widened by what hides the difference, so that its
            // interval may hold 0 because of just that.
            _ if self.hidden.is_some() => self.hidden,
            (false, false) => None,
            _ if self.drift.is_some() => self.drift.map(Reason::Drift),
            // The p before the adjustment first: a test that finds nothing alone is not the
            // adjustment's fault.
            _ if p > self.alpha => Some(Reason::Test { p, basis: self.basis }),
            _ if estimate.difference.abs() <= band => {
                // The band is the larger of share and clock steps (`Band::half_width`): name the
                // one that decides.
                let is_of_clock = self.band.share * self.location < self.band.ticks;
                Some(if is_of_clock { Reason::Clock } else { Reason::Threshold(self.band.share) })
            }
            _ if adjusted > self.alpha => Some(Reason::Adjusted { p, adjusted }),
            _ => Some(Reason::Difference),
        }
    }
}

impl Reason {
    /// In a few words.
    pub fn text(self) -> String {
        match self {
            Reason::Test { p, basis } => {
                let units = match basis {
                    Basis::Launches([a, b]) if a != b => format!("{a} and {b}"),
                    Basis::Launches([launches, _])
                    | Basis::Pairs(launches)
                    | Basis::IterationPairs { launches, .. } => format!("{launches}"),
                    Basis::Blocks([a, b]) if a != b => format!("{a} and {b} blocks"),
                    Basis::Blocks([blocks, _]) | Basis::PairBlocks { blocks, .. } => {
                        format!("{blocks} blocks")
                    }
                    Basis::Averages | Basis::Totals | Basis::Unlike => "0".to_string(),
                };
                format!("t test at n = {units}: p = {}", probability(p))
            }
            Reason::Adjusted { p, adjusted } => {
                let [p, adjusted] = [p, adjusted].map(probability);
                format!("p = {p}, adjusted for all layers {adjusted}")
            }
            Reason::Threshold(share) if share.is_finite() => {
                format!("not clearly more than the noise threshold of {:.1} %", share * 100.0)
            }
            Reason::Threshold(_) => "not clearly more than the noise threshold".to_string(),
            Reason::Clock => "not clearly more than two steps of the clock".to_string(),
            Reason::Drift(share) => format!("the latency drifts by {:.1} %", share * 100.0),
            Reason::Profiling => "profiling costs as much as the difference".to_string(),
            Reason::Shift(share) => format!(
                "recorded one after the other, and the latency may differ by {:.1} %",
                share * 100.0
            ),
            Reason::Launches => {
                format!("too few launches, record {FEWEST_LAUNCHES} or more")
            }
            Reason::Difference => "the interval of the difference holds 0".to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ESTIMATE: RatioEstimate = RatioEstimate {
        ratio: 0.8,
        ratio_low: 0.7,
        ratio_high: 0.9,
        difference: -20.0,
        difference_low: -30.0,
        difference_high: -10.0,
    };

    fn reason(estimate: RatioEstimate, p: [f64; 2], drift: Option<f64>) -> Option<String> {
        let judged = Doubted {
            estimate: &estimate,
            location: 100.0,
            p,
            alpha: 0.05,
            band: Band { share: 0.03, ticks: 0.0 },
            basis: Basis::Launches([5, 5]),
            drift,
            hidden: None,
        };
        judged.reason().map(Reason::text)
    }

    #[test]
    fn each_condition_of_a_verdict_has_words() {
        let of = |estimate, p, drift| reason(estimate, p, drift).unwrap();
        assert_eq!(of(ESTIMATE, [0.056, 0.056], None), "t test at n = 5: p = 0.056");
        let adjusted = of(ESTIMATE, [0.008, 0.0712], None);
        assert_eq!(adjusted, "p = 0.008, adjusted for all layers 0.071");
        let small = RatioEstimate { difference: -2.0, difference_low: -3.5, ..ESTIMATE };
        let threshold = "not clearly more than the noise threshold of 3.0 %";
        assert_eq!(of(small, [0.008, 0.008], None), threshold);
        let drift = of(ESTIMATE, [0.008, 0.008], Some(0.25));
        assert_eq!(drift, "the latency drifts by 25.0 %");
        let wide = RatioEstimate { difference_high: 1.0, ..ESTIMATE };
        assert_eq!(of(wide, [0.01, 0.01], None), "the interval of the difference holds 0");
        let of_pairs = |basis| Reason::Test { p: 0.056, basis }.text();
        let pairs = Basis::IterationPairs { launches: 5, pairs: 300 };
        assert_eq!(of_pairs(pairs), "t test at n = 5: p = 0.056");
        let blocks = Basis::PairBlocks { blocks: 10, pairs: 300 };
        assert_eq!(of_pairs(blocks), "t test at n = 10 blocks: p = 0.056");
        let open = RatioEstimate { ratio_high: 1.1, ..wide };
        assert_eq!(reason(open, [0.5, 0.5], None), None);
    }
}

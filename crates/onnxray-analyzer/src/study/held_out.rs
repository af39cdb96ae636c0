//! How far the best mix, and B, are from A on inputs that the search did not see.

use super::descended::Descent;
use super::plan::Study;
use crate::statistics::median;
use onnxray_format::MixHeldOut;

/// Losses on the same inputs, which no launch of the search saw.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldOut {
    /// Losses of the best mix.
    pub mix: Spread,
    /// Losses of B; `None` if it does not run, or if its outputs cannot be compared.
    pub b: Option<Spread>,
    /// Inputs on which the mix loses more than B; `None` without B.
    pub worse: Option<u64>,
}

/// Losses on several inputs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Number of inputs.
    pub inputs: u64,
    /// The middle one.
    pub median: f64,
    /// The least, and the largest.
    pub range: (f64, f64),
}

impl Spread {
    /// `None` without losses.
    pub fn of(losses: &[f64]) -> Option<Spread> {
        let least = losses.iter().copied().min_by(f64::total_cmp)?;
        let largest = losses.iter().copied().max_by(f64::total_cmp)?;
        let median = median(losses)?;
        Some(Spread { inputs: losses.len() as u64, median, range: (least, largest) })
    }
}

impl HeldOut {
    /// From losses per input of a mix and of B; `None` if the mix has none.
    pub fn of(mix: &MixHeldOut, b: Option<&MixHeldOut>) -> Option<HeldOut> {
        let of_b = b.and_then(|b| Spread::of(&b.distances));
        let pairs = b.into_iter().flat_map(|b| mix.distances.iter().zip(&b.distances));
        let worse = pairs.filter(|(mix, b)| mix > b).count() as u64;
        Some(HeldOut { mix: Spread::of(&mix.distances)?, b: of_b, worse: of_b.map(|_| worse) })
    }
}

impl<S: Study> Descent<S> {
    /// Largest median loss on held-out inputs: `max_loss`, or else B's there, but at least
    /// rounding's; `None` if B's is unknown.
    pub fn limit_held_out(&self, held_out: &HeldOut) -> Option<f64> {
        let of_b = || Some(held_out.b?.median.max(self.run.rounding()));
        self.options.max_loss.or_else(of_b)
    }

    /// True if the best mix is within the limit on held-out inputs.
    pub fn is_near(&self, held_out: &HeldOut) -> bool {
        self.limit_held_out(held_out).is_some_and(|limit| held_out.mix.median <= limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn losses(losses: &[f64]) -> MixHeldOut {
        MixHeldOut { changes: Vec::new(), distances: losses.to_vec(), failed: None }
    }

    #[test]
    fn losses_are_compared_input_by_input() {
        let (mix, b) = (losses(&[1.0, 5.0, 2.0]), losses(&[2.0, 3.0, 2.0]));
        let held_out = HeldOut::of(&mix, Some(&b)).unwrap();
        assert_eq!(held_out.mix, Spread { inputs: 3, median: 2.0, range: (1.0, 5.0) });
        assert_eq!(held_out.b.unwrap().median, 2.0);
        assert_eq!(held_out.worse, Some(1));
        assert_eq!(HeldOut::of(&mix, None).unwrap().worse, None);
        assert_eq!(HeldOut::of(&losses(&[]), Some(&b)), None);
        let failed = HeldOut::of(&mix, Some(&losses(&[]))).unwrap();
        assert_eq!((failed.b, failed.worse), (None, None));
    }
}

//! What a report of a mix is made of.

use crate::content::study::verified::{Told, VerifiedRatio};
use onnxray_analyzer::study::Verified;
use onnxray_analyzer::study::{HeldOut, Mixing, Tried};

/// What came of mixing two models, and of the recordings that verify the best mix.
pub struct MixResult {
    pub mixing: Mixing,
    /// How far the best mix and B are from A on inputs that the search did not see; `None` if
    /// there are no such inputs, or no mix is better than A and B.
    pub held_out: Option<HeldOut>,
    /// What the launches say that the search did not see; `None` if no mix is better than A and B.
    pub verified: Option<MixVerified>,
    /// Name of the file that holds the mix; `None` if none was written.
    pub written: Option<String>,
    /// Whether all of A, written as mixes are, computes the outputs of A's file to the last bit.
    pub equals_a: Option<bool>,
    /// The same of B.
    pub equals_b: Option<bool>,
}

/// The mix next to A and next to B, in launches that the search did not see.
pub struct MixVerified {
    /// Next to A.
    pub with_a: Verified,
    /// Next to B.
    pub with_b: Verified,
}

impl MixResult {
    /// The mix that is recommended: it was faster than A and B in the search, and than the better
    /// of them in launches that the search did not see, and loses no more than it may on inputs
    /// that the search did not see.
    pub fn recommended(&self) -> Option<&Tried> {
        let is_faster = self.verifying()?.ratio().is_faster();
        self.mixing.mixed().filter(|_| is_faster && self.is_near())
    }

    fn is_near(&self) -> bool {
        match &self.held_out {
            Some(held_out) => self.mixing.is_near(held_out),
            None => self.mixing.run.search.loss_inputs.held_out == 0,
        }
    }

    /// The mix next to the better of A and B.
    pub(super) fn verifying(&self) -> Option<&Verified> {
        let verified = self.verified.as_ref()?;
        Some(if self.mixing.is_b_better() { &verified.with_b } else { &verified.with_a })
    }

    /// The mix next to A, and next to B.
    pub(super) fn ratios(&self) -> Option<[VerifiedRatio; 2]> {
        let MixVerified { with_a, with_b } = self.verified.as_ref()?;
        Some([with_a, with_b].map(Verified::ratio))
    }
}

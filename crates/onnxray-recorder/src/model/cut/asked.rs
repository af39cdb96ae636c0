//! Which blocks are asked for.

use crate::median::{median, variance_of_median};
use onnxray_format::Nanoseconds;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};

/// Blocks that are timed in place of operators.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blocks {
    /// There are at most this many.
    pub most: u32,
    /// Blocks of a first look, by which those that take most time are cut further; none: where cuts
    /// are follows from an estimate of FLOPs and bytes.
    pub measured: Vec<MeasuredBlock>,
    /// Names of the nodes of each operator that the engine makes of several: a cut between them would
    /// make it another.
    pub fused: Vec<Vec<String>>,
    /// Names of the nodes behind which to cut, and nowhere else; `None`: cuts are chosen.
    pub cuts: Option<Vec<String>>,
    /// Timed as with a provider: by what is before cuts alone, and with what runs wait for a core. What is
    /// compared is timed alike.
    pub as_with_provider: bool,
    /// What cuts change, as far as it was measured.
    pub effects: Vec<CutEffect>,
    /// Names of the nodes behind which there is no cut, since what is before it ended the engine's process.
    #[serde(default)]
    pub ended: Vec<String>,
}

/// What a cut changes: how much longer both sides of it take, one after the other, than the whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CutEffect {
    /// Name of the last node before it.
    pub last: String,
    /// The median of some rounds, in nanoseconds; below 0 if they take less than the whole.
    pub median: i64,
    /// The least and the most of these rounds.
    pub range: (i64, i64),
    /// How long the whole took meanwhile.
    pub whole: Nanoseconds,
    /// Names of the nodes of each operator of the whole that neither side has: the engine fuses them
    /// there only. None where the engine does not tell.
    pub lost: Vec<Vec<String>>,
}

/// The fewest cuts that tell what a cut usually adds: the median of two would be either one's chance.
const ENOUGH: usize = 3;

/// A cut that adds more than this share of the whole is one to be told of.
const LARGE: f64 = 0.05;
/// The same of one whose sides take less than the whole: by up to a tenth, they do so at any cut (24 equal
/// layers with 1 MB of weights each, whose sides ran apart and kept more of these in the caches).
const LARGE_BELOW: f64 = 0.15;

impl CutEffect {
    /// Whether it is more than chance, and more than a small share of the whole.
    pub(crate) fn is_large(&self) -> bool {
        let (low, high) = self.range;
        let share = self.median as f64 / self.whole.0 as f64;
        low > 0 && share > LARGE || high < 0 && share < -LARGE_BELOW
    }

    /// What cuts of a model usually add, which both sides have alike: the median of three or more.
    pub(crate) fn usual(effects: &[CutEffect]) -> i64 {
        let mut medians: Vec<i64> = effects.iter().map(|effect| effect.median).collect();
        medians.sort_unstable();
        if medians.len() < ENOUGH { 0 } else { medians[medians.len() / 2] }
    }

    /// What cuts of a model usually add, as a share of the whole: the median of three or more, if that is above
    /// twice its standard deviation.
    pub(crate) fn usual_share(effects: &[CutEffect]) -> Option<f64> {
        let share = |effect: &CutEffect| effect.median as f64 / effect.whole.0.max(1) as f64;
        let shares: Vec<f64> = effects.iter().map(share).collect();
        let (usual, variance) = median(&shares).zip(variance_of_median(&shares))?;
        (shares.len() >= ENOUGH && usual > 2.0 * variance.sqrt()).then_some(usual)
    }

    /// By how much all rounds say that it adds more than is usual; below 0 if it adds less. None where they
    /// do not agree.
    pub(crate) fn at_least(&self, usual: i64) -> Option<i64> {
        let (low, high) = (self.range.0 - usual, self.range.1 - usual);
        match low > 0 {
            true => Some(low),
            false => (high < 0).then_some(high),
        }
    }

    /// With another measurement of it: the mean of both medians, and the range of all rounds.
    pub(crate) fn with(&self, again: &CutEffect) -> CutEffect {
        CutEffect {
            median: self.median.midpoint(again.median),
            range: (self.range.0.min(again.range.0), self.range.1.max(again.range.1)),
            whole: Nanoseconds(self.whole.0.midpoint(again.whole.0)),
            ..self.clone()
        }
    }

    /// The fusions that it loses: `/a/Conv + /a/Relu; /b/MatMul + /b/Add`.
    pub fn lost(&self) -> Option<String> {
        let fusions: Vec<String> = self.lost.iter().map(|nodes| nodes.join(" + ")).collect();
        (!fusions.is_empty()).then(|| fusions.join("; "))
    }
}

/// `0.120 ms (0.100 to 0.150)`; with a sign of the median if one is asked for.
impl Display for CutEffect {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let [median, low, high] =
            [self.median, self.range.0, self.range.1].map(|time| time as f64 / 1e6);
        match formatter.sign_plus() {
            true => write!(formatter, "{median:+.3} ms ({low:.3} to {high:.3})"),
            false => write!(formatter, "{median:.3} ms ({low:.3} to {high:.3})"),
        }
    }
}

/// A block as it was measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeasuredBlock {
    /// Name of its last node.
    pub last: String,
    /// Time of the block.
    pub time: Nanoseconds,
}

/// What a first look at a model finds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Look {
    /// Its blocks; none if it was stopped.
    pub blocks: Vec<MeasuredBlock>,
    /// As in [`Blocks::fused`].
    pub fused: Vec<Vec<String>>,
    /// How long an iteration took; none if none was timed.
    pub iteration: Option<Nanoseconds>,
    /// How many parts of the model fit into memory at once.
    pub at_once: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cuts of a whole of 1 ms that add this.
    fn effects(medians: &[i64]) -> Vec<CutEffect> {
        let effect = |&median: &i64| CutEffect {
            last: String::new(),
            median,
            range: (median, median),
            whole: Nanoseconds(1_000_000),
            lost: Vec::new(),
        };
        medians.iter().map(effect).collect()
    }

    #[test]
    fn cuts_usually_add_what_is_more_than_their_chance() {
        let share = |medians: &[i64]| CutEffect::usual_share(&effects(medians)).unwrap_or(0.0);
        assert_eq!(share(&[33_000, 178_000, 204_000, 224_000, 258_000]), 0.204);
        assert_eq!(share(&[-640_000, -84_000, 15_000, 154_000, 387_000]), 0.0);
        assert_eq!(share(&[-20_000, -21_000, -19_000]), 0.0, "a cut saves no call");
        assert_eq!(share(&[20_000, 21_000]), 0.0, "either may be chance");
        assert_eq!(share(&[]), 0.0);
        let usual = CutEffect::usual(&effects(&[33_000, 178_000, 204_000]));
        assert_eq!(usual, 178_000);
    }
}

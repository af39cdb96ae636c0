//! What is known of a mix, and of a change.

use super::known::Known;
use crate::tune::Effect;
use onnxray_format::MixVariant;

/// A mix and its results.
#[derive(Clone, Debug, PartialEq)]
pub struct Mix {
    /// The changes that are taken from B, by their numbers, ascending.
    pub from_b: Vec<u32>,
    /// Launches in which it ran.
    pub launches: usize,
    /// Latency / latency of A: the geometric mean over launches; `None` if it never ran.
    pub ratio: Option<f64>,
    /// `ratio` with its interval; `None` with fewer than two launches.
    pub effect: Option<Effect>,
    /// Largest loss over launches; `None` if it never ran.
    pub loss: Option<f64>,
    /// The output that is farthest.
    pub output: Option<String>,
    /// True if it runs and its loss is within the limit.
    pub is_admissible: bool,
    /// Why it failed, if it did.
    pub failed: Option<String>,
}

impl Mix {
    pub(super) fn of(known: &Known, set: &[u32], is_admissible: bool) -> Mix {
        let own: Vec<&MixVariant> = known.launches(set).collect();
        let ratios: Vec<f64> = own.iter().filter_map(|variant| variant.ratio).collect();
        let sum: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
        let farthest = own.iter().filter(|variant| variant.quality.loss.is_some());
        let farthest = farthest.max_by(|a, b| {
            a.quality.loss.partial_cmp(&b.quality.loss).unwrap_or(std::cmp::Ordering::Equal)
        });
        Mix {
            from_b: set.to_vec(),
            launches: ratios.len(),
            ratio: (!ratios.is_empty()).then(|| (sum / ratios.len() as f64).exp()),
            effect: Effect::of(&ratios).map(|(effect, _)| effect),
            loss: farthest.and_then(|variant| variant.quality.loss),
            output: farthest.and_then(|variant| variant.quality.output.clone()),
            is_admissible,
            failed: known.failure(set).map(str::to_string),
        }
    }
}

/// Why a change is part of the best mix, or not.
#[derive(Clone, Debug, PartialEq)]
pub enum Taken {
    /// It is: without it the mix is slower, or would be.
    Gains,
    /// It is, because another change that is needs it.
    Needed,
    /// It is, though taking it or not makes no difference that matters.
    Kept,
    /// It is not: with it the mix is slower.
    Costs,
    /// It is not, since it makes no difference that matters.
    NoGain,
    /// It is not: with it the outputs are farther from A's than they may be.
    Loses,
    /// It is not: what it needs costs more than it gains, or loses more than it may.
    NeedsTooMuch,
    /// It is not: the mix with it failed.
    Failed(String),
    /// Nothing was measured that tells.
    Unknown,
}

/// A change and its effects.
#[derive(Clone, Debug, PartialEq)]
pub struct TriedChange {
    /// A with this change, and with what it needs.
    pub alone: Option<Mix>,
    /// B without this change, and without what needs it.
    pub without: Option<Mix>,
    /// Latency of B / latency of B without it; `None` with fewer than two launches.
    pub in_b: Option<Effect>,
    /// The best mix / the best mix with this change the other way round; `None` if it was not
    /// measured.
    pub in_best: Option<f64>,
    /// True if it is part of the best mix.
    pub is_taken: bool,
    /// Why.
    pub taken: Taken,
}

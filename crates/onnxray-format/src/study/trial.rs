//! What a journal keeps of a study: launches, outputs on other inputs, recordings of what was
//! chosen.

use crate::study::objective::CostRatios;
use serde::{Deserialize, Serialize};

/// Stage of a search that a trial belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The only one, or that of single changes.
    #[default]
    Single,
    /// Several changes at once.
    Combined,
}

/// A launch, a process of its own: the base and variants, in turns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trial<Change, Quality> {
    /// Its stage.
    #[serde(default)]
    pub stage: Stage,
    /// Its number within the stage, from 0.
    pub number: u32,
    /// Latency of the base in nanoseconds: the median over the turns of a turn's first quartile; `None` if
    /// it did not run.
    pub base_ns: Option<f64>,
    /// Rounds, in each of which every variant has a turn.
    pub rounds: u32,
    /// Cores that other programs used meanwhile, on average; `None` if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_cores: Option<f64>,
    /// Outcome of each variant.
    pub variants: Vec<Variant<Change, Quality>>,
}

/// Outcome of a variant in a trial.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Variant<Change, Quality> {
    /// Changes that are made together.
    #[serde(alias = "from_b")] // as journals of mixes called them
    pub changes: Vec<Change>,
    /// Latency of the variant / latency of the base: the median over rounds, where the base's
    /// latency is the geometric mean of its turns before and after; `None` if it failed.
    pub ratio: Option<f64>,
    /// What it costs in a process of its own; `None` where that was not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub costs: Option<CostRatios>,
    /// How its outputs compare with the base's.
    #[serde(flatten)]
    pub quality: Quality,
    /// Why it cannot be made, loaded or run, or why its outputs cannot be compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

impl<Change, Quality: Default> Variant<Change, Quality> {
    /// A variant without figures, and why.
    pub fn failed(changes: Vec<Change>, reason: String) -> Variant<Change, Quality> {
        let (ratio, costs, quality) = (None, None, Quality::default());
        Variant { changes, ratio, costs, quality, failed: Some(reason) }
    }
}

/// Distances of a variant's outputs from the base's on inputs that no trial saw.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeldOut<Change, Distance> {
    /// Changes that are made together.
    #[serde(alias = "from_b")]
    pub changes: Vec<Change>,
    /// Input by input; empty if it failed.
    #[serde(alias = "losses", alias = "held_out")] // as journals of mixes and of tunings did
    pub distances: Vec<Distance>,
    /// Why its outputs cannot be compared, if they cannot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

/// What was chosen, recorded next to a base, in turns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verification<Change> {
    /// Whether next to the second base, where there are two: B of a mix.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub with_b: bool,
    /// What was chosen: by other limits, it is something else.
    #[serde(alias = "from_b")]
    pub changes: Vec<Change>,
    /// The times by which both recordings are called, that of the base first.
    pub recordings: [String; 2],
}

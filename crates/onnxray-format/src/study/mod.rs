//! Studies: variants, each a set of changes of a base, measured next to the base.
//!
//! ```text
//! objective, setup ◀ trial ◀ sensitivity, tune, mix ◀ judge
//! pruned_times ◀ sensitivity
//! ```
//!
//! The recorder measures, the analyzer decides by it what pays, and what is measured next.

mod judge;
mod mix;
mod objective;
mod pruned_times;
mod sensitivity;
mod setup;
mod trial;
mod tune;

pub use judge::{JudgeBundle, JudgeHeldOut, JudgeRun, JudgeSide, JudgeTrial, Judged};
pub use mix::{MixChange, MixHeldOut, MixQuality, MixRun, MixSource, MixTrial, MixVariant};
pub use objective::{CostRatios, Objective};
pub use pruned_times::{NotPrunedTimes, PrunedTimes, TimedLayer, TimedLevel, TimedRun};
pub use sensitivity::{
    DenseLoss, LOSS_FORMAT, LOSS_VERSION, LossData, LossLayer, LossMeasure, LossOutput, LossPlan,
    LossPoint, LossProfile, LossRun, LossScatter, Measured, MeasuredLayers, PrunedLayer,
};
pub use setup::{LossInputs, ModelFile, SearchSetup, Setup};
pub use trial::{HeldOut, Stage, Trial, Variant, Verification};
pub use tune::{
    OutputDifference, RuntimeChange, TuneHeldOut, TuneQuality, TuneRun, TuneTrial, TuneVariant,
};

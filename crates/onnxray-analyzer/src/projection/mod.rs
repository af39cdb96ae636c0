//! Cost of a model with sparse weights: measured dense latencies
//! divided by perf ratios that the user sets.
//!
//! Every figure is defined in `docs/statistics.md`. Nothing here knows data
//! frames or files.

mod at_levels;
mod estimate;
mod not_pruned;
mod operator;
mod origin;
mod planning;
mod project;
mod projected;
mod pruning;
mod ratio;
mod same_name;
mod settings;
mod total;
mod weightless;

pub use at_levels::positions;
pub use estimate::Estimate;
pub use operator::{ALREADY_SPARSE, Outcome, ProjectedOperator, Target, TargetOrigin};
pub use origin::{Origin, Origins, RatioOrigin};
pub use planning::*;
pub use project::{outside, project};
pub use projected::{AppliedRow, Basis, Level, ProjectedType, Projection, Spread};
pub use pruning::{Pruning, prunings};
pub use ratio::{RatioKey, RatioPoint, RatioRow, SAME_LEVEL, WeightShape};
pub use same_name::{SameNames, same_operators, same_types};
pub use settings::{
    DEFAULT_BLOCK, DEFAULT_POINTS, DEFAULT_TARGET, MeasuredOn, PlanSettings, Sensitivity, Settings,
    Targets, default_row, unstated_origin,
};
pub(crate) use settings::{engine, sizes};
pub use total::{Outside, Totals, Weights};

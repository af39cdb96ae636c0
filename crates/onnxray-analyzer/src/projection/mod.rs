//! Cost of a model with sparse weights: measured dense latencies
//! divided by perf ratios that the user sets.
//!
//! Every figure is defined in `docs/statistics.md`. Nothing here knows data
//! frames or files.

mod allocation;
mod at_levels;
mod estimate;
mod layers;
mod line;
mod loss;
mod not_pruned;
mod operator;
mod origin;
mod plan;
mod planned;
mod project;
mod projected;
mod pruning;
mod ratio;
mod same_name;
mod settings;
mod total;
mod weightless;

pub use allocation::{Allocation, Budget, Prunable, allocate, fastest};
pub use at_levels::positions;
pub use estimate::Estimate;
pub use layers::{Exclusion, PlannedLayer};
pub use loss::{
    BoundedSensitivities, PlannedLoss, SensitivityBasis, bounded_sensitivities, highest_level,
    planned_loss, predicted_sensitivity, sensitivities, sensitivity_interval,
};
pub use operator::{ALREADY_SPARSE, Outcome, ProjectedOperator, Target, TargetOrigin};
pub use origin::{Origin, Origins, RatioOrigin};
pub use plan::{LossBasis, Plan, plan};
pub use planned::Planned;
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

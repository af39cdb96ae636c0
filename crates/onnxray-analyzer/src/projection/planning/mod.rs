//! The plan: levels of all layers, by a budget of parameters or a largest loss.
//!
//! ```text
//! line ◀ loss; layers, allocation, loss ◀ plan ◀ planned
//! ```

mod allocation;
mod layers;
mod line;
mod loss;
mod plan;
mod planned;

pub use allocation::{Allocation, Budget, Prunable, allocate, fastest};
pub use layers::{Exclusion, PlannedLayer};
pub use loss::{
    BoundedSensitivities, PlannedLoss, SensitivityBasis, bounded_sensitivities, highest_level,
    planned_loss, predicted_sensitivity, sensitivities, sensitivity_interval,
};
pub use plan::{LossBasis, Plan, plan};
pub use planned::Planned;

//! What one inference costs: processes that do nothing but load a model and run it, each a
//! [`Start`], those of several models in turns.
//!
//! ```text
//! pace ◀ spec; cold, made, spec ◀ begin ◀ waiting; spec, waiting ◀ ready ◀ plan
//! ```
//!
//! They never read the model themselves: what a program allocates to understand a model would
//! be taken for the engine's. Another process makes the inputs, and leaves them in a folder.

mod begin;
mod cold;
mod made;
mod pace;
mod plan;
mod ready;
mod spec;
mod waiting;

pub(super) use begin::prepare;
pub use cold::CAN_DROP;
pub use pace::PaceSpec;
pub use plan::{CostPlan, CostTurns, Started, costs};
pub(super) use plan::{add_start, prepared};
pub use ready::Ready;
pub use spec::Prepare;
pub(super) use waiting::wait;

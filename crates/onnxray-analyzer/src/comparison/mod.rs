//! Two recordings of a model, or of two versions of it: what got faster, what got
//! slower, what only one has, and whether the difference is real.
//!
//! ```text
//! turns ─▶ paired (iterations in turns) ───────────┐
//!                                                   ▼
//! alignment ─▶ groups ─▶ timing (launches, blocks) ─▶ evidence ─▶ change
//!                 │                                                 │
//!                 └──▶ conservation, causes, types, differences ◀───┘
//! ```
//!
//! The launch is the unit: iterations of one process are not independent. Every
//! figure is defined in `docs/statistics.md#comparison`.

pub mod alignment;
mod cells;
mod change;
mod check;
mod comparability;
mod compare;
mod compared;
mod conservation;
mod contribution;
mod details;
mod discoveries;
mod error;
mod evidence;
mod false_alarms;
mod field;
mod fusions;
mod gate;
mod identity;
mod models;
mod notes;
mod options;
mod paired;
mod pairing;
mod plain;
mod pooling;
mod power;
mod precision;
mod profiling;
mod reason;
mod recording;
mod result;
mod stability;
mod switch_cost;
mod testing;
mod timing;
mod turns;
mod types;
mod typical;
mod versions;
mod workers;

pub use alignment::{Alignment, Certainty, Group, Member, Method, Side, align};
pub use check::{Check, Finding, Grade, check};
pub use comparability::{Comparability, Difference, Meaning};
pub use compare::compare;
pub use compared::{Change, Compared, ComparedGroup};
pub use conservation::{Conservation, beyond_layers};
pub use contribution::Cause;
pub use details::Detail;
pub use discoveries::{Differing, Discovery, Family, Fleet, Way};
pub use error::ComparisonError;
pub use evidence::Verdict;
pub(crate) use evidence::{Band, RatioEstimate, verdict};
pub use false_alarms::{FalseAlarms, Split};
pub use field::Field;
pub use fusions::Fusion;
pub use gate::{Failure, Gate, Gated, Limits, gate};
pub use models::{GeometricMean, geometric_mean};
pub use options::Options;
pub use pairing::Basis;
pub use power::ENOUGH_LAUNCHES;
pub use profiling::Profiling;
pub use reason::Reason;
pub use recording::Recording;
pub use result::Comparison;
pub use timing::{LayerTimes, Timing, Whole};
pub use types::{ComparedType, TypeSide};
pub use typical::LeftOut;
pub use versions::are_versions;

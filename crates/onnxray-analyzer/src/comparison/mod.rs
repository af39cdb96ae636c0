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
mod causes;
mod check;
mod comparability;
mod compare;
mod compared;
mod costs;
mod discoveries;
mod error;
mod evidence;
mod field;
mod gate;
mod judging;
mod modules;
mod notes;
mod options;
mod pairs;
mod patterns;
mod per_model;
mod recording;
mod result;
mod self_comparison;
mod timing;
mod units;
mod versions;

pub use alignment::{Alignment, Certainty, Group, Member, Method, Side, align};
pub use causes::conservation::{Conservation, OUTSIDE};
pub use causes::contribution::Cause;
pub use causes::details::Detail;
pub use causes::fusions::Fusion;
pub use causes::types::{ComparedType, TypeSide};
pub use check::{Check, Finding, Grade, check};
pub use comparability::{Comparability, Difference, Meaning};
pub use compare::compare;
pub use compared::{Change, Compared, ComparedGroup};
pub use costs::{ComparedCost, Cost};
pub use discoveries::{Differing, Discovery, Family, Fleet, Way, keys, tables};
pub use error::ComparisonError;
pub use evidence::Verdict;
pub(crate) use evidence::{Band, RatioEstimate, verdict};
pub use field::Field;
pub use gate::{Failure, Gate, Gated, Limits, gate};
pub use judging::needed::LaunchesNeeded;
pub use judging::power::ENOUGH_LAUNCHES;
pub use judging::profiling::Profiling;
pub use judging::reason::Reason;
pub use modules::Modules;
pub use options::Options;
pub use pairs::typical::LeftOut;
pub use patterns::{Folded, Unlike};
pub use per_model::{GeometricMean, geometric_mean};
pub use recording::Recording;
pub use result::Comparison;
pub use self_comparison::{FalseAlarms, Split};
pub use timing::{LayerTimes, Timing, Whole};
pub use units::pairing::Basis;
pub use units::pairing::FEWEST_LAUNCHES;
pub use versions::are_versions;

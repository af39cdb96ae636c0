//! What a recording says: figures per model, launch, iteration, operator type
//! and operator.
//!
//! Every figure is defined in `docs/statistics.md`, which a test recomputes.

mod advice;
mod blocks;
mod conditions;
mod cost;
mod details;
mod distribution;
mod doubts;
mod examine;
mod exclusive;
mod flops_foretell;
mod flops_profile;
mod histogram;
mod instances;
mod interval;
mod iteration;
mod launch;
mod measure;
mod model;
#[cfg(test)]
mod noise;
mod operators;
mod performance;
mod phases;
mod plain;
mod ranks;
mod recording_overhead;
mod rows;
mod settling;
mod spans;
mod spent;
mod summary;
mod timeline;
mod warmup;

pub use advice::Advice;
pub(crate) use blocks::{BLOCK, BLOCK_AS_UNIT, FEWEST_UNITS, MOST_BLOCKS, blocks};
pub use conditions::{Disturbance, Disturber, Episode};
pub use cost::{PartialSum, per_iteration};
pub use details::Details;
pub use distribution::Distribution;
pub use examine::{examine, summarize, summarize_in_detail, summarize_plain};
pub use exclusive::exclusive_events;
pub use flops_foretell::FlopsForetell;
pub use flops_profile::{FlopsProfile, flops_profile};
pub use histogram::{BINS, Histogram};
pub use instances::Instances;
pub use interval::{Interval, PartInterval, Parting, Parts, relative_half_width};
pub use iteration::IterationSummary;
pub use launch::{Instance, LaunchSummary};
pub use operators::{OperatorSummary, TypeSummary};
pub use performance::{Latencies, Measured, Performance};
pub use phases::PhaseSummary;
pub use plain::PlainSummary;
pub use ranks::Ranks;
pub use recording_overhead::{RecordingCost, RecordingOverhead};
pub(crate) use settling::Settling;
pub use spans::{NotShown, Reason, Spans, Stretch};
pub use summary::{ModelSummary, Summary};
pub use timeline::{SettledLaunch, Timeline};

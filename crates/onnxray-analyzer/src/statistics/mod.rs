//! What a recording says: figures per model, launch, iteration, operator type
//! and operator.
//!
//! Every figure is defined in `docs/statistics.md`, which a test recomputes.

mod advice;
mod blocks;
mod caveats;
mod conditions;
mod cost;
mod details;
mod device_time;
mod devices;
mod distribution;
mod error;
mod examine;
mod exclusive;
mod executions;
mod flops_correlation;
mod flops_profile;
mod framework;
mod histogram;
mod instances;
mod interval;
mod iteration;
mod latency;
mod launch;
mod measure;
mod model;
#[cfg(test)]
mod noise;
mod operators;
mod performance;
mod phases;
mod placement;
mod profiling;
mod ranks;
mod recording_overhead;
mod rows;
mod spans;
mod steady_state;
mod stored;
mod summary;
mod timeline;
mod typical;
mod warmup;
mod whole;

pub use advice::Advice;
pub use blocks::FEWEST_UNITS;
pub(crate) use blocks::{BLOCK, BLOCK_AS_UNIT, MOST_BLOCKS, blocks};
pub use conditions::{Interference, NoiseSource};
pub use cost::{PartialSum, per_iteration};
pub use details::Details;
pub use device_time::DeviceTime;
pub use distribution::Distribution;
pub(crate) use distribution::median;
pub use error::StatisticsError;
pub use examine::{
    examine, examine_in_detail, examine_plain, exclusive_events, summarize, summarize_in_detail,
    summarize_plain,
};
pub use flops_correlation::FlopsCorrelation;
pub use flops_profile::flops_profile;
pub use framework::FrameworkOverhead;
pub use histogram::{BINS, Histogram};
pub use instances::Instances;
pub use interval::{Interval, PartInterval, Partition, Parts, relative_half_width};
pub use iteration::IterationSummary;
pub use latency::LatencySummary;
pub use launch::{Instance, LaunchSummary};
pub use operators::{OperatorSummary, TypeSummary};
pub use performance::{Latencies, Measured, Performance};
pub use phases::PhaseSummary;
pub use placement::ProviderSummary;
pub use profiling::{ProfilingBound, ProfilingCost};
pub use ranks::Ranks;
pub use recording_overhead::{RecordingCost, RecordingOverhead};
pub use spans::{NotShown, Reason, Spans, Stretch};
pub(crate) use steady_state::SteadyState;
pub use stored::stored_summary;
pub use summary::{ModelSummary, Summary};
pub use timeline::{SteadyLaunch, Timeline};
pub use typical::Stragglers;

//! What a recording says: figures per model, launch, iteration, operator type
//! and operator.
//!
//! Every figure is defined in `docs/statistics.md`, which a test recomputes.

mod advice;
mod caveats;
mod conditions;
mod costs;
mod details;
mod device_time;
mod devices;
mod error;
mod examine;
mod flops;
mod latency;
mod launches;
mod model;
mod operators;
mod overhead;
mod patterns;
mod performance;
mod phases;
mod placement;
mod spread;
mod steady;
mod summary;
mod times;
mod whole;

pub use advice::Advice;
pub(crate) use caveats::has_condition;
pub use conditions::{Interference, NoiseSource};
pub use costs::{
    AliveTensor, CostFigure, CostSummary, Growth, Liveness, PaceSummary, Percentile, departure,
    rate_number, rate_text,
};
pub use details::Details;
pub use device_time::DeviceTime;
pub use error::StatisticsError;
pub use examine::{Examined, Needs, examine, exclusive_times};
pub use flops::correlation::FlopsCorrelation;
pub use flops::cost::{PartialSum, per_iteration};
pub use flops::profile::flops_profile;
pub use flops::roof::RoofSummary;
pub use flops::under_roof::{NoRoof, UnderRoof};
pub use latency::LatencySummary;
pub use launches::instances::Instances;
pub use launches::iteration::IterationSummary;
pub use launches::launch::{Instance, LaunchSummary};
pub use launches::ranks::Ranks;
pub use operators::{OperatorSummary, TypeSummary};
pub use overhead::framework::FrameworkOverhead;
pub use overhead::profiling::{ProfilingBound, ProfilingCost};
pub use overhead::profiling_overhead::{RecordingCost, RecordingOverhead};
pub use patterns::{FoldedRow, Outlier, PatternSummary};
pub use performance::{Latencies, Measured, Performance};
pub use phases::PhaseSummary;
pub(crate) use placement::node_providers;
pub use placement::{Crossed, ProviderSummary, chosen_provider, in_place_of_chosen};
pub use spread::blocks::FEWEST_UNITS;
pub(crate) use spread::blocks::{BLOCK, BLOCK_AS_UNIT, MOST_BLOCKS, blocks};
pub use spread::distribution::Distribution;
pub(crate) use spread::distribution::median;
pub use spread::histogram::{BINS, Histogram};
pub use spread::interval::{Interval, PartInterval, Partition, Parts, relative_half_width};
pub(crate) use steady::steady_state::SteadyState;
pub use steady::typical::Stragglers;
pub use summary::{ModelSummary, Summary};
pub use times::spans::{NotShown, Reason, Spans, Stretch};
pub use times::timeline::{SteadyLaunch, Timeline};

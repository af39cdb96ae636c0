//! Everything that reports show of a recording.

use super::{
    Advice, DeviceTime, FlopsCorrelation, FrameworkOverhead, Instances, Interference, Interval,
    IterationSummary, LatencySummary, LaunchSummary, OperatorSummary, PartialSum, Parts,
    PhaseSummary, ProfilingBound, ProfilingCost, ProviderSummary, Ranks, RecordingOverhead,
    Stragglers, TypeSummary,
};
use crate::trace::FigureTable;
use crate::units::Milliseconds;
use onnxray_format::{Conditions, Nanoseconds, Run, Warning};

/// Everything that the reports show of a recording.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Of the first launch; launches of one recording agree in what matters.
    pub run: Run,
    /// The model as a whole.
    pub model: ModelSummary,
    /// In the order of the trace.
    pub launches: Vec<LaunchSummary>,
    /// How launches differ that are the ranks of one run; `None` if they are not.
    pub ranks: Option<Ranks>,
    /// What launches that ran side by side did together; `None` if each ran alone.
    pub instances: Option<Instances>,
    /// The phases of a generation, whichever the rest is of; empty if iterations are whole
    /// inferences.
    pub phases: Vec<PhaseSummary>,
    /// Of all launches, warm-up and unprofiled ones included.
    pub iterations: Vec<IterationSummary>,
    /// From most to least time.
    pub types: Vec<TypeSummary>,
    /// In order of execution.
    pub operators: Vec<OperatorSummary>,
    /// In order of execution; `None` where every operator is one kernel.
    pub kernels: Option<Vec<OperatorSummary>>,
    /// What execution providers ran; empty if the trace does not tell.
    pub providers: Vec<ProviderSummary>,
    /// What the trace states beyond times, by operator.
    pub figures: FigureTable,
    /// By launch: what it saw of the machine; `None` if it does not tell.
    pub conditions: Vec<Option<Conditions>>,
    /// What happened while it was made, as far as it tells.
    pub interferences: Vec<Interference>,
    /// Caveats of the recording, beyond what its reader warned of.
    pub caveats: Vec<String>,
    /// What its reader warned of.
    pub warnings: Vec<Warning>,
    /// What the intervals of means were taken over; `None` if there are none.
    pub parts: Option<Parts>,
    /// Whether operators were timed apart from the iterations: then their times need not
    /// add up to the latency, and nothing is known of what is between them.
    pub operators_timed_apart: bool,
    /// What to do about it, for whoever made it.
    pub advice: Advice,
}

impl Summary {
    /// Whether nothing but unprofiled iterations is known.
    pub fn is_plain(&self) -> bool {
        self.model.profiled.is_none() && self.model.plain.is_some()
    }

    /// Whether a time is known of any operator.
    pub fn is_timed(&self) -> bool {
        self.operators.iter().any(OperatorSummary::ran)
    }

    /// What the engine executed: the operators themselves where each is one kernel.
    pub fn kernels(&self) -> &[OperatorSummary] {
        self.kernels.as_deref().unwrap_or(&self.operators)
    }
}

/// Figures of the model as a whole, over the measured iterations of all launches.
/// What the trace does not tell is `None`.
#[derive(Clone, Debug, Default)]
pub struct ModelSummary {
    /// The model as a user's program runs it; `None` without unprofiled iterations.
    pub plain: Option<LatencySummary>,
    /// The same of measured iterations, with a profiler at work; `None` if there are none.
    pub profiled: Option<LatencySummary>,
    /// What operators launched on devices in the same; `None` if the trace has none. Then
    /// `operators` and `concurrent` are of the host.
    pub device: Option<DeviceTime>,
    /// Measured iterations that are left out of the sums and means below, and of those of
    /// operators and types; `None` without any.
    pub stragglers: Option<Stragglers>,
    /// Exclusive time of all operators in typical iterations; in all of the trace if it has no
    /// iterations.
    pub operators: Option<Nanoseconds>,
    /// What `operators` have beyond the time that they cover within their
    /// iterations: operators that ran side by side.
    pub concurrent: Option<Nanoseconds>,
    /// Time of typical iterations in which devices are at work, and no operator of the host.
    pub devices_alone: Option<Nanoseconds>,
    /// Per iteration.
    pub operators_mean: Option<Milliseconds>,
    /// What is left of typical iterations beside operators and devices; `None` where that is not known.
    pub overhead: Option<FrameworkOverhead>,
    /// Mean that operators, devices alone and overhead add up to: of the wall time of typical iterations, without
    /// what profiling costs, if that is known.
    pub whole: Option<Milliseconds>,
    /// 95 % interval of that, in milliseconds; `None` with too few iterations.
    pub whole_interval: Option<Interval>,
    /// What profiling costs; without it, times of operators hold it. `None` where nothing was
    /// profiled by onnxray.
    pub profiling: Option<Result<ProfilingCost, String>>,
    /// What it costs at the most, where another program profiled and nobody measured that.
    pub profiling_bound: Option<ProfilingBound>,
    /// Whether what profiling costs is taken out of the times of operators.
    pub is_calibrated: bool,
    /// The engine in which that was measured after the trace was made, if it was.
    pub calibrated_afterwards: Option<String>,
    /// What recording costs; `None` without unprofiled iterations.
    pub recording_overhead: Option<RecordingOverhead>,
    /// Operations of one iteration.
    pub flops: PartialSum,
    /// Of one iteration / the median latency; `None` if a term of `flops` is missing.
    pub gflops_per_second: Option<f64>,
    /// Rank correlation of FLOPs and the time of operators; `None` if too little is known.
    pub flops_correlation: Option<FlopsCorrelation>,
    /// Bytes read and written in one iteration.
    pub bytes: PartialSum,
}

impl ModelSummary {
    /// The latency: without a profiler, where that was measured.
    pub fn latency(&self) -> Option<LatencySummary> {
        self.plain.or(self.profiled)
    }

    /// How many iterations sums and means of operators are taken over; `None` without measured
    /// ones.
    pub fn typical_iterations(&self) -> Option<u64> {
        let left_out = self.stragglers.map_or(0, |stragglers| stragglers.left_out());
        Some(self.profiled?.times.count - left_out)
    }

    /// What profiling costs, if it is known and taken out of the times of operators.
    pub fn profiling_cost(&self) -> Option<&ProfilingCost> {
        self.profiling.as_ref()?.as_ref().ok()
    }
}

//! Everything that reports show of a recording.

use super::{
    Advice, CostSummary, DeviceTime, FlopsCorrelation, FoldedRow, FrameworkOverhead, Instances,
    Interference, Interval, IterationSummary, LatencySummary, LaunchSummary, Liveness,
    OperatorSummary, PartialSum, Parts, PatternSummary, PhaseSummary, ProfilingBound,
    ProfilingCost, ProviderSummary, Ranks, RecordingOverhead, RoofSummary, Stragglers, TypeSummary,
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
    /// Differences between the ranks of one run; `None` if launches are not ranks.
    pub ranks: Option<Ranks>,
    /// Throughput of launches that ran side by side; `None` if each ran alone.
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
    /// Operators that repeat, in the order of their first members; each is in one at most.
    pub patterns: Vec<PatternSummary>,
    /// In order of execution; `None` where every operator is one kernel.
    pub kernels: Option<Vec<OperatorSummary>>,
    /// By execution provider; empty if the trace does not tell.
    pub providers: Vec<ProviderSummary>,
    /// Figures that the trace states beside times, by operator.
    pub figures: FigureTable,
    /// The largest rates of the machine, and what operators reach of them; `None` if the trace does
    /// not tell.
    pub roofs: Option<RoofSummary>,
    /// What an inference costs; `None` if the trace does not tell.
    pub costs: Option<CostSummary>,
    /// Tensors that operators write, and when they are alive; `None` if the trace names none.
    pub liveness: Option<Liveness>,
    /// By launch: what it saw of the machine; `None` if it does not tell.
    pub conditions: Vec<Option<Conditions>>,
    /// Interference that the launches saw.
    pub interferences: Vec<Interference>,
    /// Caveats of the recording, beyond what its reader warned of.
    pub caveats: Vec<String>,
    /// Warnings of the reader.
    pub warnings: Vec<Warning>,
    /// Parts that intervals of means are over; `None` without intervals.
    pub parts: Option<Parts>,
    /// True if operators were timed apart from the iterations: their times need not add up to the
    /// latency, and the overhead is unknown.
    pub operators_timed_apart: bool,
    /// True if times of operators are means over its typical iterations, and nothing else is known
    /// of them.
    pub is_compact: bool,
    /// Advice for whoever made the recording.
    pub advice: Advice,
}

impl Summary {
    /// True if only unprofiled iterations are known.
    pub fn is_unprofiled(&self) -> bool {
        self.model.profiled.is_none() && self.model.unprofiled.is_some()
    }

    /// True if the time of any operator is known.
    pub fn is_timed(&self) -> bool {
        self.operators.iter().any(OperatorSummary::ran)
    }

    /// The patterns, and the operators that are in none, in the order of their (first) operators.
    pub fn folded_rows(&self) -> Vec<FoldedRow<'_>> {
        let alone = self.operators.iter().filter(|operator| operator.pattern.is_none());
        let patterns = self.patterns.iter().map(FoldedRow::Pattern);
        let mut rows: Vec<FoldedRow> = patterns.chain(alone.map(FoldedRow::Operator)).collect();
        rows.sort_by_key(|row| row.figures().operator.number);
        rows
    }

    /// Kernels that the engine executed: the operators themselves where each is one kernel.
    pub fn kernels(&self) -> &[OperatorSummary] {
        self.kernels.as_deref().unwrap_or(&self.operators)
    }
}

/// Figures of the model as a whole, over the measured iterations of all launches.
/// What the trace does not tell is `None`.
#[derive(Clone, Debug, Default)]
pub struct ModelSummary {
    /// The model as a user's program runs it; `None` without unprofiled iterations.
    pub unprofiled: Option<LatencySummary>,
    /// Latency of measured iterations, with a profiler at work; `None` without any.
    pub profiled: Option<LatencySummary>,
    /// Time on devices in typical iterations; `None` if the trace has none. With devices,
    /// `operators` and `concurrent` are of the host.
    pub device: Option<DeviceTime>,
    /// Measured iterations that are left out of the sums and means below, and of those of
    /// operators and types; `None` without any.
    pub stragglers: Option<Stragglers>,
    /// Exclusive time of all operators in typical iterations; in all of the trace if it has no
    /// iterations.
    pub operators: Option<Nanoseconds>,
    /// `operators` minus the time that they cover: operators that ran side by side.
    pub concurrent: Option<Nanoseconds>,
    /// Time of typical iterations in which devices are at work, and no operator of the host.
    pub devices_alone: Option<Nanoseconds>,
    /// Per iteration.
    pub operators_mean: Option<Milliseconds>,
    /// Time of typical iterations outside operators and devices; `None` if unknown.
    pub overhead: Option<FrameworkOverhead>,
    /// Mean that operators, devices alone and overhead add up to: wall time of typical iterations,
    /// without the profiling cost if that is known.
    pub whole: Option<Milliseconds>,
    /// 95 % interval of that, in milliseconds; `None` with too few iterations.
    pub whole_interval: Option<Interval>,
    /// The profiling cost, or why it is unknown: then times of operators include it. `None` where
    /// onnxray profiled nothing.
    pub profiling: Option<Result<ProfilingCost, String>>,
    /// Upper bound of that cost, where another program profiled and nothing measured it.
    pub profiling_bound: Option<ProfilingBound>,
    /// True if the profiling cost was taken out of the times of operators.
    pub is_calibrated: bool,
    /// The engine in which that was measured after the trace was made, if it was.
    pub calibrated_afterwards: Option<String>,
    /// Profiling overhead; `None` without unprofiled iterations.
    pub recording_overhead: Option<RecordingOverhead>,
    /// Operations of one iteration.
    pub flops: PartialSum,
    /// FLOPs of an iteration / median latency; `None` if a term of `flops` is unknown.
    pub gflops_per_second: Option<f64>,
    /// Rank correlation of FLOPs and the time of operators; `None` if too little is known.
    pub flops_correlation: Option<FlopsCorrelation>,
    /// Bytes read and written in one iteration.
    pub bytes: PartialSum,
}

impl ModelSummary {
    /// The latency: without a profiler, where that was measured.
    pub fn latency(&self) -> Option<LatencySummary> {
        self.unprofiled.or(self.profiled)
    }

    /// What undisturbed times of operators, which add up to `all` milliseconds, are multiplied by to
    /// add up to no more than the latency, or than `most` milliseconds; 1 if they exceed neither, or
    /// where both are unknown.
    pub(crate) fn scale_to_latency(&self, all: f64, most: Option<f64>) -> f64 {
        let latency = self.latency().map(|latency| latency.times.median.0);
        let latency = [latency, most].into_iter().flatten().min_by(f64::total_cmp);
        latency.filter(|_| all > 0.0).map_or(1.0, |latency| (latency / all).min(1.0))
    }

    /// Iterations that sums and means of operators are over; `None` without measured ones.
    pub fn typical_iterations(&self) -> Option<u64> {
        let left_out = self.stragglers.map_or(0, |stragglers| stragglers.left_out());
        Some(self.profiled?.times.count - left_out)
    }

    /// The profiling cost, if it is known.
    pub fn profiling_cost(&self) -> Option<&ProfilingCost> {
        self.profiling.as_ref()?.as_ref().ok()
    }
}

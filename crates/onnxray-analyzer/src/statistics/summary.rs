//! Everything that reports show of a recording.

use super::{
    Advice, Distribution, Disturbance, FlopsForetell, Instances, Interval, IterationSummary,
    LaunchSummary, OperatorSummary, PartInterval, PartialSum, Parts, PhaseSummary, PlainSummary,
    Ranks, RecordingOverhead, TypeSummary,
};
use crate::trace::FigureTable;
use crate::units::{Milliseconds, Share};
use onnxray_format::{Conditions, Nanoseconds, Run};

/// Everything that the reports show of a recording.
#[derive(Clone, Debug)]
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
    /// Of all launches, warm-up and plain ones included.
    pub iterations: Vec<IterationSummary>,
    /// From most to least time.
    pub types: Vec<TypeSummary>,
    /// In order of execution.
    pub operators: Vec<OperatorSummary>,
    /// In order of execution; `None` where every operator is one kernel.
    pub kernels: Option<Vec<OperatorSummary>>,
    /// What the trace states beyond times, by operator.
    pub figures: FigureTable,
    /// By launch: what it saw of the machine; `None` if it does not tell.
    pub conditions: Vec<Option<Conditions>>,
    /// What happened while it was made, as far as it tells.
    pub disturbances: Vec<Disturbance>,
    /// What is doubtful about the recording, beyond what its reader warned of.
    pub doubts: Vec<String>,
    /// What its reader warned of.
    pub warnings: Vec<String>,
    /// What the intervals of means were taken over; `None` if there are none.
    pub parts: Option<Parts>,
    /// Whether operators were timed apart from the iterations: then their times need not
    /// add up to the latency, and nothing is known of what is between them.
    pub operators_timed_apart: bool,
    /// What to do about it, for whoever made it.
    pub advice: Advice,
}

impl Summary {
    /// Whether nothing but plain iterations is known.
    pub fn is_plain(&self) -> bool {
        self.model.latency.is_none() && self.model.plain.is_some()
    }

    /// What the engine executed: the operators themselves where each is one kernel.
    pub fn kernels(&self) -> &[OperatorSummary] {
        self.kernels.as_deref().unwrap_or(&self.operators)
    }
}

/// Figures of the model as a whole, over the measured iterations of all launches.
/// What the trace does not tell is `None`.
#[derive(Clone, Debug)]
pub struct ModelSummary {
    /// Wall time of an iteration.
    pub latency: Option<Distribution>,
    /// 95 % interval of its median, in milliseconds; `None` with too few iterations.
    pub latency_interval: Option<PartInterval>,
    /// The model without instrumentation; `None` without plain iterations.
    pub plain: Option<PlainSummary>,
    /// Batch size times measured iterations by their wall time; `None` if the
    /// batch size is unknown.
    pub items_per_second: Option<f64>,
    /// Measured iterations by their wall time.
    pub iterations_per_second: Option<f64>,
    /// Wall time of the measured iterations.
    pub wall: Option<Nanoseconds>,
    /// Exclusive time of all operators in them; in all of the trace if it has no
    /// iterations.
    pub operators: Option<Nanoseconds>,
    /// What `operators` have beyond the time that they cover within their
    /// iterations: operators that ran side by side.
    pub concurrent: Option<Nanoseconds>,
    /// `wall` minus `operators` plus `concurrent`.
    pub overhead: Option<Nanoseconds>,
    /// Per iteration.
    pub operators_mean: Option<Milliseconds>,
    /// 95 % interval of the mean per iteration, in milliseconds.
    pub overhead_interval: Option<Interval>,
    /// Median over iterations.
    pub overhead_median: Option<Milliseconds>,
    /// Overhead by wall time.
    pub overhead_share: Option<Share>,
    /// What recording costs; `None` without plain iterations.
    pub recording_overhead: Option<RecordingOverhead>,
    /// Operations of one iteration.
    pub flops: PartialSum,
    /// By wall time; `None` if a term of `flops` is missing.
    pub gflops_per_second: Option<f64>,
    /// How well FLOPs foretell the time of operators; `None` if too little is known.
    pub flops_foretell: Option<FlopsForetell>,
    /// Bytes read and written in one iteration.
    pub bytes: PartialSum,
}

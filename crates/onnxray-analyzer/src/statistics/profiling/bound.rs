//! What profiling may cost an event of a trace that another program recorded: no more than the
//! shortest operator takes, which holds it as well.

use crate::statistics::OperatorSummary;
use crate::trace::Trace;

/// The engine whose profiler writes arguments before it reads the clock again.
const ENGINE: &str = "ONNX Runtime";
/// More than a profiler's event was ever seen to cost, in nanoseconds: a trace without short
/// operators says nothing of it.
const MOST: f64 = 20_000.0;

/// The most that profiling can cost inside an event.
#[derive(Clone, Debug, PartialEq)]
pub struct ProfilingBound {
    /// In nanoseconds.
    pub most: f64,
    /// The operator that takes no longer.
    pub operator: String,
    /// Operators of which more than half may be profiling.
    pub doubtful: usize,
}

impl ProfilingBound {
    /// `None` where the engine's profiler costs nothing that is known, and for what onnxray
    /// recorded, which measures it.
    pub(crate) fn of(trace: &Trace, operators: &[OperatorSummary]) -> Option<ProfilingBound> {
        let run = trace.runs.first().filter(|run| run.engine == ENGINE)?;
        if trace.format.is_recording() && run.converted_from.is_none() {
            return None;
        }
        let of_event = |summary: &OperatorSummary| {
            let calls = summary.calls.filter(|&calls| calls > 0)?;
            Some(summary.total?.0 as f64 / calls as f64)
        };
        let times = || operators.iter().filter_map(|o| Some((of_event(o)?, o)));
        let (most, shortest) = times().min_by(|a, b| a.0.total_cmp(&b.0))?;
        let doubtful = times().filter(|(time, _)| most < MOST && *time < 2.0 * most).count();
        let operator = shortest.operator.name.clone();
        Some(ProfilingBound { most: most.min(MOST), operator, doubtful })
    }
}

//! What profiling may cost an event of a trace that another program recorded: no more than the
//! shortest operator takes, which holds it as well.

use crate::statistics::OperatorSummary;
use crate::trace::Trace;
use crate::units::Share;

/// More than a profiler's event was ever seen to cost, in nanoseconds: a trace without short
/// operators says nothing of it.
const MOST: f64 = 20_000.0;

/// The most that profiling can cost inside an event.
#[derive(Clone, Debug, PartialEq)]
pub struct ProfilingBound {
    /// In nanoseconds.
    pub most: f64,
    /// Operators of which more than half may be profiling.
    pub doubtful: usize,
}

impl ProfilingBound {
    /// `None` where the engine's profiler costs nothing that is known, and for what onnxray
    /// recorded, which measures it.
    pub(crate) fn of(trace: &Trace, operators: &[OperatorSummary]) -> Option<ProfilingBound> {
        let run = trace.runs.first().filter(|run| run.is_of_onnx_runtime())?;
        let is_measured = trace.calibrations.iter().any(Option::is_some);
        if is_measured || trace.format.is_recording() && run.converted_from.is_none() {
            return None;
        }
        let times = || operators.iter().filter_map(of_event);
        // No event lasts shorter than what it costs: the shortest operator bounds the cost.
        let most = times().min_by(f64::total_cmp)?;
        // Where all operators are longer than `MOST`, none is mostly profiling.
        let doubtful = times().filter(|&time| most < MOST && time < 2.0 * most).count();
        Some(ProfilingBound { most: most.min(MOST), doubtful })
    }

    /// Tells operators how much of their time profiling may be, if it may be half of any.
    pub(crate) fn mark(&self, operators: &mut [OperatorSummary]) {
        for operator in operators.iter_mut().filter(|_| self.doubtful > 0) {
            let time = of_event(operator).filter(|&time| time > 0.0);
            operator.profiling_most = time.map(|time| Share((self.most / time).min(1.0)));
        }
    }
}

/// Mean time of an execution, in nanoseconds.
fn of_event(summary: &OperatorSummary) -> Option<f64> {
    let calls = summary.calls.filter(|&calls| calls > 0)?;
    Some(summary.total?.0 as f64 / calls as f64)
}

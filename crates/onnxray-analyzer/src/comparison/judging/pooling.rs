//! One profiling cost for both sides, where one profiler recorded both.
//!
//! Each side tells within some limits what an event costs. Taking out of A what A's iterations
//! tell and of B what B's do makes layers differ that are the same, by what the two are off.

use crate::comparison::Recording;
use crate::comparison::units::turns::knows;
use crate::statistics::{ProfilingCost, Summary, Timeline};

/// Both sides with their pooled cost; `None` where a side has none, or where costs may differ.
pub(crate) fn pooled(recordings: [&Recording; 2]) -> Option<[Recording; 2]> {
    let [a, b] = recordings.map(|recording| &recording.summary);
    if !is_of_one_profiler(a, b) {
        return None;
    }
    let own = [a.model.profiling_cost()?, b.model.profiling_cost()?];
    let costs = ProfilingCost::pooled(own);
    let with = |side: usize| {
        let Recording { label, summary, timeline } = recordings[side];
        // Each side's own cost is out of its times already: only what the pooled one differs by is
        // put back, or taken out as well.
        let more = more(summary, own[side], &costs[side]);
        let mut summary = summary.clone();
        summary.model.profiling = Some(Ok(costs[side].clone()));
        Recording {
            label: label.clone(),
            summary,
            timeline: timeline.as_ref().map(|timeline: &Timeline| timeline.with_profiling(&more)),
        }
    };
    Some([with(0), with(1)])
}

/// An event costs the same in both: one library, one machine, interleaved.
pub(crate) fn is_of_one_profiler(a: &Summary, b: &Summary) -> bool {
    let (a, b) = (&a.run, &b.run);
    let is_same = (&a.engine, &a.engine_version, a.threads, &a.cpu)
        == (&b.engine, &b.engine_version, b.threads, &b.cpu);
    is_same && knows(a, b) && knows(b, a)
}

/// By kernel, or by operator where there are no kernels: nanoseconds that were taken out of each
/// execution beyond the pooled cost.
fn more(summary: &Summary, own: &ProfilingCost, pooled: &ProfilingCost) -> Vec<i64> {
    let executed = summary.kernels.as_ref().unwrap_or(&summary.operators).iter();
    let costs = executed.map(|one| own.inside_of(&one.operator) - pooled.inside_of(&one.operator));
    costs.map(|nanoseconds| nanoseconds.round() as i64).collect()
}

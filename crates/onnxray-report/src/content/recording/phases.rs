//! The table of the phases of a generation.

use crate::document::{Cell, End, Table, Unit, columns};
use Unit::{Count, Milliseconds as Ms, Number, Text};
use onnxray_analyzer::statistics::{PhaseSummary, Summary};

columns! {
    pub(super) const PHASES: PhaseSummary;

    /// prefill (the prompt) or decode (one token each)
    "phase" "Phase" Text = |phase| Cell::text(phase.phase.name());
    /// unprofiled ones, or profiled ones if there are none
    "iterations" "Iterations" Count = |phase| Cell::Whole(phase.latency.count);
    /// tokens per iteration and item
    "tokens" "Tokens" Number = |phase| Cell::Number(phase.tokens);
    /// fewest tokens cached before an iteration
    "cached_from" "Cached from" Count = |phase| Cell::Whole(u64::from(phase.cached[0]));
    /// most tokens cached before an iteration
    "cached_to" "Cached to" Count = |phase| Cell::Whole(u64::from(phase.cached[1]));
    /// wall time of an iteration, median
    "latency_median_ms" "Median ms" Ms = |phase| Cell::milliseconds(phase.latency.median);
    /// its 95 % interval
    ends END: End in ["latency_median_low_ms" "Low ms", "latency_median_high_ms" "High ms"] Ms =
        |phase| END.cell(phase.interval.map(|known| known.interval));
    /// 90th percentile
    "latency_p90_ms" "p90 ms" Ms = |phase| Cell::milliseconds(phase.latency.p90);
    /// batch size * tokens / their wall time
    "tokens_per_second" "Tokens/s" Number = |phase| Cell::Number(phase.tokens_per_second);
    /// its 95 % interval
    ends END: End in [
        "tokens_per_second_low" "Tokens/s, low",
        "tokens_per_second_high" "Tokens/s, high",
    ] Number = |phase| END.cell(phase.tokens_interval);
}

/// The table of phases; `None` if iterations are whole inferences.
pub(crate) fn phases(summary: &Summary) -> Option<Table> {
    let is_generation = !summary.phases.is_empty();
    is_generation.then(|| Table::new("phases", "Phases", PHASES, &summary.phases))
}

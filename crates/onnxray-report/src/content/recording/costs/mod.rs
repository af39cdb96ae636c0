//! What an inference costs beside its latency.

pub(crate) mod alive;
pub(crate) mod pace;

use crate::document::{Cell, End, Unit, columns};
use Unit::{Count, Milliseconds as Ms, Number, Quantity, Text};
use onnxray_analyzer::Milliseconds;
use onnxray_analyzer::statistics::{CostFigure, CostSummary, Interval};

columns! {
    /// Figures of the model, of processes that only load it and run it, without the profiler.
    pub(super) const COSTS: CostSummary;

    /// processes that loaded the model and ran it, alone and unprofiled
    "starts" "starts" Count = |costs| Cell::Whole(costs.starts as u64);
    /// those of files that the system had dropped from memory
    COLD "starts of a cold file" Count =
        |costs| match costs.cold_starts { 0 => Cell::None, cold => Cell::Whole(cold as u64) };
    /// CPU time of one inference, of all threads of the process: mean over starts
    "cpu_time_ms" "CPU time (ms)" Ms = |costs| time(costs.cpu_time.as_ref());
    /// a 95 % interval
    ends END: End in ["cpu_time_low_ms" "CPU time, low (ms)", "cpu_time_high_ms" "CPU time, high (ms)"] Ms =
        |costs| END.cell(interval(costs.cpu_time.as_ref()));
    /// CPU time over time, while inferences follow each other
    "busy_cores" "busy cores" Number =
        |costs| Cell::number(costs.busy_cores.as_ref().map(|figure| figure.mean));
    /// resident memory at the most, beyond that before the engine was loaded
    "memory_peak_bytes" "memory at peak (bytes)" Quantity = |costs| bytes(costs.peak.as_ref());
    /// a 95 % interval
    ends END: End in ["memory_peak_low_bytes" "memory at peak, low (bytes)", "memory_peak_high_bytes" "memory at peak, high (bytes)"] Quantity =
        |costs| END.cell(interval(costs.peak.as_ref()));
    /// the peak less the model's file
    "memory_beside_model_bytes" "memory beside the model (bytes)" Quantity =
        |costs| costs.beside_model().map_or(Cell::Unknown, Cell::Number);
    /// resident memory at the end, beyond that before the engine was loaded
    "memory_retained_bytes" "memory retained (bytes)" Quantity = |costs| bytes(costs.retained.as_ref());
    /// bytes per inference by which resident memory grows: median slope
    "memory_growth_bytes" "memory growth per inference (bytes)" Quantity =
        |costs| Cell::number(costs.growth.map(|growth| growth.slope));
    /// a 95 % interval
    ends END: End in ["memory_growth_low_bytes" "memory growth, low (bytes)", "memory_growth_high_bytes" "memory growth, high (bytes)"] Quantity =
        |costs| END.cell(costs.growth.map(|growth| growth.interval));
    /// CPU time / time of a session that ran once and is left alone for a second; where calls at a pace
    /// were asked for
    IDLE "idle session (cores)" Number = |costs| costs.idle_cores.as_ref().map_or(Cell::None, |cores| Cell::Number(cores.mean));
    /// time to find and load the engine's library
    "library_load_ms" "library load (ms)" Ms = |costs| time(costs.library.as_ref());
    /// time to make the model ready, from its file
    "session_ms" "session creation (ms)" Ms = |costs| time(costs.session.as_ref());
    /// a 95 % interval
    ends END: End in ["session_low_ms" "session creation, low (ms)", "session_high_ms" "session creation, high (ms)"] Ms =
        |costs| END.cell(interval(costs.session.as_ref()));
    /// time of the first inference
    "first_inference_ms" "first inference (ms)" Ms = |costs| time(costs.first.as_ref());
    /// from the library's loading to the end of the first inference
    "start_ms" "start (ms)" Ms = |costs| time(costs.start().as_ref());
    /// a 95 % interval
    ends END: End in ["start_low_ms" "start, low (ms)", "start_high_ms" "start, high (ms)"] Ms =
        |costs| END.cell(interval(costs.start().as_ref()));
    /// inferences before the latency is as in the second half, within its noise
    "inferences_until_settled" "inferences until settled" Number =
        |costs| Cell::number(costs.until_settled.as_ref().map(|figure| figure.mean));
    /// why there are fewer starts than planned, or none
    UNKNOWN "starts unknown" Text =
        |costs| costs.unknown.as_ref().map_or(Cell::None, Cell::text);
}

/// Only beside calls at a pace.
pub(super) const IDLE: &str = "idle_session_cores";
/// Only where there are some.
pub(super) const COLD: &str = "cold_starts";
/// Only where something is not known.
pub(super) const UNKNOWN: &str = "starts_unknown";

fn time(figure: Option<&CostFigure>) -> Cell {
    Cell::milliseconds(figure.map(|figure| Milliseconds(figure.mean)))
}

fn interval(figure: Option<&CostFigure>) -> Option<Interval> {
    figure.and_then(|figure| figure.interval)
}

fn bytes(figure: Option<&CostFigure>) -> Cell {
    figure.map_or(Cell::Unknown, |figure| Cell::Number(figure.mean.round()))
}

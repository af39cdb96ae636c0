//! Exclusive times of the events of a trace, and their sum in each iteration.

use super::rows::Rows;
use crate::schema::column;
use crate::statistics::error::StatisticsError;
use crate::trace::{Trace, values};
use onnxray_format::Coinciding;
use polars::prelude::{DataFrame, UInt32Type, UInt64Type};

/// Exclusive times in nanoseconds.
pub(crate) struct ExclusiveTimes {
    /// By event.
    pub times: Vec<u64>,
    /// Events that overlap another of their thread without lying in it.
    pub overlapping: u64,
    /// Events that lie in no other, if only in part.
    pub outermost: usize,
    /// By row of the iterations: the exclusive times of its operators, summed up.
    pub by_iteration: Vec<u64>,
    /// By row of the iterations: the time that its operators cover, however many at
    /// once.
    pub covered: Vec<u64>,
    /// Which of two events that coincide holds the other.
    pub coinciding: Coinciding,
}

/// Exclusive times of all events of a trace.
///
/// # Errors
///
/// If the trace's frames do not have the columns that [`Trace::new`] gives them.
pub(crate) fn exclusive_times(trace: &Trace) -> Result<ExclusiveTimes, StatisticsError> {
    let events = &trace.events;
    let launch = values::<UInt32Type>(events, column::LAUNCH)?;
    let iteration = values::<UInt32Type>(events, column::ITERATION)?;
    let thread = values::<UInt32Type>(events, column::THREAD)?;
    let start = values::<UInt64Type>(events, column::START)?;
    let duration = values::<UInt64Type>(events, column::DURATION)?;
    let exclusive = onnxray_format::exclusive(start, duration, |event| {
        (launch[event], thread[event], iteration[event])
    });
    // What runs on a device covers no time of the host.
    let kernel = values::<UInt32Type>(events, column::KERNEL)?;
    let kernels = trace.kernels.as_ref().map_or(&[][..], |kernels| &kernels.table);
    let on_device =
        |event: usize| kernels.get(kernel[event] as usize).is_some_and(|kernel| kernel.device);
    let mut outermost = exclusive.outermost;
    let outermost_count = outermost.len();
    outermost.retain(|&event| !on_device(event as usize));
    outermost.sort_by_key(|&event| {
        let event = event as usize;
        (launch[event], iteration[event], start[event])
    });
    let spans = outermost.into_iter().map(|event| {
        let event = event as usize;
        let end = start[event].saturating_add(duration[event]);
        ((launch[event], iteration[event]), start[event], end)
    });
    let covered = onnxray_format::covered(spans, windows(&trace.iterations)?);
    let rows = Rows::of(trace)?;
    let mut by_iteration = vec![0; trace.iterations.height()];
    for (event, time) in exclusive.times.iter().enumerate() {
        if let Some(row) = rows.row(launch[event], iteration[event]) {
            by_iteration[row as usize] += if on_device(event) { 0 } else { *time };
        }
    }
    Ok(ExclusiveTimes {
        times: exclusive.times,
        overlapping: exclusive.overlapping,
        outermost: outermost_count,
        by_iteration,
        covered,
        coinciding: exclusive.coinciding,
    })
}

/// Launch and position, start and duration of each iteration.
fn windows(
    iterations: &DataFrame,
) -> Result<impl Iterator<Item = ((u32, u32), u64, u64)>, StatisticsError> {
    let launch = values::<UInt32Type>(iterations, column::LAUNCH)?;
    let number = values::<UInt32Type>(iterations, column::ITERATION)?;
    let start = values::<UInt64Type>(iterations, column::START)?;
    let duration = values::<UInt64Type>(iterations, column::DURATION)?;
    let row = move |row: usize| ((launch[row], number[row]), start[row], duration[row]);
    Ok((0..launch.len()).map(row))
}

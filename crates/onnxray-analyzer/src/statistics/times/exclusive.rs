//! Exclusive times of the events of a trace, and their sum in each iteration.

use crate::trace::{Events, Iterations, Trace};
use onnxray_format::Coinciding;

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
    /// By row of the iterations: the time in which devices are at work, and no operator of it.
    pub devices_alone: Vec<u64>,
    /// Rule for which of two coinciding events contains the other.
    pub coinciding: Coinciding,
}

pub(crate) fn exclusive_times(trace: &Trace) -> ExclusiveTimes {
    let Events { launch, iteration, kernel, thread, start, duration } = &trace.events;
    let exclusive = onnxray_format::exclusive(start, duration, |event| {
        (launch[event], thread[event], iteration[event])
    });
    // What runs on a device covers no time of the host.
    let kernels = trace.kernels.as_ref().map_or(&[][..], |kernels| &kernels.table);
    let on_device =
        |event: usize| kernels.get(kernel[event] as usize).is_some_and(|kernel| kernel.device);
    let outermost = exclusive.outermost;
    let outermost_count = outermost.len();
    let (of_devices, mut outermost): (Vec<u32>, Vec<u32>) =
        outermost.into_iter().partition(|&event| on_device(event as usize));
    // `covered` walks spans and windows side by side: launch, iteration, start.
    outermost.sort_by_key(|&event| {
        let event = event as usize;
        (launch[event], iteration[event], start[event])
    });
    // A damaged trace may state any duration.
    let end = |event: usize| start[event].saturating_add(duration[event]);
    let spans = outermost.into_iter().map(|event| {
        let event = event as usize;
        ((launch[event], iteration[event]), start[event], end(event))
    });
    let mut spans: Vec<Span> = spans.collect();
    let covered = onnxray_format::covered(spans.iter().copied(), windows(&trace.iterations));
    let devices_alone = match of_devices.is_empty() {
        true => vec![0; covered.len()],
        false => {
            let of_devices = of_devices.into_iter().map(|event| event as usize);
            let mut busy: Vec<Busy> = of_devices
                .map(|event| Busy { launch: launch[event], start: start[event], end: end(event) })
                .collect();
            spans.extend(while_busy(&mut busy, windows(&trace.iterations)));
            spans.sort_unstable();
            let with_devices = onnxray_format::covered(spans, windows(&trace.iterations));
            // Not below 0: the host's spans are part of both.
            with_devices.iter().zip(&covered).map(|(both, host)| both - host).collect()
        }
    };
    let mut by_iteration = vec![0; trace.iterations.rows().len()];
    for (event, time) in exclusive.times.iter().enumerate() {
        if let Some(row) = trace.iterations.row(launch[event], iteration[event]) {
            // Devices run beside the host, on a clock of their own.
            by_iteration[row as usize] += if on_device(event) { 0 } else { *time };
        }
    }
    ExclusiveTimes {
        times: exclusive.times,
        overlapping: exclusive.overlapping,
        outermost: outermost_count,
        by_iteration,
        covered,
        devices_alone,
        coinciding: exclusive.coinciding,
    }
}

/// ((launch, position of the iteration), start, end).
type Span = ((u32, u32), u64, u64);

/// Time in which a device works.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Busy {
    launch: u32,
    start: u64,
    end: u64,
}

/// Busy time of devices within each iteration, whichever launched the work: the host may be ahead.
fn while_busy(
    busy: &mut Vec<Busy>,
    windows: impl Iterator<Item = ((u32, u32), u64, u64)>,
) -> Vec<Span> {
    // By launch and start, so that intervals to be joined are neighbours.
    busy.sort_unstable();
    busy.dedup_by(|next, last| {
        let joins = next.launch == last.launch && next.start <= last.end;
        last.end = if joins { last.end.max(next.end) } else { last.end };
        joins
    });
    let mut spans = Vec::new();
    for ((launch, iteration), start, duration) in windows {
        let end = start.saturating_add(duration);
        // Joined intervals are disjoint: their ends are in order, too.
        let first = busy.partition_point(|busy| (busy.launch, busy.end) <= (launch, start));
        let within = |busy: &&Busy| busy.launch == launch && busy.start < end;
        let of_iteration = busy[first..].iter().take_while(within);
        spans.extend(of_iteration.map(|busy| ((launch, iteration), busy.start, busy.end)));
    }
    spans
}

/// ((launch, position), start, duration) of each iteration.
fn windows(iterations: &Iterations) -> impl Iterator<Item = ((u32, u32), u64, u64)> {
    iterations.iter().map(|(place, own)| (place, own.start.0, own.duration.0))
}

//! Operators that are made slower in a recording.

use onnxray_analyzer::comparison::Recording;
use onnxray_format::Nanoseconds;
use onnxray_import::Launch;

/// The kernels of these operators of a recording in one of its launches: recordings have
/// kernels, and operators are named after theirs.
pub(crate) fn kernels(recording: &Recording, operators: &[u32], launch: &Launch) -> Vec<u32> {
    let all = &recording.summary.operators;
    let names: Vec<&str> =
        operators.iter().map(|&at| all[at as usize].operator.name.as_str()).collect();
    let kernels = launch
        .operators
        .iter()
        .filter(|kernel| names.contains(&kernel.name.split('#').next().unwrap_or_default()));
    kernels.map(|kernel| kernel.number).collect()
}

/// The same launch with some operators slower by a share, and everything behind
/// them later.
pub(crate) fn delay(mut launch: Launch, slow: &[u32], share: f64) -> Launch {
    let mut ends: Vec<(u64, u64)> = Vec::new();
    for chunk in &mut launch.events.chunks {
        for event in 0..chunk.len() {
            if slow.contains(&chunk.operator[event]) {
                let more = (chunk.duration[event] as f64 * share).round() as u64;
                ends.push((chunk.start[event] + chunk.duration[event], more));
                chunk.duration[event] += more;
            }
        }
    }
    ends.sort_unstable();
    let delays: Vec<u64> =
        ends.iter().scan(0, |sum, &(_, more)| Some(std::mem::replace(sum, *sum + more))).collect();
    let all: u64 = ends.iter().map(|&(_, more)| more).sum();
    let later = |time: u64| {
        let before = ends.partition_point(|&(end, _)| end <= time);
        time + delays.get(before).copied().unwrap_or(all)
    };
    for chunk in &mut launch.events.chunks {
        chunk.start.iter_mut().for_each(|start| *start = later(*start));
    }
    for iteration in &mut launch.iterations {
        let (start, end) = (later(iteration.start.0), later(iteration.end().0));
        iteration.start = Nanoseconds(start);
        iteration.duration = Nanoseconds(end - start);
    }
    launch
}

//! What ran on devices, and which operator launched it.
//!
//! ```text
//!   host      aten::linear ├──────────────────────────────┤
//!               aten::addmm  ├────────────────────────┤
//!           cudaLaunchKernel   ├───┤ correlation 7
//!   stream                              ├── sgemm, correlation 7 ──┤
//! ```
//!
//! A call of a device's runtime and what it starts there have one `correlation`, which the flows
//! of the trace (`ac2g`) repeat. The innermost operator that is at work on the call's thread
//! when the call begins launched it; without one, the call itself did. Where the trace does not
//! have the call, nobody is known to have.
//!
//! Every maker of devices has categories of its own. What is of a category that is not known
//! ran on a device if a call on another thread has its correlation, or if it lies in a process
//! in which no operator and no call of the host does: a device is a process of the trace. In a
//! process of the host, it is a call if it has a correlation.

use crate::chrome::{DeviceWork, EventTrace, Label, Launched, Rows};
use crate::packed::Packed;
use std::cmp::Reverse;
use std::collections::HashSet;

/// Categories of work of devices: all events of one have the same figures.
pub(super) const OF_DEVICES: [&str; 6] =
    ["kernel", "gpu_memcpy", "gpu_memset", "Kernel", "Memcpy", "Memset"];

/// Where what events of a label stand for runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// An operator of the host.
    Host,
    /// A call of a device's runtime or driver.
    Call,
    Device,
    /// Its category does not tell.
    Unknown,
}

fn place(label: &Label) -> Place {
    match label.category().as_ref() {
        "cpu_op" | "Operator" => Place::Host,
        category if is_call(category) => Place::Call,
        category if OF_DEVICES.contains(&category) => Place::Device,
        _ => Place::Unknown,
    }
}

/// Whether events of a category are calls of a device's runtime or driver.
pub(super) fn is_call(category: &str) -> bool {
    category == "Runtime" || category.ends_with("_runtime") || category.ends_with("_driver")
}

/// An execution on the host.
#[derive(Clone, Copy)]
struct Execution {
    thread: u32,
    start: i64,
    end: i64,
    label: u32,
}

impl Execution {
    fn of(rows: &Rows, row: usize) -> Execution {
        let (thread, start) = (rows.thread[row], rows.start[row]);
        let end = start.saturating_add_unsigned(rows.duration[row]);
        Execution { thread, start, end, label: rows.label[row] }
    }
}

/// What ran on devices, in the order of the trace. `correlations` are those of the rows of each
/// chunk; the host `annotated` something on these threads.
pub(super) fn work_of_devices(
    trace: &EventTrace,
    correlations: &[Packed],
    annotated: &[u32],
) -> Vec<DeviceWork> {
    let places: Vec<Place> = trace.labels.iter().map(place).collect();
    let has = |wanted: Place| places.contains(&wanted);
    if !has(Place::Device) && !has(Place::Unknown) {
        return Vec::new();
    }
    let threads = match has(Place::Unknown) {
        true => Threads::of(trace, &places, annotated),
        false => Threads::default(),
    };
    let launchers = launchers(trace, correlations, &places, &threads);
    let mut work = Vec::new();
    for (chunk, (rows, correlations)) in (0..).zip(trace.chunks.iter().zip(correlations)) {
        for (row, &label) in rows.label.iter().enumerate() {
            let place = places[label as usize];
            if !matches!(place, Place::Device | Place::Unknown) {
                continue;
            }
            let correlation = correlations.get(row);
            let launch = correlation.and_then(|correlation| find(&launchers, correlation));
            let (thread, start) = (rows.thread[row], rows.start[row]);
            let is_elsewhere = |launch: &Launched| launch.thread != thread && launch.start <= start;
            let launch = launch.filter(|launch| place == Place::Device || is_elsewhere(launch));
            if place == Place::Device || launch.is_some() || threads.is_device(thread) {
                // Without a correlation, each was launched by itself.
                let call = correlation.unwrap_or(-1 - work.len() as i64);
                work.push(DeviceWork { chunk, row: row as u32, launch, call: Some(call) });
            }
        }
    }
    work
}

/// Which threads are of the host, and which are streams of devices.
#[derive(Default)]
struct Threads {
    host: Vec<bool>,
    device: Vec<bool>,
}

impl Threads {
    fn of(trace: &EventTrace, places: &[Place], annotated: &[u32]) -> Threads {
        let mut on_host = vec![false; trace.threads.len()];
        let mut on_device = on_host.clone();
        for rows in &trace.chunks {
            for (&label, &thread) in rows.label.iter().zip(&rows.thread) {
                match places[label as usize] {
                    Place::Host | Place::Call => on_host[thread as usize] = true,
                    Place::Device => on_device[thread as usize] = true,
                    Place::Unknown => {}
                }
            }
        }
        annotated.iter().for_each(|&thread| on_host[thread as usize] = true);
        let process = |thread: usize| trace.threads[thread].process.as_str();
        let processes = |of: &[bool]| -> HashSet<&str> {
            (0..of.len()).filter(|&thread| of[thread]).map(process).collect()
        };
        let (hosts, devices) = (processes(&on_host), processes(&on_device));
        let is_device = |process: &str| {
            !hosts.contains(process) && (!hosts.is_empty() || devices.contains(process))
        };
        let all = 0..trace.threads.len();
        Threads {
            host: all.clone().map(|thread| hosts.contains(process(thread))).collect(),
            device: all.map(|thread| is_device(process(thread))).collect(),
        }
    }

    fn is_host(&self, thread: u32) -> bool {
        self.host.get(thread as usize).copied().unwrap_or_default()
    }

    fn is_device(&self, thread: u32) -> bool {
        self.device.get(thread as usize).copied().unwrap_or_default()
    }
}

/// What launched the work of a correlation.
struct Launcher {
    correlation: i64,
    /// Whether the call's category does not tell that it is one.
    in_doubt: bool,
    launch: Launched,
}

/// What launched the work of each correlation, in their order; the first of several did.
fn launchers(
    trace: &EventTrace,
    correlations: &[Packed],
    places: &[Place],
    threads: &Threads,
) -> Vec<Launcher> {
    let mut calls: Vec<(i64, Execution)> = Vec::new();
    let mut operators: Vec<Execution> = Vec::new();
    for (rows, correlations) in trace.chunks.iter().zip(correlations) {
        for (row, &label) in rows.label.iter().enumerate() {
            let is_call = match places[label as usize] {
                Place::Host => {
                    operators.push(Execution::of(rows, row));
                    false
                }
                Place::Call => true,
                Place::Unknown => threads.is_host(rows.thread[row]),
                Place::Device => false,
            };
            if let Some(id) = correlations.get(row).filter(|_| is_call) {
                calls.push((id, Execution::of(rows, row)));
            }
        }
    }
    // Threads write what they do mostly in order.
    calls.sort_by_key(|(_, call)| (call.thread, call.start));
    operators.sort_by_key(|operator| (operator.thread, operator.start, Reverse(operator.end)));
    let mut operators = operators.into_iter().peekable();
    let mut open: Vec<Execution> = Vec::new();
    let launcher = |(correlation, call): (i64, Execution)| {
        let has_begun = |o: &Execution| (o.thread, o.start) <= (call.thread, call.start);
        while let Some(operator) = operators.next_if(has_begun) {
            end(&mut open, operator);
            open.push(operator);
        }
        end(&mut open, call);
        let label = open.last().map_or(call.label, |innermost| innermost.label);
        let in_doubt = places[call.label as usize] == Place::Unknown;
        let launch = Launched { label, thread: call.thread, start: call.start };
        Launcher { correlation, in_doubt, launch }
    };
    let mut launchers: Vec<Launcher> = calls.into_iter().map(launcher).collect();
    launchers.sort_by_key(|one| (one.correlation, one.in_doubt, one.launch.start));
    launchers
}

/// Drops the last of the open operators that are over when the next execution begins.
fn end(open: &mut Vec<Execution>, next: Execution) {
    while open.pop_if(|last| last.thread != next.thread || last.end <= next.start).is_some() {}
}

fn find(launchers: &[Launcher], correlation: i64) -> Option<Launched> {
    let first = launchers.partition_point(|known| known.correlation < correlation);
    let found = launchers.get(first).filter(|known| known.correlation == correlation)?;
    Some(found.launch)
}

//! Which operator launched what a device executed.
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

use crate::chrome::{EventTrace, Label};
use crate::packed::Packed;
use onnxray_format::Operator;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

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
    /// What launches nothing.
    Other,
}

fn place(label: &Label) -> Place {
    let category = label.category();
    match category.as_ref() {
        "cpu_op" | "Operator" => Place::Host,
        category if is_call(category) => Place::Call,
        category if OF_DEVICES.contains(&category) => Place::Device,
        _ => Place::Other,
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

/// Makes an operator of each kernel and operator that launches it, which is its parent, and
/// gives it the executions. `correlations` are those of the rows of each chunk.
pub(super) fn link(
    trace: &mut EventTrace,
    correlations: &[Packed],
    operators: &mut Vec<Operator>,
    of_label: &mut Vec<Option<u32>>,
) {
    let places: Vec<Place> = trace.labels.iter().map(place).collect();
    if !places.contains(&Place::Device) {
        return;
    }
    let launchers = launchers(trace, correlations, &places);
    // A label for each of a device and the one that launched it, behind those of the trace.
    let mut labels: HashMap<(u32, Option<u32>), u32> = HashMap::new();
    let mut launched: Vec<(u32, Option<u32>)> = Vec::new();
    let known = trace.labels.len() as u32;
    for (rows, correlations) in trace.chunks.iter_mut().zip(correlations) {
        for (row, label) in rows.label.iter_mut().enumerate() {
            if places[*label as usize] == Place::Device {
                let launcher = correlations.get(row).and_then(|id| find(&launchers, id));
                *label = *labels.entry((*label, launcher)).or_insert_with_key(|&key| {
                    launched.push(key);
                    known + launched.len() as u32 - 1
                });
            }
        }
    }
    let mut names: HashSet<String> = operators.iter().map(|known| known.name.clone()).collect();
    for (label, launcher) in launched {
        let number = operators.len() as u32;
        let operator = |label: u32| operators.get(of_label[label as usize]? as usize);
        let launcher = launcher.and_then(operator);
        let Some(kernel) = operator(label).cloned() else { continue };
        let name = launcher.map_or(kernel.name.clone(), |launcher| {
            let name = format!("{} ({})", trace.labels[label as usize].name(), launcher.name);
            unused(name, &mut names)
        });
        let parent = launcher.map(|launcher| launcher.number);
        operators.push(Operator { number, name, parent, device: true, ..kernel });
        of_label.push(Some(number));
    }
    for (of_label, place) in of_label.iter_mut().zip(places) {
        *of_label = of_label.filter(|_| place != Place::Device);
    }
    drop_unused(operators, of_label);
}

/// The name, or the first of it with a number behind that is not taken, which it takes.
fn unused(name: String, taken: &mut HashSet<String>) -> String {
    let others = (2..).map(|number| format!("{name} ({number})"));
    let free = std::iter::once(name.clone()).chain(others).find(|name| !taken.contains(name));
    let free = free.unwrap_or(name);
    taken.insert(free.clone());
    free
}

/// Drops the operators of no label, and numbers the others anew.
fn drop_unused(operators: &mut Vec<Operator>, of_label: &mut [Option<u32>]) {
    let mut new = vec![None; operators.len()];
    of_label.iter().flatten().for_each(|&number| new[number as usize] = Some(0));
    for (next, number) in (0..).zip(new.iter_mut().flatten()) {
        *number = next;
    }
    operators.retain(|operator| new[operator.number as usize].is_some());
    for operator in operators {
        operator.number = new[operator.number as usize].unwrap_or_default();
        operator.parent = operator.parent.and_then(|parent| new[parent as usize]);
    }
    for number in of_label.iter_mut().flatten() {
        *number = new[*number as usize].unwrap_or_default();
    }
}

/// Each correlation and the label of what launched it, in order.
fn launchers(trace: &EventTrace, correlations: &[Packed], places: &[Place]) -> Vec<(i64, u32)> {
    let mut calls: Vec<(i64, Execution)> = Vec::new();
    let mut operators: Vec<Execution> = Vec::new();
    for (rows, correlations) in trace.chunks.iter().zip(correlations) {
        for (row, &label) in rows.label.iter().enumerate() {
            let place = places[label as usize];
            if !matches!(place, Place::Host | Place::Call) {
                continue;
            }
            let (thread, start) = (rows.thread[row], rows.start[row]);
            let end = start.saturating_add_unsigned(rows.duration[row]);
            let execution = Execution { thread, start, end, label };
            match place {
                Place::Host => operators.push(execution),
                _ => calls.extend(correlations.get(row).map(|id| (id, execution))),
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
        (correlation, open.last().map_or(call.label, |innermost| innermost.label))
    };
    let mut launchers: Vec<(i64, u32)> = calls.into_iter().map(launcher).collect();
    launchers.sort_by_key(|&(correlation, _)| correlation);
    launchers
}

/// Drops the last of the open operators that are over when the next execution begins.
fn end(open: &mut Vec<Execution>, next: Execution) {
    while open.pop_if(|last| last.thread != next.thread || last.end <= next.start).is_some() {}
}

fn find(launchers: &[(i64, u32)], correlation: i64) -> Option<u32> {
    let position = launchers.binary_search_by_key(&correlation, |&(known, _)| known).ok()?;
    Some(launchers[position].1)
}

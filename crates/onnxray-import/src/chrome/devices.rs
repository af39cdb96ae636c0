//! What devices executed, and what launched it.
//!
//! The host launches work and goes on; a device does it later, on a stream, which is a thread
//! of the trace. So it is an operator of its own for each kernel and each operator that
//! launched it, and lies in the iteration in which it was launched, whenever it ran.

use super::trace::{DeviceWork, EventTrace, OnDevice};
use onnxray_format::{Nanoseconds, Operator, Warning};
use onnxray_text::counted;
use std::collections::{HashMap, HashSet};

/// Makes an operator of each kernel and operator that launched it, which is its parent, and
/// gives it the executions. `work` is in the order of the trace. Labels of which no other
/// executions are left lose their operators.
pub fn attach(
    trace: &mut EventTrace,
    work: Vec<DeviceWork>,
    operators: &mut Vec<Operator>,
    of_label: &mut Vec<Option<u32>>,
) {
    relabel(trace, work);
    add_operators(trace, operators, of_label, |_| true);
}

/// Gives executions on devices labels of their own, behind those of the trace: one for each of a
/// device and the one that launched it. `work` is in the order of the trace.
pub fn relabel(trace: &mut EventTrace, work: Vec<DeviceWork>) {
    let mut labels: HashMap<(u32, Option<u32>), u32> = HashMap::new();
    let mut launched: Vec<(u32, Option<u32>)> = Vec::new();
    let known = trace.labels.len() as u32;
    for one in &work {
        let label = &mut trace.chunks[one.chunk as usize].label[one.row as usize];
        let launcher = one.launch.map(|launch| launch.label);
        *label = *labels.entry((*label, launcher)).or_insert_with_key(|&key| {
            launched.push(key);
            known + launched.len() as u32 - 1
        });
    }
    let mut is_left = vec![false; trace.labels.len()];
    if !work.is_empty() {
        let labels = trace.chunks.iter().flat_map(|rows| &rows.label);
        labels.for_each(|&label| {
            is_left.get_mut(label as usize).into_iter().for_each(|is_left| *is_left = true);
        });
    }
    let on_device =
        |(label, launcher)| OnDevice { label, launcher, is_left: is_left[label as usize] };
    trace.launched = launched.into_iter().map(on_device).collect();
    trace.work = work;
}

/// Adds an operator for each label of work on devices that is used; `of_label` has the operators of
/// the trace's own labels, of which those without other executions are dropped.
pub fn add_operators(
    trace: &EventTrace,
    operators: &mut Vec<Operator>,
    of_label: &mut Vec<Option<u32>>,
    used: impl Fn(usize) -> bool,
) {
    if trace.launched.is_empty() {
        return;
    }
    let mut names: HashSet<String> = operators.iter().map(|known| known.name.clone()).collect();
    for (at, &OnDevice { label, launcher, is_left }) in (trace.labels.len()..).zip(&trace.launched)
    {
        let number = operators.len() as u32;
        let operator = |label: u32| operators.get(of_label[label as usize]? as usize);
        let launcher = launcher.and_then(operator);
        let Some(kernel) = operator(label).filter(|_| used(at)).cloned() else {
            of_label.push(None);
            continue;
        };
        let of_label_itself = trace.labels[label as usize].name();
        let name = kernel.kernel.as_deref().unwrap_or(&of_label_itself);
        let name = match launcher {
            Some(launcher) => unused(format!("{name} ({})", launcher.name), &mut names),
            None if is_left => unused(format!("{name} (device)"), &mut names),
            None => kernel.name.clone(),
        };
        let parent = launcher.map(|launcher| launcher.number);
        operators.push(Operator { number, name, parent, device: true, ..kernel });
        of_label.push(Some(number));
    }
    for one in trace.launched.iter().filter(|one| !one.is_left) {
        of_label[one.label as usize] = None;
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

/// Ends each execution that holds a later one of its stream when that one begins, and says
/// how many there are: a stream executes what was launched on it one after the other, so that
/// such an end cannot be true.
///
/// ```text
///   stated  ├── gemm ──────────────────────────────────┤
///                      ├── gemm ──┤   ├── gemm ──┤
///   taken   ├── gemm ──┤
/// ```
pub fn end_with_the_next(trace: &mut EventTrace) -> Option<Warning> {
    let mut order: Vec<DeviceWork> =
        trace.work.iter().copied().filter(|work| work.call.is_some()).collect();
    let place = |work: &DeviceWork| {
        let rows = &trace.chunks[work.chunk as usize];
        let row = work.row as usize;
        (
            rows.thread[row],
            rows.start[row],
            rows.start[row].saturating_add_unsigned(rows.duration[row]),
        )
    };
    order.sort_by_key(place);
    let mut ends = Vec::new();
    let mut later = order.len();
    // The next that another call launched, from behind: of what one call launched, all have
    // the same.
    for (at, one) in order.iter().enumerate().rev() {
        if order.get(at + 1).is_some_and(|next| next.call != one.call) {
            later = at + 1;
        }
        let Some(next) = order.get(later) else { continue };
        let ((thread, start, end), (of_next, begin, end_of_next)) = (place(one), place(next));
        if thread == of_next && start < begin && end_of_next < end {
            ends.push((*one, begin - start, end - begin));
        }
    }
    let cut: i64 = ends.iter().map(|&(.., cut)| cut).fold(0, i64::saturating_add);
    for &(work, duration, _) in &ends {
        trace.chunks[work.chunk as usize].duration[work.row as usize] = duration as u64;
    }
    (!ends.is_empty()).then(|| {
        let message = format!(
            "{}: {:.3} ms less",
            counted(
                ends.len() as u64,
                "kernel holds later ones of its own stream, and counts up to the next one only",
                "kernels hold later ones of their own streams, and count up to the next one only"
            ),
            Nanoseconds(cut as u64).milliseconds()
        );
        Warning::note(&trace.file, message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chrome::Rows;

    /// Start, duration and call of each execution of one stream, and the durations taken.
    #[track_caller]
    fn check(executions: &[(i64, u64, Option<i64>)], expected: &[u64]) {
        let rows = Rows {
            label: vec![0; executions.len()],
            thread: vec![0; executions.len()],
            start: executions.iter().map(|execution| execution.0).collect(),
            duration: executions.iter().map(|execution| execution.1).collect(),
            figures: Vec::new(),
        };
        let work = (0..).zip(executions);
        let work =
            work.map(|(row, &(_, _, call))| DeviceWork { chunk: 0, row, launch: None, call });
        let mut trace =
            EventTrace { chunks: vec![rows], work: work.collect(), ..EventTrace::default() };
        let warning = end_with_the_next(&mut trace);
        assert_eq!(trace.chunks[0].duration, expected);
        let is_cut = executions.iter().map(|execution| &execution.1).ne(expected);
        assert_eq!(warning.is_some(), is_cut);
    }

    #[test]
    fn what_holds_later_work_of_its_stream_ends_when_that_begins() {
        check(&[(0, 10, Some(1)), (10, 5, Some(2))], &[10, 5]);
        check(&[(20, 5, Some(2)), (0, 1000, Some(1)), (40, 5, Some(3))], &[5, 20, 5]);
        check(&[(0, 1000, Some(1)), (20, 900, Some(2)), (40, 5, Some(3))], &[20, 20, 5]);
        // Kernels of a graph may run beside each other; another one ends them all.
        check(&[(0, 10, Some(1)), (2, 3, Some(1))], &[10, 3]);
        check(&[(0, 100, Some(1)), (2, 3, Some(1)), (50, 5, Some(2))], &[50, 3, 5]);
        // An overlap in part may be true: a kernel may begin while the one before ends.
        check(&[(0, 10, Some(1)), (8, 10, Some(2))], &[10, 10]);
        check(&[(0, 10, Some(1)), (0, 5, Some(2))], &[10, 5]);
        check(&[(0, 10, None), (2, 5, None)], &[10, 5]);
    }
}

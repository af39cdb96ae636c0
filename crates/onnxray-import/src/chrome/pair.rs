//! Makes complete events of those that only begin or end.

use super::event::{Edge, EventFormat, Role, Rows, Single};
use super::time;
use super::trace::EventTrace;
use crate::loss::LossKind;
use crate::packed::{NO_VALUE, Packed};

/// Makes complete events of begins and ends, which nest in each thread.
pub(super) fn pair<F: EventFormat>(mut edges: Vec<Edge>, trace: &mut EventTrace) {
    edges.sort_by_key(|edge| (edge.thread, edge.time));
    let roles: Vec<Role> = trace.labels.iter().map(F::role).collect();
    let mut rows = Rows::default();
    let mut open: Vec<Single> = Vec::new();
    let (mut unpaired, mut too_long) = (0, 0);
    for Edge { begins, thread, time } in edges {
        if open.last().is_some_and(|last| last.thread != thread) {
            unpaired += open.len();
            open.clear();
        }
        if let Some(label) = begins {
            open.push(Single { label, thread, start: time, duration: 0 });
            continue;
        }
        let Some(begin) = open.pop() else {
            unpaired += 1;
            continue;
        };
        let Ok(duration) = time::length(time.saturating_sub(begin.start)) else {
            too_long += 1;
            continue;
        };
        match roles[begin.label as usize] {
            Role::Operator => {
                rows.label.push(begin.label);
                rows.thread.push(thread);
                rows.start.push(begin.start);
                rows.duration.push(duration);
            }
            Role::Mark => trace.marks.push(Single { duration, ..begin }),
            Role::Ignored(kind) => *trace.ignored.entry(kind).or_default() += 1,
            // Counted where it was read.
            Role::Unknown => {}
        }
    }
    trace.losses.add_times(LossKind::Unpaired, (unpaired + open.len()) as u64, None, "");
    trace.losses.add_times(LossKind::NoTime, too_long, None, "a duration of more than a year");
    if !rows.label.is_empty() {
        let none = vec![NO_VALUE; rows.label.len()];
        rows.figures = vec![Packed::new(&none); F::FIGURES.len()];
        trace.chunks.push(rows);
    }
}

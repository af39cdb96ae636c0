//! Makes complete events of those that only begin or end.
//!
//! An end is that of the begin of its name, the last one of its thread that is still open; one
//! without a name is that of the last begin. So spans that do not nest, and begins that were
//! never ended, cost no other span its end:
//!
//! ```text
//!   B load   B run   E load   E run       B A   B B   B lost   E B   E A
//!   load ├────────────┤                   A  ├───────────────────────┤
//!   run         ├───────────────┤         B        ├────────────┤
//! ```

use super::event::{Edge, EventFormat, Role, Rows, Single};
use super::time;
use super::trace::EventTrace;
use crate::damage::DamageKind;
use crate::packed::{NO_VALUE, Packed};
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// Number of what has no name.
const NAMELESS: u32 = 0;

pub(super) fn pair<F: EventFormat>(mut edges: Vec<Edge>, trace: &mut EventTrace) {
    edges.sort_by_key(|edge| (edge.thread, edge.time));
    let roles: Vec<Role> = trace.labels.iter().map(F::role).collect();
    let names = names(trace);
    let name = |label: Option<u32>| label.map_or(NAMELESS, |label| names[label as usize]);
    let mut rows = Rows::default();
    let (mut unpaired, mut nameless, mut too_long) = (0, 0, 0);
    for edges in edges.chunk_by(|a, b| a.thread == b.thread) {
        let mut open = Open::default();
        for &Edge { begins, label, thread, time } in edges {
            if begins {
                let label = label.unwrap_or_default();
                open.begin(
                    names[label as usize],
                    Single { label, thread, start: time, duration: 0 },
                );
                continue;
            }
            let Some((of_begin, begin)) = open.end(name(label)) else {
                unpaired += 1;
                continue;
            };
            let Ok(duration) = time::length(time.saturating_sub(begin.start)) else {
                too_long += 1;
                continue;
            };
            // Either of them has the name.
            let label = label.filter(|_| of_begin == NAMELESS).unwrap_or(begin.label);
            nameless += u64::from(!trace.labels[label as usize].has_name());
            match roles[label as usize] {
                Role::Operator => {
                    rows.label.push(label);
                    rows.thread.push(thread);
                    rows.start.push(begin.start);
                    rows.duration.push(duration);
                }
                Role::Mark => trace.marks.push(Single { label, duration, ..begin }),
                Role::Ignored(kind) => *trace.ignored.entry(kind).or_default() += 1,
                // Counted where it was read.
                Role::Unknown => {}
            }
        }
        unpaired += open.count as u64;
    }
    trace.damage.add_times(DamageKind::Unpaired, unpaired, None, "");
    trace.damage.add_times(DamageKind::Nameless, nameless, None, "neither begin nor end has one");
    trace.damage.add_times(DamageKind::NoTime, too_long, None, "a duration of more than a year");
    if !rows.label.is_empty() {
        let none = vec![NO_VALUE; rows.label.len()];
        rows.figures = vec![Packed::new(&none); F::FIGURES.len()];
        trace.chunks.push(rows);
    }
}

/// A number for the name of each label.
fn names(trace: &EventTrace) -> Vec<u32> {
    let mut numbers = HashMap::from([(String::new(), NAMELESS)]);
    let number = |name: String| {
        let next = numbers.len() as u32;
        *numbers.entry(name).or_insert(next)
    };
    trace.labels.iter().map(|label| label.name().into_owned()).map(number).collect()
}

/// The events of a thread that have begun and not ended.
#[derive(Default)]
struct Open {
    /// By position; what has ended in the midst of others leaves a gap.
    events: Vec<Option<(u32, Single)>>,
    /// Positions by name, in order.
    of_name: HashMap<u32, Vec<usize>, RandomState>,
    count: usize,
}

impl Open {
    fn begin(&mut self, name: u32, event: Single) {
        self.of_name.entry(name).or_default().push(self.events.len());
        self.events.push(Some((name, event)));
        self.count += 1;
    }

    /// The name and the begin of what ends.
    fn end(&mut self, name: u32) -> Option<(u32, Single)> {
        let last = self.events.last().copied().flatten();
        let of_name = match (name, last) {
            (NAMELESS, Some((of_last, _))) => of_last,
            (_, Some((NAMELESS, _))) => NAMELESS,
            _ => name,
        };
        let position = self.of_name.get_mut(&of_name)?.pop()?;
        let ended = self.events.get_mut(position)?.take();
        // The last one stays one that is open.
        while self.events.pop_if(|event| event.is_none()).is_some() {}
        self.count -= 1;
        ended
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names of begins (`a`) and ends (`/a`) in order, and of what was open at each end.
    #[track_caller]
    fn check(edges: &[&str], expected: &[Option<usize>], left: usize) {
        let mut open = Open::default();
        let mut ended = Vec::new();
        let number = |name: &str| name.bytes().next().map_or(NAMELESS, u32::from);
        for (position, edge) in edges.iter().enumerate() {
            match edge.strip_prefix('/') {
                Some(name) => {
                    let found = open.end(number(name));
                    ended.push(found.map(|(_, begin)| begin.start as usize));
                }
                None => open.begin(
                    number(edge),
                    Single { label: 0, thread: 0, start: position as i64, duration: 0 },
                ),
            }
        }
        assert_eq!((ended.as_slice(), open.count), (expected, left), "{edges:?}");
    }

    #[test]
    fn an_end_is_that_of_the_last_begin_of_its_name() {
        check(&["a", "b", "/b", "/a"], &[Some(1), Some(0)], 0);
        check(&["a", "b", "/a", "/b"], &[Some(0), Some(1)], 0);
        check(&["a", "b", "l", "/b", "/a"], &[Some(1), Some(0)], 1);
        check(&["a", "a", "/a", "/a", "/a"], &[Some(1), Some(0), None], 0);
        check(&["a", "b", "/", "/"], &[Some(1), Some(0)], 0);
        check(&["a", "b", "l", "/b", "/", "/"], &[Some(1), Some(2), Some(0)], 0);
        check(&["a", "/b", "/a"], &[None, Some(0)], 0);
        check(&["", "/a", "a", "", "/b", "/a"], &[Some(0), Some(3), Some(2)], 0);
    }
}

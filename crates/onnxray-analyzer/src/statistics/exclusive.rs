//! Exclusive times: what an operator spends itself, without those inside it.
//!
//! ```text
//!   Scan      |================================|   inclusive 32
//!   MatMul      |=======|      |=======|           2 x 9
//!   exclusive |=|       |======|       |=======|   32 - 18 = 14
//! ```
//!
//! Events of a thread are walked in order of their starts, longer ones first; a
//! stack holds those that are still open. Each event takes its duration from the
//! one it lies in.
//!
//! Where operators run side by side, on several threads or streams, their
//! exclusive times add up to more than the time that they cover:
//!
//! ```text
//!   thread 1  |=======|    |====|        7 + 4 = 11
//!   thread 2     |=======|               7
//!   covered   |==========| |====|        14, of 18
//! ```

use crate::error::AnalyzeError;
use crate::schema::column;
use polars::prelude::*;
use std::cmp::Reverse;

/// What events spend themselves, and what they cover together.
pub struct Exclusive {
    /// The events with a column of exclusive times.
    pub events: DataFrame,
    /// Events that overlap another of their thread without lying in it.
    pub overlapping: u64,
    /// For each row of the iterations: the time that its operators cover.
    pub covered: Vec<u64>,
}

/// Adds [`column::EXCLUSIVE`] to a frame of events.
pub fn exclusive(events: &DataFrame, iterations: &DataFrame) -> Result<Exclusive, AnalyzeError> {
    let launch = values_u32(events, column::LAUNCH)?;
    let iteration = values_u32(events, column::ITERATION)?;
    let thread = values_u32(events, column::THREAD)?;
    let start = values_u64(events, column::START)?;
    let duration = values_u64(events, column::DURATION)?;
    let ends = |event: usize| start[event].saturating_add(duration[event]);

    let mut order: Vec<u32> = (0..start.len() as u32).collect();
    let place = |event: usize| {
        (launch[event], thread[event], iteration[event], start[event], Reverse(duration[event]))
    };
    // Of two that coincide, the outer one is the later one where events stand in
    // order of their ends, as in our recordings, and the earlier one where they
    // stand in order of their starts. Those that do not coincide tell which.
    order.sort_by_key(|&event| (place(event as usize), Reverse(event)));
    let nested = order.windows(2).map(|pair| [pair[0] as usize, pair[1] as usize]);
    let nested = nested.filter(|&[outer, inner]| {
        let (a, b) = (place(outer), place(inner));
        (a.0, a.1, a.2) == (b.0, b.1, b.2) && a != b && ends(inner) <= ends(outer)
    });
    let (mut by_start, mut by_end) = (0u64, 0u64);
    nested.for_each(|[outer, inner]| *if outer < inner { &mut by_start } else { &mut by_end } += 1);
    if by_start > by_end {
        order.sort_by_key(|&event| (place(event as usize), event));
    }

    let mut own = duration.clone();
    let mut overlapping = 0;
    let mut open: Vec<usize> = Vec::new();
    let mut current = None;
    // Those that reach beyond all that were open: together they cover what all
    // events cover.
    let mut outermost: Vec<u32> = Vec::new();
    for event in order.into_iter().map(|event| event as usize) {
        let here = Some((launch[event], thread[event], iteration[event]));
        if current != here {
            current = here;
            open.clear();
        }
        while open.last().is_some_and(|&outer| ends(outer) <= start[event]) {
            open.pop();
        }
        if let Some(&outer) = open.last() {
            // An event that outlasts the one around it lies in it in part only.
            let inside = ends(event).min(ends(outer)) - start[event];
            let beyond = inside < duration[event];
            overlapping += u64::from(beyond);
            own[outer] = own[outer].saturating_sub(inside);
            if beyond {
                outermost.push(event as u32);
            }
        } else {
            outermost.push(event as u32);
        }
        if duration[event] > 0 {
            open.push(event);
        }
    }
    outermost.sort_by_key(|&event| {
        let at = event as usize;
        (launch[at], iteration[at], start[at])
    });
    let spans = outermost.into_iter().map(|event| {
        let at = event as usize;
        ((launch[at], iteration[at]), start[at], ends(at))
    });
    let covered = covered(spans, iterations)?;
    let mut events = events.clone();
    events.with_column(Column::new(column::EXCLUSIVE.into(), own))?;
    Ok(Exclusive { events, overlapping, covered })
}

/// The time within each iteration that spans cover, however many at once. The
/// spans are in order of launch, iteration and start, and so are iterations.
fn covered(
    spans: impl Iterator<Item = ((u32, u32), u64, u64)>,
    iterations: &DataFrame,
) -> Result<Vec<u64>, AnalyzeError> {
    let launch = values_u32(iterations, column::LAUNCH)?;
    let number = values_u32(iterations, column::ITERATION)?;
    let start = values_u64(iterations, column::START)?;
    let duration = values_u64(iterations, column::DURATION)?;
    let mut covered = vec![0; start.len()];
    let mut row = 0;
    // Up to where the current iteration is covered.
    let mut until = start.first().copied().unwrap_or_default();
    for (key, from, to) in spans {
        while row < start.len() && (launch[row], number[row]) < key {
            row += 1;
            until = start.get(row).copied().unwrap_or_default();
        }
        if row == start.len() || (launch[row], number[row]) != key {
            continue;
        }
        let end = start[row].saturating_add(duration[row]);
        let (from, to) = (from.max(until), to.min(end));
        if to > from {
            covered[row] += to - from;
            until = to;
        }
    }
    Ok(covered)
}

/// A column of whole numbers without nulls.
pub fn values_u32(frame: &DataFrame, name: &str) -> Result<Vec<u32>, AnalyzeError> {
    Ok(frame.column(name)?.u32()?.into_no_null_iter().collect())
}

/// A column of times without nulls.
pub fn values_u64(frame: &DataFrame, name: &str) -> Result<Vec<u64>, AnalyzeError> {
    Ok(frame.column(name)?.u64()?.into_no_null_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Thread, iteration, start and duration of each event; start and duration
    /// of each iteration.
    fn run(events: &[(u32, u32, u64, u64)], iterations: &[(u64, u64)]) -> (Vec<u64>, Exclusive) {
        let frame = df![
            column::LAUNCH => vec![0u32; events.len()],
            column::THREAD => events.iter().map(|event| event.0).collect::<Vec<_>>(),
            column::ITERATION => events.iter().map(|event| event.1).collect::<Vec<_>>(),
            column::START => events.iter().map(|event| event.2).collect::<Vec<_>>(),
            column::DURATION => events.iter().map(|event| event.3).collect::<Vec<_>>(),
        ]
        .unwrap();
        let iterations = df![
            column::LAUNCH => vec![0u32; iterations.len()],
            column::ITERATION => (0..iterations.len() as u32).collect::<Vec<_>>(),
            column::START => iterations.iter().map(|i| i.0).collect::<Vec<_>>(),
            column::DURATION => iterations.iter().map(|i| i.1).collect::<Vec<_>>(),
        ]
        .unwrap();
        let result = exclusive(&frame, &iterations).unwrap();
        (values_u64(&result.events, column::EXCLUSIVE).unwrap(), result)
    }

    /// Iteration, start and duration of each event, all of one thread.
    fn check(events: &[(u32, u64, u64)], expected: &[u64], overlapping: u64) {
        let events: Vec<_> = events.iter().map(|&(i, start, time)| (0, i, start, time)).collect();
        let (own, result) = run(&events, &[(0, 100)]);
        assert_eq!(own, expected);
        assert_eq!(result.overlapping, overlapping);
    }

    #[test]
    fn children_are_taken_from_their_parent_only() {
        // In order of their ends, as recordings hold them.
        check(&[(0, 2, 9), (0, 16, 9), (0, 0, 32), (0, 40, 5)], &[9, 9, 14, 5], 0);
        // Three levels: the innermost is taken from the middle one.
        check(&[(0, 0, 10), (0, 1, 8), (0, 2, 3)], &[2, 5, 3], 0);
        // A child that takes all of its parent's time.
        check(&[(0, 5, 7), (0, 5, 7)], &[7, 0], 0);
        // The same in order of starts, which another pair shows.
        check(&[(0, 5, 7), (0, 5, 7), (0, 20, 9), (0, 21, 2)], &[0, 7, 7, 2], 0);
    }

    #[test]
    fn iterations_do_not_mix_and_neighbours_are_not_nested() {
        check(&[(0, 0, 10), (1, 5, 3)], &[10, 3], 0);
        check(&[(0, 0, 10), (0, 10, 5), (0, 10, 0)], &[10, 5, 0], 0);
    }

    #[test]
    fn an_overlap_is_counted_and_nothing_is_counted_twice() {
        // 0..10 and 6..14 cover 14 ticks together.
        check(&[(0, 0, 10), (0, 6, 8)], &[6, 8], 1);
        assert_eq!(run(&[(0, 0, 0, 10), (0, 0, 6, 8)], &[(0, 20)]).1.covered, [14]);
    }

    #[test]
    fn threads_do_not_mix_and_cover_what_they_cover_once() {
        let events = [(0, 0, 0, 10), (1, 0, 4, 10), (0, 0, 16, 4), (1, 1, 30, 5)];
        let (own, result) = run(&events, &[(0, 18), (25, 10), (40, 5)]);
        assert_eq!(own, [10, 10, 4, 5], "nothing lies in another thread's event");
        // 0..14 and 16..18, because the iteration ends there.
        assert_eq!(result.covered, [16, 5, 0]);
    }

    #[test]
    fn cover_equals_counting_tick_by_tick() {
        let mut state = 7u64;
        let mut random = |most: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % most
        };
        for _ in 0..200 {
            let iterations = [(10, 40), (60, 40)];
            let events: Vec<(u32, u32, u64, u64)> = (0..random(20))
                .map(|_| {
                    let iteration = random(2) as u32;
                    let start = iterations[iteration as usize].0 + random(40);
                    (random(3) as u32, iteration, start, random(20))
                })
                .collect();
            let (_, result) = run(&events, &iterations);
            for (row, &(start, duration)) in iterations.iter().enumerate() {
                let ticks = (start..start + duration).filter(|&tick| {
                    events.iter().any(|&(_, i, from, time)| {
                        i as usize == row && from <= tick && tick < from + time
                    })
                });
                assert_eq!(result.covered[row], ticks.count() as u64, "{events:?}");
            }
        }
    }
}

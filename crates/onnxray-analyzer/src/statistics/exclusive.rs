//! Exclusive times: what an operator spends itself, without those inside it.
//!
//! ```text
//!   Scan      |================================|   inclusive 32
//!   MatMul      |=======|      |=======|           2 x 9
//!   exclusive |=|       |======|       |=======|   32 - 18 = 14
//! ```
//!
//! Events of an iteration are walked in order of their starts, longer ones
//! first; a stack holds those that are still open. Each event takes its duration
//! from the one it lies in.

use crate::error::AnalyzeError;
use crate::schema::column;
use polars::prelude::*;
use std::cmp::Reverse;

/// The events with a column of exclusive times, and how many events overlap
/// another without lying in it.
pub struct Exclusive {
    pub events: DataFrame,
    pub overlapping: u64,
}

/// Adds [`column::EXCLUSIVE`] to a frame of events.
pub fn exclusive(events: &DataFrame) -> Result<Exclusive, AnalyzeError> {
    let launch = values_u32(events, column::LAUNCH)?;
    let iteration = values_u32(events, column::ITERATION)?;
    let start = values_u64(events, column::START)?;
    let duration = values_u64(events, column::DURATION)?;

    let mut order: Vec<u32> = (0..start.len() as u32).collect();
    // Of two that coincide, the one that was written later is the outer one:
    // recordings hold events in order of their ends.
    order.sort_by_key(|&event| {
        let at = event as usize;
        (launch[at], iteration[at], start[at], Reverse(duration[at]), Reverse(event))
    });

    let mut own = duration.clone();
    let mut overlapping = 0;
    let mut open: Vec<usize> = Vec::new();
    let mut current = None;
    for event in order.into_iter().map(|event| event as usize) {
        let here = Some((launch[event], iteration[event]));
        if current != here {
            current = here;
            open.clear();
        }
        let ends = |event: usize| start[event].saturating_add(duration[event]);
        while open.last().is_some_and(|&outer| ends(outer) <= start[event]) {
            open.pop();
        }
        if let Some(&outer) = open.last() {
            // An event that outlasts the one around it lies in it in part only.
            let inside = ends(event).min(ends(outer)) - start[event];
            overlapping += u64::from(inside < duration[event]);
            own[outer] = own[outer].saturating_sub(inside);
        }
        if duration[event] > 0 {
            open.push(event);
        }
    }
    let mut events = events.clone();
    events.with_column(Column::new(column::EXCLUSIVE.into(), own))?;
    Ok(Exclusive { events, overlapping })
}

fn values_u32(frame: &DataFrame, name: &str) -> Result<Vec<u32>, AnalyzeError> {
    Ok(frame.column(name)?.u32()?.into_no_null_iter().collect())
}

fn values_u64(frame: &DataFrame, name: &str) -> Result<Vec<u64>, AnalyzeError> {
    Ok(frame.column(name)?.u64()?.into_no_null_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Iteration, start and duration of each event.
    fn check(events: &[(u32, u64, u64)], expected: &[u64], overlapping: u64) {
        let frame = df![
            column::LAUNCH => vec![0u32; events.len()],
            column::ITERATION => events.iter().map(|event| event.0).collect::<Vec<_>>(),
            column::START => events.iter().map(|event| event.1).collect::<Vec<_>>(),
            column::DURATION => events.iter().map(|event| event.2).collect::<Vec<_>>(),
        ]
        .unwrap();
        let result = exclusive(&frame).unwrap();
        assert_eq!(values_u64(&result.events, column::EXCLUSIVE).unwrap(), expected);
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
    }
}

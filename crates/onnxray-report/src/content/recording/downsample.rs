//! Downsamples very many iterations: extremes stay, so that what is drawn looks
//! as all of them would.

use onnxray_analyzer::statistics::IterationSummary;
use onnxray_format::IterationKind;
use std::collections::HashMap;

/// Iterations picked to represent all.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Downsampled {
    /// Their positions, in order.
    pub rows: Vec<usize>,
    /// Neighbours of which each three were taken.
    pub of_each: usize,
}

/// Iterations that represent a run of neighbours: lowest, median, highest.
const OF_A_RUN: usize = 3;

/// At most this many iterations, of each launch and kind three at least if it has them; `None`
/// if there are no more than that.
pub(super) fn downsampled(iterations: &[IterationSummary], most: usize) -> Option<Downsampled> {
    if iterations.len() <= most {
        return None;
    }
    let mut places: HashMap<(u32, IterationKind), usize> = HashMap::new();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (row, iteration) in iterations.iter().enumerate() {
        let place = *places.entry((iteration.position, iteration.kind)).or_insert(groups.len());
        if place == groups.len() {
            groups.push(Vec::new());
        }
        groups[place].push(row);
    }
    // The last run of a group may be a short one.
    let room = most.saturating_sub(OF_A_RUN * groups.len());
    let of_each = match room {
        // No room for more than one run of each group.
        0 => iterations.len(),
        // Rounded up: longer runs are fewer.
        room => (OF_A_RUN * iterations.len()).div_ceil(room),
    };
    let runs = groups.iter().flat_map(|group| group.chunks(of_each));
    let mut rows: Vec<usize> = runs.flat_map(|run| of_a_run(iterations, run)).collect();
    // In the order in which lines are drawn.
    rows.sort_unstable();
    Some(Downsampled { rows, of_each })
}

/// Those of a run with the lowest, the median and the highest latency; of an even number, the
/// lower one of the two in the middle.
fn of_a_run(iterations: &[IterationSummary], run: &[usize]) -> Vec<usize> {
    let mut by_latency = run.to_vec();
    if run.len() > OF_A_RUN {
        by_latency.sort_by_key(|&row| iterations[row].latency);
        let last = by_latency.len() - 1;
        by_latency = vec![by_latency[0], by_latency[last / 2], by_latency[last]];
    }
    by_latency
}

#[cfg(test)]
mod tests {
    use super::*;
    use onnxray_format::{Iteration, Nanoseconds};
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn iterations(launches: &[(u32, IterationKind, u64)]) -> Vec<IterationSummary> {
        let iteration = |&(position, kind, latency): &(u32, IterationKind, u64)| {
            IterationSummary::of_time(
                position,
                position,
                Iteration {
                    index: 0,
                    kind,
                    start: Nanoseconds(0),
                    duration: Nanoseconds(latency),
                    step: None,
                },
            )
        };
        launches.iter().map(iteration).collect()
    }

    #[test]
    fn lowest_median_and_highest_of_neighbours_stay() {
        use IterationKind::{Measured, Unprofiled};
        // Measured and unprofiled ones take turns, and do not count as neighbours.
        let latencies = [5, 1, 9, 7, 3, 2, 8, 4];
        let turns: Vec<_> = latencies
            .iter()
            .flat_map(|&latency| [(0, Measured, latency), (0, Unprofiled, 100 + latency)])
            .collect();
        let all = iterations(&turns);
        assert_eq!(downsampled(&all, 16), None);
        let Downsampled { rows, of_each } = downsampled(&all, 15).unwrap();
        // Room for 15 - 2 * 3 = 9 rows: 3 of each 6.
        assert_eq!(of_each, 6);
        let kept = |kind| -> Vec<u64> {
            let rows = rows.iter().map(|&row| &all[row]).filter(|kept| kept.kind == kind);
            rows.map(|kept| kept.latency.0).collect()
        };
        assert_eq!(kept(Measured), [1, 9, 3, 8, 4]);
        assert_eq!(kept(Unprofiled), [101, 109, 103, 108, 104]);
    }

    proptest! {
        #[test]
        fn no_more_than_allowed_and_every_extreme(
            latencies in vec((0u32..3, 0u64..50), 13..200),
            most in 12usize..100,
        ) {
            let mut launches: Vec<_> = latencies
                .iter()
                .map(|&(launch, latency)| (launch, IterationKind::Measured, latency))
                .collect();
            launches.sort_by_key(|&(launch, ..)| launch);
            let all = iterations(&launches);
            let Some(Downsampled { rows, .. }) = downsampled(&all, most) else {
                prop_assert!(all.len() <= most);
                return Ok(());
            };
            prop_assert!(rows.len() <= most && rows.is_sorted());
            for launch in 0..3 {
                let of = |rows: &mut dyn Iterator<Item = usize>| {
                    let own = rows.filter(|&row| all[row].position == launch);
                    let latencies = own.map(|row| all[row].latency.0).collect::<Vec<_>>();
                    (latencies.iter().min().copied(), latencies.iter().max().copied())
                };
                prop_assert_eq!(of(&mut rows.iter().copied()), of(&mut (0..all.len())));
            }
        }
    }
}

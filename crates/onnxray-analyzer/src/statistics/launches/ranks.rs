//! Launches that are the processes of one distributed run.

use crate::statistics::LaunchSummary;
use crate::units::{Milliseconds, Share};
use std::collections::HashSet;

/// Differences between the ranks of one run. They work on the same iterations and wait for each
/// other: they are not independent launches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranks {
    /// Number of ranks that were read.
    pub count: usize,
    /// The one with the largest median latency.
    pub slowest: u32,
    /// Median latency of the slowest.
    pub slowest_median: Milliseconds,
    /// The largest median / the smallest, minus one.
    pub spread: Option<Share>,
}

impl Ranks {
    /// `None` unless all launches, two or more, are different ranks, and their latencies
    /// are known.
    pub(in crate::statistics) fn of(launches: &[LaunchSummary]) -> Option<Ranks> {
        if !are_ranks(launches) {
            return None;
        }
        let medians: Option<Vec<(f64, u32)>> =
            launches.iter().map(|launch| Some((launch.latency?.median.0, launch.rank?))).collect();
        let medians = medians?;
        // Of equal medians the first rank is the slowest, and so the larger in this order.
        let (slowest_median, slowest) =
            medians.iter().copied().max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))?;
        let fastest = medians.iter().map(|(median, _)| *median).fold(f64::INFINITY, f64::min);
        Some(Ranks {
            count: launches.len(),
            slowest,
            slowest_median: Milliseconds(slowest_median),
            spread: (fastest > 0.0).then(|| Share(slowest_median / fastest - 1.0)),
        })
    }
}

/// True if launches, two or more, are different ranks of one run.
pub(crate) fn are_ranks(launches: &[LaunchSummary]) -> bool {
    let ranks: HashSet<u32> = launches.iter().filter_map(|launch| launch.rank).collect();
    launches.len() > 1 && ranks.len() == launches.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Distribution;

    fn launch(rank: Option<u32>, nanoseconds: u64) -> LaunchSummary {
        LaunchSummary {
            launch: 0,
            rank,
            instance: None,
            iterations: 1,
            warmup_flagged: 0,
            warmup_found: None,
            latency: Distribution::of(&mut [nanoseconds]),
            clock_origin: None,
            unprofiled: None,
        }
    }

    #[test]
    fn the_slowest_rank_and_the_spread_are_those_of_medians() {
        let launches = [(0, 2_000_000), (1, 2_500_000), (2, 2_500_000)];
        let launches = launches.map(|(rank, time)| launch(Some(rank), time));
        let ranks = Ranks::of(&launches).unwrap();
        assert_eq!((ranks.count, ranks.slowest), (3, 1));
        assert_eq!((ranks.slowest_median, ranks.spread), (Milliseconds(2.5), Some(Share(0.25))));
        assert_eq!(Ranks::of(&launches[..1]), None, "one rank alone");
        assert_eq!(Ranks::of(&[launch(Some(0), 1), launch(Some(0), 1)]), None, "one rank twice");
        assert_eq!(Ranks::of(&[launch(Some(0), 1), launch(None, 1)]), None, "not all are ranks");
    }
}

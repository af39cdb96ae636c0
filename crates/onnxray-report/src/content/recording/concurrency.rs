//! Figures of launches that ran side by side: of ranks, and of instances.

use crate::content::shares::{interval_text, percent};
use crate::document::{Cell, Unit, columns};
use Unit::{Count, Milliseconds as Ms, Number, Text};
use onnxray_analyzer::statistics::{Instances, Ranks};

columns! {
    /// Of launches that are the ranks of one run.
    pub(super) const RANKS: Ranks;

    /// processes of one distributed run that were read
    "ranks" "ranks" Count = |ranks| Cell::Whole(ranks.count as u64);
    /// the rank with the largest median latency
    "slowest_rank" "slowest rank" Count = |ranks| Cell::Whole(u64::from(ranks.slowest));
    /// median latency of the slowest rank
    "slowest_rank_median_ms" "slowest rank, median (ms)" Ms =
        |ranks| Cell::milliseconds(ranks.slowest_median);
    /// median latency of the slowest rank by that of the fastest, minus one
    "rank_spread_percent" "spread of ranks (%)" Number = |ranks| percent(ranks.spread);
}

columns! {
    /// Of launches that ran side by side.
    pub(super) const CONCURRENT_INSTANCES: Instances;

    /// batch size times what all instances together ran in a second of wall time in which all
    /// measured
    "instances_throughput_items_per_second" "throughput, all instances (items/s)" Number =
        |instances| Cell::number(instances.items_per_second);
    /// sum of the instances' own throughputs, of unprofiled iterations where there are any
    "instances_throughput_iterations_per_second" "throughput, all instances (iterations/s)" Number =
        |instances| Cell::number(instances.iterations_per_second);
    /// how far it may be off, and what that was taken over
    "instances_throughput_interval" "throughput, all instances, 95 % interval" Text =
        |instances| match instances.iterations_per_second {
            Some(rate) => interval_text(rate, instances.interval),
            None => Cell::Unknown,
        };
    /// from the last beginning of a measurement to the first end of one, of all rounds
    "instances_time_seconds" "time that all instances ran (s)" Number =
        |instances| Cell::number(instances.overlap.map(|time| time.seconds()));
}

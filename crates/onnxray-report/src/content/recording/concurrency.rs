//! Figures of launches that ran side by side: of ranks, and of instances.

use crate::content::shares::{interval_text, percent};
use crate::document::{Cell, Unit, columns};
use Unit::{Count, Milliseconds as Ms, Number, Text};
use onnxray_analyzer::statistics::{Instances, Ranks};

columns! {
    /// Of launches that are the ranks of one run.
    pub(super) const RANKS: Ranks;

    /// processes of one distributed run
    "ranks" "ranks" Count = |ranks| Cell::Whole(ranks.count as u64);
    /// rank with the largest median latency
    "slowest_rank" "slowest rank" Count = |ranks| Cell::Whole(u64::from(ranks.slowest));
    /// its median latency
    "slowest_rank_median_ms" "slowest rank, median (ms)" Ms =
        |ranks| Cell::milliseconds(ranks.slowest_median);
    /// median latency of the slowest rank / of the fastest, minus one
    "rank_spread_percent" "spread of ranks (%)" Number = |ranks| percent(ranks.spread);
}

columns! {
    /// Of launches that ran side by side.
    pub(super) const CONCURRENT_INSTANCES: Instances;

    /// batch size * iterations of all instances per second of wall time
    "instances_throughput_items_per_second" "throughput, all instances (items/s)" Number =
        |instances| Cell::number(instances.items_per_second);
    /// sum of the instances' throughputs, of unprofiled iterations if any
    "instances_throughput_iterations_per_second" "throughput, all instances (iterations/s)" Number =
        |instances| Cell::number(instances.iterations_per_second);
    /// 95 % interval in words, and its units
    "instances_throughput_interval" "throughput, all instances, 95 % interval" Text =
        |instances| match instances.iterations_per_second {
            Some(rate) => interval_text(rate, instances.interval),
            None => Cell::Unknown,
        };
    /// from the last start to the first end of a measurement, all rounds
    "instances_time_seconds" "time that all instances ran (s)" Number =
        |instances| Cell::number(instances.overlap.map(|time| time.seconds()));
}

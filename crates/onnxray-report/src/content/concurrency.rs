//! Figures of launches that ran side by side: of ranks, and of instances.

use super::shares::{interval_text, percent};
use crate::document::{Cell, Column, Unit, column};
use Unit::{Count, Milliseconds as Ms, Number, Text};
use onnxray_analyzer::statistics::{Instances, Ranks};

/// Of launches that are the ranks of one run.
pub(super) const RANKS: &[Column<Ranks>] = &[
    column("ranks", "ranks", Count, "processes of one distributed run that were read", |ranks| {
        Cell::Whole(ranks.count as u64)
    }),
    column(
        "slowest_rank",
        "slowest rank",
        Count,
        "the rank with the largest median latency",
        |ranks| Cell::Whole(u64::from(ranks.slowest)),
    ),
    column(
        "slowest_rank_median_ms",
        "slowest rank, median (ms)",
        Ms,
        "median latency of the slowest rank",
        |ranks| Cell::milliseconds(ranks.slowest_median),
    ),
    column(
        "rank_spread_percent",
        "spread of ranks (%)",
        Number,
        "median latency of the slowest rank by that of the fastest, minus one",
        |ranks| percent(ranks.spread),
    ),
];

/// Of launches that ran side by side.
pub(super) const CONCURRENT_INSTANCES: &[Column<Instances>] = &[
    column(
        "instances_throughput_items_per_second",
        "throughput, all instances (items/s)",
        Number,
        "batch size times what all instances together ran in a second of wall time in which all \
         measured",
        |instances| Cell::number(instances.items_per_second),
    ),
    column(
        "instances_throughput_iterations_per_second",
        "throughput, all instances (iterations/s)",
        Number,
        "sum of the instances' own throughputs, of unprofiled iterations where there are any",
        |instances| Cell::number(instances.iterations_per_second),
    ),
    column(
        "instances_throughput_interval",
        "throughput, all instances, 95 % interval",
        Text,
        "how far it may be off, and what that was taken over",
        |instances| match instances.iterations_per_second {
            Some(rate) => interval_text(rate, instances.interval),
            None => Cell::Unknown,
        },
    ),
    column(
        "instances_time_seconds",
        "time that all instances ran (s)",
        Number,
        "from the last beginning of a measurement to the first end of one, of all rounds",
        |instances| Cell::number(instances.overlap.map(|time| time.seconds())),
    ),
];

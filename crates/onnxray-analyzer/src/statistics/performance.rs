//! How fast a model is in one configuration: what a profile says of it.

use super::latency::decisive_kind;
use super::spread::interval::{Independent, Partition};
use super::{Interval, Summary};
use serde::{Deserialize, Serialize};

/// A figure and, where its spread is known, its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The figure.
    pub value: f64,
    /// `None` with too few iterations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
}

impl Measured {
    /// The ends of the interval; from 0 to infinity where that is unknown, so that nothing
    /// follows from it.
    pub fn ends(self) -> Interval {
        self.interval.unwrap_or(Interval { low: 0.0, high: f64::INFINITY })
    }
}

/// Latency and throughput of one recording, without instrumentation where it has unprofiled
/// iterations. Of instances, the latency is that of each, the throughput that of all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Performance {
    /// Iterations that the latency is of.
    pub iterations: u64,
    /// Latency of an iteration in milliseconds, by percentile.
    pub latency: Latencies,
    /// 1 / median latency, so that both figures agree; of instances, by their wall time.
    pub iterations_per_second: Measured,
    /// Batch size times that; `None` if the batch size is unknown.
    pub items_per_second: Option<Measured>,
}

/// Latency of an iteration in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Latencies {
    /// Median.
    pub p50: Measured,
    /// 90th percentile.
    pub p90: Measured,
    /// 99th percentile.
    pub p99: Measured,
}

impl Performance {
    /// `None` if no iteration says how fast the model is.
    pub fn of(summary: &Summary) -> Option<Performance> {
        let kind = decisive_kind(&summary.iterations);
        let latency = summary.model.latency()?.times;
        // Instances share a machine, ranks wait for each other: their launches are not independent.
        let independent = match (summary.run.instances, &summary.ranks) {
            (Some(instances), _) => Independent::Rounds(instances),
            (None, Some(_)) => Independent::Nothing,
            (None, None) => Independent::Launches,
        };
        let iterations = &summary.iterations;
        let times: Vec<f64> = iterations.iter().map(|i| i.latency.milliseconds()).collect();
        let partition = Partition::of_kind(iterations, kind, independent);
        let at = |share: f64, value: f64| {
            let interval =
                partition.as_ref().and_then(|partition| partition.of_quantile(&times, share));
            Measured { value, interval: interval.map(|interval| interval.interval) }
        };
        let iterations_per_second = match &summary.instances {
            Some(together) => Measured {
                // A profile states both latency and throughput.
                value: together.iterations_per_second?,
                interval: together.interval.map(|interval| interval.interval),
            },
            None => Measured {
                value: 1e3 / latency.median.0,
                interval: partition.as_ref().and_then(|partition| partition.of_rate(&times)),
            },
        };
        let batch = summary.run.batch_size.map(|batch| batch as f64);
        Some(Performance {
            iterations: latency.count,
            latency: Latencies {
                p50: at(0.5, latency.median.0),
                p90: at(0.9, latency.p90.0),
                p99: at(0.99, latency.p99.0),
            },
            iterations_per_second,
            items_per_second: batch.map(|batch| Measured {
                value: batch * iterations_per_second.value,
                interval: iterations_per_second.interval.map(|Interval { low, high }| Interval {
                    low: batch * low,
                    high: batch * high,
                }),
            }),
        })
    }
}

//! What an inference of a profile costs beside its latency.

use crate::statistics::{CostFigure, CostSummary, Interval, Measured, PaceSummary};
use serde::{Deserialize, Serialize};

/// Resident bytes at the most: an exabyte.
const MOST_BYTES: f64 = 1e18;

/// Means over processes that only load the model and run it; what is not known is `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProfileCosts {
    /// These processes.
    pub starts: u64,
    /// CPU time of an iteration in milliseconds, of all threads.
    pub cpu_time_ms: Option<Measured>,
    /// Resident bytes at the most, beyond those before the engine was loaded.
    pub memory_peak_bytes: Option<Measured>,
    /// Milliseconds from the library's loading to the end of the first iteration, of files that the
    /// system may have had in memory.
    pub start_ms: Option<Measured>,
    /// The same of files that it had dropped from memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cold_start_ms: Option<Measured>,
    /// Calls at the lowest rate of those that were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paced: Option<PacedCosts>,
    /// Why there are fewer processes than planned, or none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
}

/// Calls at a pace.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PacedCosts {
    /// Calls per second.
    pub rate: f64,
    /// Median of the milliseconds from when a call was due to its answer.
    pub latency_ms: Option<Measured>,
    /// CPU time of a call in milliseconds, of all threads.
    pub cpu_time_ms: Option<Measured>,
}

impl ProfileCosts {
    pub(super) fn of(costs: &CostSummary) -> ProfileCosts {
        let paces = costs.paces.iter().filter_map(|pace| Some((pace.rate?, pace)));
        let start = costs.start().as_ref().map(measured);
        let (cold, warm) = if costs.cold_starts > 0 { (start, None) } else { (None, start) };
        let slowest = paces.min_by(|(a, _), (b, _)| a.total_cmp(b));
        ProfileCosts {
            starts: costs.starts as u64,
            cpu_time_ms: costs.cpu_time.as_ref().map(measured),
            memory_peak_bytes: costs.peak.as_ref().map(measured),
            start_ms: warm,
            cold_start_ms: cold,
            paced: slowest.map(|(rate, pace)| PacedCosts::of(rate, pace)),
            unknown: costs.unknown.clone(),
        }
    }

    /// Its figures by their names, with the most that each may be.
    pub(super) fn figures(&self, longest_ms: f64) -> Vec<(&'static str, Measured, f64)> {
        let paced = self.paced.as_ref();
        let figures = [
            ("costs.cpu_time_ms", self.cpu_time_ms, longest_ms),
            ("costs.memory_peak_bytes", self.memory_peak_bytes, MOST_BYTES),
            ("costs.start_ms", self.start_ms, longest_ms),
            ("costs.cold_start_ms", self.cold_start_ms, longest_ms),
            ("costs.paced.latency_ms", paced.and_then(|paced| paced.latency_ms), longest_ms),
            ("costs.paced.cpu_time_ms", paced.and_then(|paced| paced.cpu_time_ms), longest_ms),
        ];
        figures.into_iter().filter_map(|(name, known, most)| Some((name, known?, most))).collect()
    }
}

impl PacedCosts {
    fn of(rate: f64, pace: &PaceSummary) -> PacedCosts {
        let latency = pace.latency[0].map(|median| Measured {
            value: median.value,
            interval: median.high.map(|high| Interval { low: median.low, high }),
        });
        PacedCosts { rate, latency_ms: latency, cpu_time_ms: pace.cpu_time.as_ref().map(measured) }
    }
}

fn measured(figure: &CostFigure) -> Measured {
    Measured { value: figure.mean, interval: figure.interval }
}

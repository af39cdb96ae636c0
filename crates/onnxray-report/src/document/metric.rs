//! What a benchmark tracker keeps of a report, from one run to the next.

/// A figure with its interval, under a name that the next run has again.
#[derive(Clone, Debug, PartialEq)]
pub struct Metric {
    /// The model, or `MODEL/LAYER`.
    pub benchmark: String,
    pub measure: Measure,
    /// In the measure's unit.
    pub value: f64,
    /// A 95 % interval, from low to high; `None` if it is unknown.
    pub interval: Option<[f64; 2]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Nanoseconds: the median of iterations, or the mean time of a layer in one.
    Latency,
    /// Latency / latency of the baseline, of pairs of iterations or of launches.
    Ratio,
}

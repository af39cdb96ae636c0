//! Whether a recording's latency stays what it is: over the iterations of a
//! launch, and from launch to launch.

use crate::comparison::evidence::{Correlation, autocorrelation, launch_values, spearman};
use crate::comparison::units::cells::Cells;
use crate::printable::probability;
use crate::probability::outliers as far_outliers;
use crate::statistics::Timeline;

/// Level of Spearman's test (docs/statistics.md#check).
const ALPHA: f64 = 0.05;
/// Fewer blocks or launches have no trend that chance would not make.
const FEWEST: usize = 5;

/// A trend of less than this share of the latency does not matter.
const SMALLEST: f64 = 0.01;

/// Movement of the latency with time.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Trend {
    /// The typical latency of each launch, in nanoseconds.
    pub launches: Vec<f64>,
    /// One per launch that has at least `FEWEST` blocks.
    pub within: Vec<Movement>,
    /// From launch to launch; `None` with fewer than `FEWEST` launches.
    pub across: Option<Movement>,
    /// Mean correlation of a block with the next one of its launch.
    pub autocorrelation: Option<f64>,
}

/// Movement of a series with time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Movement {
    pub correlation: Correlation,
    /// (Mean of the last third - mean of the first) / mean of all.
    pub extent: f64,
}

impl Movement {
    fn of(values: &[f64]) -> Option<Movement> {
        let correlation = spearman(values)?;
        let third = values.len().div_ceil(3);
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        // Thirds, since the first or last launch alone may be an exception.
        let rise = mean(&values[values.len() - third..]) - mean(&values[..third]);
        Some(Movement { correlation, extent: rise / mean(values) })
    }

    /// Significant, and large enough to matter.
    fn is_drift(&self) -> bool {
        self.correlation.p < ALPHA && self.extent.abs() >= SMALLEST
    }
}

pub(crate) fn trend(timeline: &Timeline) -> Trend {
    let all: Vec<usize> = (0..timeline.launches.len()).collect();
    let cells = Cells::launches(timeline, &all);
    let mut values = Vec::new();
    cells.values(&timeline.latencies, &mut values, &mut Vec::new());
    let mut rest = &values[..];
    let (mut within, mut correlations) = (Vec::new(), Vec::new());
    for &blocks in &cells.blocks {
        let (of_launch, others) = rest.split_at(blocks);
        rest = others;
        if blocks >= FEWEST {
            within.extend(Movement::of(of_launch));
            correlations.extend(autocorrelation(of_launch));
        }
    }
    let launches = launch_values(&values, &cells.blocks);
    let across = Movement::of(&launches).filter(|_| launches.len() >= FEWEST);
    let count = correlations.len() as f64;
    Trend {
        launches,
        within,
        across,
        autocorrelation: (count > 0.0).then(|| correlations.iter().sum::<f64>() / count),
    }
}

impl Trend {
    /// Number of launches that drift from their first to their last iteration.
    pub(crate) fn drifting(&self) -> usize {
        self.within.iter().filter(|movement| movement.is_drift()).count()
    }

    /// This many are less likely by chance than a single one.
    pub(crate) fn drifts_within(&self) -> bool {
        // A single launch that drifts is just as rare.
        self.drifting() > 0 && at_least(self.drifting(), self.within.len()) < ALPHA + 1e-9
    }

    /// Share by which the latency moved from launch to launch; `None` if that is not significant.
    pub(crate) fn drift(&self) -> Option<f64> {
        self.across.filter(|movement| movement.is_drift()).map(|movement| movement.extent.abs())
    }

    pub(crate) fn drifts_across(&self) -> bool {
        self.drift().is_some()
    }
}

/// Number of Tukey's far outliers, and of the iterations in launches that are long enough to tell;
/// `None` if no launch is. `times` has one per steady-state iteration.
pub(crate) fn outliers(
    timeline: &Timeline,
    times: &[u64],
    work: &mut Vec<f64>,
) -> Option<(u64, u64)> {
    let counts = timeline.launches.iter().filter_map(|launch| {
        work.clear();
        work.extend(times[launch.iterations.clone()].iter().map(|&time| time as f64));
        far_outliers(work).map(|count| (count, work.len() as u64))
    });
    counts.reduce(|sum, of_launch| (sum.0 + of_launch.0, sum.1 + of_launch.1))
}

/// Probability that at least this many of all launches seem to drift by chance.
fn at_least(drifting: usize, all: usize) -> f64 {
    let mut term = (1.0 - ALPHA).powi(all as i32);
    let mut below = 0.0;
    // The binomial distribution, each term from the one before.
    for count in 0..drifting {
        below += term;
        term *= (all - count) as f64 / (count + 1) as f64 * ALPHA / (1.0 - ALPHA);
    }
    1.0 - below
}

/// Sentence about a recording that drifts.
pub(crate) fn drift(trend: &Trend) -> Option<String> {
    let direction = |extent: f64| if extent > 0.0 { "rises" } else { "falls" };
    let percent = |extent: f64| extent.abs() * 100.0;
    if let Some(across) = trend.across.filter(|_| trend.drifts_across()) {
        return Some(format!(
            "the latency {} by {:.1} % from first to last launches (rank correlation {:+.2}, p {})",
            direction(across.extent),
            percent(across.extent),
            across.correlation.rho,
            probability(across.correlation.p)
        ));
    }
    trend.drifts_within().then(|| {
        let drifting = trend.within.iter().filter(|movement| movement.is_drift());
        let extent = drifting.map(|m| m.extent).sum::<f64>() / trend.drifting() as f64;
        format!(
            "in {} of {} launches the latency {} over the iterations, by {:.1} % on average",
            trend.drifting(),
            trend.within.len(),
            direction(extent),
            percent(extent)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `scipy.stats.binom.sf(k - 1, n, 0.05)`.
    #[test]
    fn one_launch_that_drifts_may_be_chance() {
        for (drifting, all, expected) in
            [(1, 3, 0.142625), (2, 3, 0.00725), (3, 20, 0.075483675), (4, 20, 0.01590153)]
        {
            let found = at_least(drifting, all);
            assert!((found - expected).abs() < 1e-7, "{drifting} of {all}: {found}");
        }
    }
}

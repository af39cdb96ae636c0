//! What a few iterations add to a difference of means that typical times do not show, although the
//! whole of each is typical: a cause in which they were slow is a small part of it.

use super::Recording;
use super::cells::Cells;
use super::evidence::location;
use crate::probability::fences;
use crate::statistics::Timeline;
use crate::units::Milliseconds;

/// Why means and typical times of a cause differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Stragglers {
    /// By side; empty where nothing was slow.
    pub sides: [SlowIterations; 2],
    /// Difference of the typical times.
    pub typical: Milliseconds,
    /// Difference of the means without the slow iterations.
    pub without: Milliseconds,
}

/// Iterations of a side that took far longer than the others of their launch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SlowIterations {
    /// Launch and number of each, the slowest first.
    pub iterations: Vec<(u32, u32)>,
    /// Launches and iterations that were looked at.
    pub of: (usize, usize),
    /// By how much they are longer than the others, on average.
    pub excess: Milliseconds,
}

/// Causes below this part of the whole difference, or of the latency, matter to nobody.
const LARGE_PART: f64 = 0.1;
const LARGE_SHARE: f64 = 0.001;
/// Of the mean difference: typical times show it unless they miss more.
const MISSED: f64 = 0.5;
/// Of the slowest iteration's excess: less than that explains nothing.
const NOTABLE: f64 = 0.1;

/// Whether a cause is one that a reader looks for among the layers.
pub(crate) fn is_large(mean: Milliseconds, whole: Milliseconds, latency: Milliseconds) -> bool {
    mean.0.abs() >= LARGE_PART * whole.0.abs() && mean.0.abs() >= LARGE_SHARE * latency.0
}

/// `times` are what the cause takes in each iteration of the timelines, by side; `mean` is their
/// difference of means. `None` if typical times show the cause.
pub(crate) fn explain(
    recordings: [&Recording; 2],
    timelines: [&Timeline; 2],
    times: &[Vec<u64>; 2],
    mean: Milliseconds,
) -> Option<Stragglers> {
    let typical = [0, 1].map(|side| {
        let launches: Vec<usize> = (0..timelines[side].launches.len()).collect();
        let cells = Cells::launches(timelines[side], &launches);
        let mut values = Vec::new();
        cells.values(&times[side], &mut values, &mut Vec::new());
        location(&values, &cells.blocks)
    });
    let typical = Milliseconds::from_nanoseconds(typical[1] - typical[0]);
    if (mean.0 - typical.0).abs() <= MISSED * mean.0.abs() {
        return None;
    }
    let mut sides: [SlowIterations; 2] = Default::default();
    let mut means = [0.0; 2];
    for side in [0, 1] {
        (sides[side], means[side]) =
            slow_iterations(recordings[side], timelines[side], &times[side])?;
    }
    let without = Milliseconds::from_nanoseconds(means[1] - means[0]);
    Some(Stragglers { sides, typical, without })
}

/// The slow iterations, and the mean of the others in nanoseconds.
fn slow_iterations(
    recording: &Recording,
    timeline: &Timeline,
    times: &[u64],
) -> Option<(SlowIterations, f64)> {
    let mut beyond: Vec<(usize, f64)> = Vec::new();
    for launch in &timeline.launches {
        let range = launch.iterations.clone();
        let values: Vec<f64> = times.get(range.clone())?.iter().map(|&time| time as f64).collect();
        let Some((_, high)) = fences(&values) else { continue };
        let typical = values.iter().sum::<f64>() / values.len() as f64;
        let slow = range.zip(values).filter(|&(_, value)| value > high);
        beyond.extend(slow.map(|(at, value)| (at, value - typical)));
    }
    beyond.sort_by(|a, b| b.1.total_cmp(&a.1));
    let least = beyond.first().map_or(0.0, |slowest| NOTABLE * slowest.1);
    beyond.retain(|&(_, excess)| excess >= least);
    let all: f64 = times.iter().map(|&time| time as f64).sum();
    let slow: f64 = beyond.iter().map(|&(at, _)| times[at] as f64).sum();
    let (count, of) = (beyond.len(), times.len());
    let rest = (all - slow) / (of - count).max(1) as f64;
    let excess = if count > 0 { slow / count as f64 - rest } else { 0.0 };
    let number = |at: usize| {
        let iteration = recording.summary.iterations.get(timeline.row(at)?)?;
        Some((iteration.launch, iteration.index))
    };
    let slow = SlowIterations {
        iterations: beyond.iter().filter_map(|&(at, _)| number(at)).collect(),
        of: (timeline.launches.len(), of),
        excess: Milliseconds::from_nanoseconds(excess),
    };
    Some((slow, rest))
}

//! Points of the fronts next to each other, layer by layer.

use super::analyze::Sweep;
use super::candidates::Candidates;
use crate::comparison::{Comparison, ComparisonError, Field, Options, Recording, compare};

/// Pairs of points that are compared at most: both directions of all pairs of six points.
const MOST_PAIRS: usize = 30;

/// Layers of all pairs together, at most: packed, a page of them stays below 2 MB.
pub const MOST_ROWS: usize = 20_000;

/// Two points of a sweep, compared.
pub struct ComparedPoints {
    /// Positions of A and B in [`Sweep::points`].
    pub points: [usize; 2],
    /// Their comparison.
    pub comparison: Comparison,
}

/// Pairs of points of each front, A and B, those that matter most first: the lowest latency and
/// the sweet spot, then neighbours on the front, then those further apart; of each, A is the one of
/// lower latency. Then the same the other way round.
pub fn front_pairs(sweep: &Sweep) -> Vec<[usize; 2]> {
    let mut pairs: Vec<[usize; 2]> = Vec::new();
    let mut add = |pair: [usize; 2]| {
        let is_new = pair[0] != pair[1] && !pairs.contains(&pair);
        if is_new && pairs.len() < MOST_PAIRS {
            pairs.push(pair);
        }
    };
    for candidates in sweep.all_candidates() {
        add([candidates.best_latency, candidates.sweet_spot.unwrap_or(candidates.best_throughput)]);
    }
    let fronts: Vec<Vec<usize>> =
        sweep.all_candidates().map(|candidates| by_latency(sweep, candidates)).collect();
    let longest = fronts.iter().map(Vec::len).max().unwrap_or(0);
    for is_reversed in [false, true] {
        for apart in 1..longest {
            for front in &fronts {
                for (&a, &b) in front.iter().zip(front.iter().skip(apart)) {
                    add(if is_reversed { [b, a] } else { [a, b] });
                }
            }
        }
    }
    pairs
}

/// The points of a front by their latency.
fn by_latency(sweep: &Sweep, candidates: &Candidates) -> Vec<usize> {
    let mut front: Vec<usize> = candidates.front.iter().map(|front| front.point).collect();
    let latency = |point: &usize| sweep.points.get(*point).map(|point| point.latency.value);
    front.sort_by(|a, b| latency(a).unwrap_or(f64::NAN).total_cmp(&latency(b).unwrap_or(f64::NAN)));
    front
}

/// Compares pairs whose recordings are there, as `compare` compares two profiles, until their
/// layers fill [`MOST_ROWS`]. A pair of different models is left out.
///
/// # Errors
///
/// If a recording has no times.
pub fn compare_points(
    pairs: &[[usize; 2]],
    recordings: &[(usize, Recording)],
) -> Result<Vec<ComparedPoints>, ComparisonError> {
    let expected_differences = Field::CONFIGURATION.to_vec();
    let options = Options { expected_differences, ..Options::default() };
    let of = |point: usize| {
        recordings.iter().find(|(number, _)| *number == point).map(|(_, recording)| recording)
    };
    let (mut compared, mut rows) = (Vec::new(), 0);
    for &points in pairs {
        let [Some(a), Some(b)] = points.map(of) else { continue };
        // Layers are at least as many as the operators of either: what cannot fit is not aligned.
        let fewest = a.summary.operators.len().max(b.summary.operators.len());
        if rows + fewest > MOST_ROWS {
            continue;
        }
        let comparison = compare(a, b, &options)?;
        // And may be as many as those of both.
        if comparison.is_one_model() && rows + comparison.groups.len() <= MOST_ROWS {
            rows += comparison.groups.len();
            compared.push(ComparedPoints { points, comparison });
        }
    }
    Ok(compared)
}

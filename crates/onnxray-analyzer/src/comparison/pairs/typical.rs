//! Which iterations means are over: typical ones, as in a summary, and of pairs those whose ratio
//! is typical.
//!
//! Whatever takes the core away for some milliseconds falls on one side of a pair. In means it would
//! be a cause that has nothing to do with the models.

use super::paired::Paired;
use crate::comparison::recording::Recording;
use crate::probability::typical;
use crate::statistics::{SteadyLaunch, Timeline};
use crate::units::Milliseconds;
use onnxray_format::IterationKind;

/// Iterations of a side that are in no mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeftOut {
    /// Number of iterations left out.
    pub iterations: u64,
    /// Number of all iterations.
    pub of: u64,
    /// Mean wall time of the others.
    pub mean: Milliseconds,
    /// Mean wall time of all.
    pub mean_of_all: Milliseconds,
}

/// Iterations that means are taken over.
pub(crate) struct Typical {
    /// By side; `None` where the recording has no single iterations.
    pub timelines: [Option<Timeline>; 2],
    /// `None` where nothing can be left out.
    pub left_out: [Option<LeftOut>; 2],
}

impl Typical {
    /// `kind` is the kind of the timelines' iterations.
    pub(crate) fn of(
        recordings: [&Recording; 2],
        paired: Option<&Paired>,
        kind: IterationKind,
    ) -> Typical {
        let timelines = recordings.map(|recording| recording.timeline.as_ref());
        if kind == IterationKind::Measured && !recordings.into_iter().all(knows_typical) {
            // Averages of all iterations are compared with averages of all.
            return Typical { timelines: timelines.map(Option::<&_>::cloned), left_out: [None; 2] };
        }
        let keep = match paired {
            Some(paired) => typical_pairs(paired, timelines),
            // Per launch: what is typical of one is not of another, which may be slower throughout.
            None => [0, 1].map(|side| {
                let Some(timeline) = timelines[side] else { return Vec::new() };
                let of_launch = |launch: &SteadyLaunch| {
                    let times = &timeline.latencies[launch.iterations.clone()];
                    typical(&times.iter().map(|&time| time as f64).collect::<Vec<f64>>())
                };
                timeline.launches.iter().flat_map(of_launch).collect()
            }),
        };
        let mut left_out = [None; 2];
        let restricted = [0, 1].map(|side| {
            let all = timelines[side]?;
            // If nothing were typical, means over all are better than none.
            let others = all.only(&keep[side]).unwrap_or_else(|| all.clone());
            left_out[side] = Some(LeftOut {
                iterations: (all.latencies.len() - others.latencies.len()) as u64,
                of: all.latencies.len() as u64,
                mean: Milliseconds::from_nanoseconds(others.mean()),
                mean_of_all: Milliseconds::from_nanoseconds(all.mean()),
            });
            Some(others)
        });
        Typical { timelines: restricted, left_out }
    }
}

/// Times of operators are of typical iterations, or can be restricted to them.
fn knows_typical(recording: &Recording) -> bool {
    let tells = recording.timeline.as_ref().is_some_and(Timeline::tells_operators);
    tells || recording.summary.is_compact
}

/// By side and steady-state iteration: its pair has a ratio typical of the launch, and times
/// typical of such pairs.
fn typical_pairs(paired: &Paired, timelines: [Option<&Timeline>; 2]) -> [Vec<bool>; 2] {
    let mut keep = timelines
        .map(|timeline| vec![false; timeline.map_or(0, |timeline| timeline.latencies.len())]);
    let logarithm = |side: usize, at: usize| {
        let latencies = timelines[side].map_or(&[][..], |timeline| &timeline.latencies);
        // What takes less than a nanosecond has a logarithm all the same.
        (latencies.get(at).copied().unwrap_or(0).max(1) as f64).ln()
    };
    let typical_by = |pairs: &[[usize; 2]], sign: f64| -> Vec<[usize; 2]> {
        let values: Vec<f64> =
            pairs.iter().map(|&[a, b]| logarithm(1, b) + sign * logarithm(0, a)).collect();
        let kept = pairs.iter().zip(typical(&values)).filter(|(_, is_typical)| *is_typical);
        kept.map(|(&pair, _)| pair).collect()
    };
    for pairs in &paired.all {
        // First ln(B / A), where a preempted side stands out, then ln(A * B) of what is left, where
        // what slows both does (docs/statistics.md#typical-time).
        for [a, b] in typical_by(&typical_by(pairs, -1.0), 1.0) {
            (keep[0][a], keep[1][b]) = (true, true);
        }
    }
    keep
}

/// Share of the mean from which on a note mentions what was left out.
const NOTABLE: f64 = 0.01;

/// Notes on the iterations left out of means, where these change a mean by `NOTABLE`; `kind` is a word
/// with a blank behind it, or empty.
pub(crate) fn notes(left_out: &[Option<LeftOut>; 2], kind: &str, in_pairs: bool) -> Vec<String> {
    let mean =
        |side: &LeftOut| format!("{:.3} ms instead of {:.3} ms", side.mean_of_all.0, side.mean.0);
    let matters = |side: &LeftOut| {
        (side.mean_of_all.0 - side.mean.0).abs() > NOTABLE * side.mean.0 && side.iterations > 0
    };
    if let ([Some(a), Some(b)], true) = (left_out, in_pairs) {
        let LeftOut { iterations, of, .. } = a;
        let note = format!(
            "means leave out {iterations} of {of} pairs of {kind}iterations: those whose ratio or \
             time is far from the rest of their launch, and as many at the other end; with them, the \
             mean is {} for A, {} for B",
            mean(a),
            mean(b)
        );
        return if matters(a) || matters(b) { vec![note] } else { Vec::new() };
    }
    let sides = left_out.iter().zip(["A", "B"]);
    let sides = sides.filter_map(|(side, name)| Some((side.filter(matters)?, name)));
    let note = |(side, name): (LeftOut, &str)| {
        format!(
            "{name}: means leave out {} of {} {kind}iterations: those far slower than the rest of \
             their launch, and as many of the fastest; with them, the mean is {}",
            side.iterations,
            side.of,
            mean(&side)
        )
    };
    sides.map(note).collect()
}

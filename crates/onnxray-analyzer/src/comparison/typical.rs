//! Which iterations means are over: typical ones, as in a summary, and in pairs their partners.
//!
//! Whatever takes the core away for some milliseconds falls on one side of a pair. In means it would
//! be a cause that has nothing to do with the models.

use super::paired::Paired;
use super::recording::Recording;
use crate::statistics::{Timeline, typical_rows};
use crate::units::Milliseconds;
use onnxray_format::{IterationKind, counted};

/// Iterations of a side that are in no mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeftOut {
    /// Those that took far longer than the others of their launch.
    pub stragglers: u64,
    /// With those whose partner did.
    pub iterations: u64,
    /// Of this many.
    pub of: u64,
    /// Mean wall time of the others.
    pub mean: Milliseconds,
    /// The same with those that are left out.
    pub mean_of_all: Milliseconds,
}

/// The iterations that means are over.
pub(crate) struct Typical {
    /// By side; `None` where the recording does not tell of single iterations.
    pub timelines: [Option<Timeline>; 2],
    /// `None` where nothing can be left out.
    pub left_out: [Option<LeftOut>; 2],
}

impl Typical {
    /// Of iterations of this kind, which are those of the timelines.
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
        let typical = [0, 1].map(|side| {
            let Some(timeline) = timelines[side] else { return Vec::new() };
            let rows = typical_rows(&recordings[side].summary.iterations, kind);
            let is_typical = |at| timeline.row(at).is_some_and(|row| rows[row]);
            (0..timeline.latencies.len()).map(is_typical).collect::<Vec<bool>>()
        });
        let mut keep = typical.clone();
        for &[a, b] in paired.map_or(&[][..], |paired| &paired.all) {
            let both = typical[0][a] && typical[1][b];
            (keep[0][a], keep[1][b]) = (both, both);
        }
        let mut left_out = [None; 2];
        let restricted = [0, 1].map(|side| {
            let all = timelines[side]?;
            let others = all.only(&keep[side]).unwrap_or_else(|| all.clone());
            let count = |keep: &[bool]| keep.iter().filter(|&&kept| !kept).count() as u64;
            left_out[side] = Some(LeftOut {
                stragglers: count(&typical[side]),
                iterations: count(&keep[side]),
                of: all.latencies.len() as u64,
                mean: Milliseconds::from_nanoseconds(others.mean()),
                mean_of_all: Milliseconds::from_nanoseconds(all.mean()),
            });
            Some(others)
        });
        Typical { timelines: restricted, left_out }
    }
}

/// Whether the times of operators are, or can be, of typical iterations.
fn knows_typical(recording: &Recording) -> bool {
    match &recording.timeline {
        Some(timeline) => timeline.tells_operators(),
        // What a stored summary has.
        None => recording.summary.model.whole.is_some(),
    }
}

/// What means are not over, and what they would be with it.
pub(crate) fn notes(left_out: &[Option<LeftOut>; 2], kind: &str, in_pairs: bool) -> Vec<String> {
    const LONG: &str = "took far longer than the others of their launch";
    let mean =
        |side: &LeftOut| format!("{:.3} ms instead of {:.3} ms", side.mean_of_all.0, side.mean.0);
    if let ([Some(a), Some(b)], true) = (left_out, in_pairs) {
        let LeftOut { iterations, of, .. } = a;
        let were = if *iterations == 1 { "pair is" } else { "pairs are" };
        let note = format!(
            "of {of} pairs of {kind} iterations, {iterations} {were} in no mean: {} of A and {} of \
             B {LONG}; with them, it is {} of A, {} of B",
            a.stragglers,
            b.stragglers,
            mean(a),
            mean(b)
        );
        return if *iterations > 0 { vec![note] } else { Vec::new() };
    }
    let sides = left_out.iter().zip(["A", "B"]);
    let sides = sides.filter_map(|(side, name)| Some((side.filter(|s| s.iterations > 0)?, name)));
    let note = |(side, name): (LeftOut, &str)| {
        let one = format!("{kind} iteration {LONG} and is");
        let several = format!("{kind} iterations {LONG} and are");
        let left_out = counted(side.iterations, &one, &several);
        format!("{name}: {left_out} in no mean, of {}; with them, it is {}", side.of, mean(&side))
    };
    sides.map(note).collect()
}

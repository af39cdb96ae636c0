//! Two recordings that took turns iteration by iteration in one process: which of their
//! iterations are pairs.

use crate::comparison::recording::Recording;
use crate::statistics::{IterationSummary, Timeline};
use onnxray_format::{IterationKind, Run};
use onnxray_text::counted;
use std::collections::HashMap;

/// Two recordings in turns.
pub(crate) struct Turns {
    /// Both restricted to iterations that have a partner.
    pub recordings: [Recording; 2],
    /// Pairs by launch, in the order of A.
    pub launches: Vec<Vec<Pair>>,
    /// Iterations of one turn.
    pub turn: u32,
    /// Sentences about what was left out.
    pub notes: Vec<String>,
}

/// An iteration of each side, one soon after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    /// Positions among the steady-state iterations of each side.
    pub at: [usize; 2],
    /// The side that began: 0 is A.
    pub first: usize,
    /// By side: the other side's iteration ran right before.
    pub after_switch: [bool; 2],
    /// Stretch of the launch, between two switches of sides, in which each lies.
    pub stretch: [u32; 2],
}

/// `None` if they did not take turns iteration by iteration.
///
/// # Errors
///
/// Why they are not pairs, in words, although a side was recorded as one.
pub(crate) fn turns(recordings: [&Recording; 2]) -> Result<Option<Turns>, String> {
    let runs = recordings.map(|recording| &recording.summary.run);
    let turn = match runs.map(turn) {
        [None, None] => return Ok(None),
        [Some(a), Some(b)] if a == b && a > 0 => a,
        [a, b] => {
            let text = |turn: Option<u32>| match turn {
                Some(turn) => format!("turns of {turn} iterations"),
                None => "no turns of iterations".to_string(),
            };
            return Err(format!("A has {}, B has {}", text(a), text(b)));
        }
    };
    if !(knows(runs[0], runs[1]) && knows(runs[1], runs[0])) {
        return Err("they took turns with other recordings, not with each other".to_string());
    }
    let ([Some(a), Some(b)], [None, None]) = (
        recordings.map(|recording| recording.timeline.as_ref()),
        recordings.map(|recording| recording.summary.ranks),
    ) else {
        return Err("single iterations are not known of both".to_string());
    };
    let matched = Matched::of(recordings, [a, b]);
    let restricted = [a.only(&matched.keep[0]), b.only(&matched.keep[1])];
    let [Some(of_a), Some(of_b)] = restricted else {
        return Err("no iteration of A has a partner in B".to_string());
    };
    let launches = matched.pairs(recordings, [&of_a, &of_b]);
    let notes = matched.notes(recordings, [a, b]);
    let with = |side: usize, timeline: Timeline| Recording {
        label: recordings[side].label.clone(),
        summary: recordings[side].summary.clone(),
        timeline: Some(timeline),
    };
    Ok(Some(Turns { recordings: [with(0, of_a), with(1, of_b)], launches, turn, notes }))
}

fn turn(run: &Run) -> Option<u32> {
    run.interleaved.as_ref()?.turn
}

/// `run` was interleaved with `other`.
pub(crate) fn knows(run: &Run, other: &Run) -> bool {
    run.interleaved.as_ref().is_some_and(|known| known.with == other.recording)
}

/// Iterations that have a partner.
struct Matched {
    /// By side and steady-state iteration.
    keep: [Vec<bool>; 2],
    /// Rows of both sides, launch by launch.
    rows: Vec<Vec<[usize; 2]>>,
}

impl Matched {
    fn of(recordings: [&Recording; 2], timelines: [&Timeline; 2]) -> Matched {
        let [a, b] = timelines;
        let mut keep = timelines.map(|timeline| vec![false; timeline.latencies.len()]);
        let iteration = |side: usize, at: usize| {
            let row = timelines[side].row(at)?;
            Some((row, recordings[side].summary.iterations.get(row)?.index))
        };
        let mut partners: HashMap<u32, usize> =
            b.launches.iter().enumerate().map(|(at, launch)| (launch.launch, at)).collect();
        let mut rows = Vec::new();
        for launch in &a.launches {
            // Removed, so that a launch number that A has twice is paired once.
            let Some(partner) = partners.remove(&launch.launch) else { continue };
            let of_b = b.launches[partner].iterations.clone();
            let mut by_index: HashMap<u32, (usize, usize)> = of_b
                .filter_map(|at| iteration(1, at).map(|(row, index)| (index, (at, row))))
                .collect();
            let mut of_launch = Vec::new();
            for at in launch.iterations.clone() {
                let Some((row, index)) = iteration(0, at) else { continue };
                // Paired by index, not by place: either side may have left out iterations that had
                // not settled.
                if let Some((other, other_row)) = by_index.remove(&index) {
                    (keep[0][at], keep[1][other]) = (true, true);
                    of_launch.push([row, other_row]);
                }
            }
            if !of_launch.is_empty() {
                rows.push(of_launch);
            }
        }
        Matched { keep, rows }
    }

    /// Pairs as positions among the iterations that are left.
    fn pairs(&self, recordings: [&Recording; 2], left: [&Timeline; 2]) -> Vec<Vec<Pair>> {
        // Places changed when iterations without a partner were dropped; rows of the table did not.
        let at = left.map(|timeline| {
            let places =
                (0..timeline.latencies.len()).filter_map(|at| Some((timeline.row(at)?, at)));
            places.collect::<HashMap<usize, usize>>()
        });
        let launch = |rows: &Vec<[usize; 2]>| {
            let order = Order::of(recordings, rows[0]);
            let pair = |rows: &[usize; 2]| {
                let [a, b] = [0, 1].map(|side| order.places[side].get(&rows[side]));
                let ([a, b], at) = ([a?, b?], [*at[0].get(&rows[0])?, *at[1].get(&rows[1])?]);
                Some(Pair {
                    at,
                    first: usize::from(b.turn < a.turn),
                    after_switch: [a.after_switch, b.after_switch],
                    stretch: [a.stretch, b.stretch],
                })
            };
            rows.iter().filter_map(pair).collect()
        };
        self.rows.iter().map(launch).collect()
    }

    fn notes(&self, recordings: [&Recording; 2], timelines: [&Timeline; 2]) -> Vec<String> {
        let mut notes = Vec::new();
        for (side, [own, other]) in [["A", "B"], ["B", "A"]].into_iter().enumerate() {
            let indices: std::collections::HashSet<(u32, u32)> =
                measured(recordings[1 - side]).collect();
            let left = self.keep[side].iter().enumerate().filter(|(_, kept)| !**kept);
            let left = left.filter_map(|(at, _)| {
                let iteration =
                    recordings[side].summary.iterations.get(timelines[side].row(at)?)?;
                // A measured partner that is not among the steady-state ones had not settled; else
                // there is none.
                Some(indices.contains(&(iteration.launch, iteration.index)))
            });
            let (unsteady, alone): (Vec<bool>, Vec<bool>) = left.partition(|has_one| *has_one);
            if !unsteady.is_empty() {
                notes.push(format!(
                    "{own}: {} more {} left out, because the latency of {other} had not settled",
                    unsteady.len(),
                    if unsteady.len() == 1 { "was" } else { "were" }
                ));
            }
            if !alone.is_empty() {
                let one = format!("measured iteration has no partner in {other} and is left out");
                let several =
                    format!("measured iterations have no partner in {other} and are left out");
                notes.push(format!("{own}: {}", counted(alone.len() as u64, &one, &several)));
            }
        }
        notes
    }
}

/// Launch and index of each measured iteration.
fn measured(recording: &Recording) -> impl Iterator<Item = (u32, u32)> {
    let iterations = recording.summary.iterations.iter();
    let measured = iterations.filter(|iteration| iteration.kind == IterationKind::Measured);
    measured.map(|iteration| (iteration.launch, iteration.index))
}

/// The iterations of both sides of a launch in the order in which they ran.
struct Order {
    /// By side, keyed by row in the table of iterations.
    places: [HashMap<usize, Place>; 2],
}

struct Place {
    /// Position among all iterations of both sides, in order of their starts.
    turn: usize,
    after_switch: bool,
    stretch: u32,
}

impl Order {
    /// `rows` are of one iteration of the launch on each side. Warm-up and unprofiled
    /// iterations also come before others, so that all of them are looked at.
    fn of(recordings: [&Recording; 2], rows: [usize; 2]) -> Order {
        let mut all: Vec<(u64, usize, usize)> = Vec::new();
        for side in [0, 1] {
            let iterations = &recordings[side].summary.iterations;
            let launch = |iteration: &IterationSummary| iteration.position;
            let position = iterations.get(rows[side]).map(launch);
            // Iterations are listed launch by launch, in the order of `position`.
            let first = iterations.partition_point(|i| Some(launch(i)) < position);
            let of_launch = iterations[first..].iter().take_while(|i| Some(launch(i)) == position);
            all.extend((first..).zip(of_launch).map(|(row, i)| (i.start.0, side, row)));
        }
        // One process, one clock: starts of both sides give the order in which they ran.
        all.sort_unstable();
        let mut places = [HashMap::new(), HashMap::new()];
        let (mut before, mut stretch) = (None, 0);
        for (turn, (_, side, row)) in all.into_iter().enumerate() {
            let after_switch = before.is_some_and(|before| before != side);
            stretch += u32::from(after_switch);
            places[side].insert(row, Place { turn, after_switch, stretch });
            before = Some(side);
        }
        Order { places }
    }
}

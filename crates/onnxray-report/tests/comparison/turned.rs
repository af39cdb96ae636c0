//! Recordings that took turns iteration by iteration, with the times that one wants.

use crate::made::{launches, model, recording};
use crate::sequence::Sequence;
use onnxray_analyzer::comparison::Recording;
use onnxray_format::{Interleaved, IterationKind, Nanoseconds};
use onnxray_import::Launch;

/// How both took turns.
#[derive(Clone, Copy)]
pub(crate) struct Plan {
    pub launches: u32,
    /// Of each side, warm-up included.
    pub iterations: u32,
    pub warmup: u32,
    pub turn: u32,
}

pub(crate) const PLAN: Plan = Plan { launches: 6, iterations: 40, warmup: 0, turn: 5 };

/// Where an iteration stands.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub side: usize,
    pub launch: u32,
    pub iteration: u32,
    pub operator: usize,
    pub after_switch: bool,
}

/// The side that begins the turns of a launch.
pub(crate) fn begins(launch: u32) -> usize {
    launch as usize % 2
}

/// Sides in the order of their turns, with the iterations of each; the iterations of
/// warm-up are a round of their own.
fn turns(plan: Plan, launch: u32) -> Vec<(usize, std::ops::Range<u32>)> {
    let mut rounds = Vec::new();
    rounds.push(0..plan.warmup);
    let mut begin = plan.warmup;
    while begin < plan.iterations {
        let end = (begin + plan.turn).min(plan.iterations);
        rounds.push(begin..end);
        begin = end;
    }
    let mut turns = Vec::new();
    for (round, iterations) in rounds.into_iter().enumerate() {
        // The round of warm-up is before the first.
        let first = (begins(launch) + round + 1) % 2;
        turns.push((first, iterations.clone()));
        turns.push((1 - first, iterations));
    }
    turns
}

/// Both sides' launches; `time` gives nanoseconds.
pub(crate) fn in_turns(plan: Plan, mut time: impl FnMut(Place) -> u64) -> [Vec<Launch>; 2] {
    let after_switch = |launch: u32, side: usize, iteration: u32| {
        let turns = turns(plan, launch);
        let mut order = turns.iter().flat_map(|(side, range)| range.clone().map(|i| (*side, i)));
        let mut before = None;
        order.any(|place| {
            let is_after = before.is_some_and(|before| before != place.0);
            before = Some(place.0);
            place == (side, iteration) && is_after
        })
    };
    let mut sides = [0, 1].map(|side| {
        launches(&model(), plan.launches, plan.iterations, |launch, iteration, operator| {
            let after_switch = after_switch(launch, side, iteration);
            time(Place { side, launch, iteration, operator, after_switch })
        })
    });
    for launch in 0..plan.launches {
        let mut clock = 1_000;
        for (side, iterations) in turns(plan, launch) {
            let made = &mut sides[side][launch as usize];
            for index in iterations {
                clock = move_to(made, index, clock) + 500;
            }
        }
        for (side, [own, other]) in [["a", "b"], ["b", "a"]].into_iter().enumerate() {
            let made = &mut sides[side][launch as usize];
            made.run.recording = own.to_string();
            let position = 2 * launch + u32::from(side != begins(launch));
            made.run.interleaved =
                Some(Interleaved { with: other.to_string(), position, turn: Some(plan.turn) });
            for iteration in made.iterations.iter_mut().take(plan.warmup as usize) {
                iteration.kind = IterationKind::WarmUp;
            }
        }
    }
    sides
}

/// Has an iteration begin then, and returns when it ends.
fn move_to(launch: &mut Launch, index: u32, begin: u64) -> u64 {
    let iteration = &mut launch.iterations[index as usize];
    let before = iteration.start.0;
    iteration.start = Nanoseconds(begin);
    for chunk in &mut launch.events.chunks {
        for event in 0..chunk.start.len() {
            if chunk.iteration[event] == index {
                chunk.start[event] = chunk.start[event] - before + begin;
            }
        }
    }
    begin + iteration.duration.0
}

pub(crate) fn recordings([a, b]: [Vec<Launch>; 2]) -> [Recording; 2] {
    [recording("a", a), recording("b", b)]
}

/// Times of the model's layers: each launch is at a level of its own, up to twice another
/// one, which both sides share; the machine slows down by 4 % over each launch; one
/// iteration in twenty is preempted; B's layers take `factors` as long.
pub(crate) fn rough(seed: u64, factors: [f64; 5]) -> impl FnMut(Place) -> u64 {
    let mut random = Sequence::new(seed);
    move |place| {
        let base = [100_000, 20_000, 30_000, 200_000, 10_000][place.operator] as f64;
        let level = 1.0 + f64::from(place.launch * 7 % 5) / 4.0;
        let drift = 1.0 + 0.04 * f64::from(place.iteration) / 40.0;
        let noise = 1.0 + random.below(2_000) as f64 / 100_000.0;
        // Not at the begin, which would look like warm-up.
        let preempted = if random.below(20) == 0 && place.iteration > 4 { 3.0 } else { 1.0 };
        let factor = if place.side == 1 { factors[place.operator] } else { 1.0 };
        (base * level * drift * noise * preempted * factor) as u64
    }
}

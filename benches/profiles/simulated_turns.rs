//! Simulated launches in which two sides take turns iteration by iteration, of which the
//! truth is known.

use crate::sequence::Sequence;
use std::f64::consts::TAU;

fn uniform(random: &mut Sequence) -> f64 {
    const STEPS: u64 = 1 << 53;
    random.below(STEPS) as f64 / STEPS as f64
}

/// The method of Box and Muller.
fn normal(random: &mut Sequence) -> f64 {
    let radius = (-2.0 * (1.0 - uniform(random)).ln()).sqrt();
    radius * (TAU * uniform(random)).cos()
}

/// What befalls a simulated recording. Shares are of the time, as logarithms.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Machine {
    pub name: &'static str,
    /// A's time, in nanoseconds.
    pub time: f64,
    /// How iterations scatter, each for itself.
    pub noise: f64,
    /// How the ratio scatters from launch to launch.
    pub launches: f64,
    /// Whether one launch in five is off by more, instead of all by some.
    pub skewed: bool,
    /// By so much a launch slows down from its begin to its end.
    pub linear: f64,
    /// How far both wander together, with a correlation of 0.95 from one iteration to
    /// the next.
    pub wandering: f64,
    /// By so much another program slows both down; it comes and goes about every 40
    /// iterations, and makes them scatter three times as much.
    pub load: f64,
    /// How often an iteration takes twice as long and more.
    pub outliers: f64,
    /// By so much the first iteration after a switch of sides is slower, by side.
    pub cold: [f64; 2],
    /// The clock's step, in nanoseconds.
    pub tick: f64,
}

pub(crate) const QUIET: Machine = Machine {
    name: "quiet",
    time: 100_000.0,
    noise: 0.02,
    launches: 0.005,
    skewed: false,
    linear: 0.0,
    wandering: 0.0,
    load: 0.0,
    outliers: 0.01,
    cold: [0.0; 2],
    tick: 1.0,
};

/// What was looked at, without machines on which the sides differ in how they suffer.
pub(crate) const MACHINES: [Machine; 10] = [
    QUIET,
    Machine { name: "slows down by 20 %", linear: 0.2, ..QUIET },
    Machine { name: "wanders by 5 %", wandering: 0.05, ..QUIET },
    Machine { name: "load that comes and goes, 40 %", load: 0.4, outliers: 0.05, ..QUIET },
    Machine { name: "10 % of outliers", outliers: 0.1, ..QUIET },
    Machine { name: "cold after a switch, 8 %", cold: [0.08; 2], ..QUIET },
    Machine { name: "2 µs, clock of 40 ns", time: 2000.0, tick: 40.0, ..SMALL },
    Machine { name: "0.5 µs, clock of 40 ns", time: 500.0, tick: 40.0, noise: 0.05, ..SMALL },
    Machine { name: "launches differ by 3 %", launches: 0.03, ..QUIET },
    Machine {
        name: "all of it",
        linear: 0.1,
        wandering: 0.03,
        load: 0.4,
        outliers: 0.05,
        cold: [0.08; 2],
        ..QUIET
    },
];

const SMALL: Machine = Machine { noise: 0.1, launches: 0.02, outliers: 0.05, ..QUIET };

/// A pair of iterations: the logarithms of the times of A and B.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SimulatedPair {
    pub logarithms: [f64; 2],
    /// The side that began its round.
    pub first: usize,
    /// Whether one of them comes right after a switch of sides.
    pub after_switch: bool,
    pub round: usize,
}

/// One launch of this many iterations on each side, in turns of `turn`; `first` begins, and
/// `ratio` is the logarithm of B by A.
pub(crate) fn launch(
    machine: &Machine,
    (iterations, turn): (usize, usize),
    first: usize,
    ratio: f64,
    random: &mut Sequence,
) -> Vec<SimulatedPair> {
    let of_launch = match machine.skewed {
        false => machine.launches * normal(random),
        true if uniform(random) < 0.2 => 3.2 * machine.launches,
        true => -0.8 * machine.launches,
    };
    let level = machine.time.ln() + 0.1 * normal(random);
    let (mut wandering, mut busy) = (normal(random), uniform(random) < 0.5);
    let (mut before, mut run) = (None, 0);
    let mut pairs: Vec<SimulatedPair> = Vec::new();
    for round in 0..iterations / turn {
        let first = (first + round) % 2;
        let begin = pairs.len();
        let empty = SimulatedPair { logarithms: [0.0; 2], first, after_switch: false, round };
        pairs.resize(begin + turn, empty);
        for side in [first, 1 - first] {
            for pair in &mut pairs[begin..] {
                wandering = 0.95 * wandering + (1.0f64 - 0.95 * 0.95).sqrt() * normal(random);
                busy ^= uniform(random) < 1.0 / 40.0;
                let is_loaded = busy && machine.load > 0.0;
                let mut time = level
                    + machine.linear * run as f64 / (2 * iterations) as f64
                    + machine.wandering * wandering
                    + machine.noise * normal(random) * if is_loaded { 3.0 } else { 1.0 };
                time += if is_loaded { machine.load } else { 0.0 };
                time += if side == 1 { ratio + of_launch } else { 0.0 };
                if before.is_some_and(|before| before != side) {
                    time += machine.cold[side];
                    pair.after_switch = true;
                }
                if uniform(random) < machine.outliers {
                    time += (2.0 - (1.0 - uniform(random)).ln()).ln();
                }
                let ticks = (time.exp() / machine.tick + uniform(random)).floor().max(1.0);
                pair.logarithms[side] = (ticks * machine.tick).ln();
                (before, run) = (Some(side), run + 1);
            }
        }
    }
    pairs
}

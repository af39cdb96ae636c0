//! Noise as machines make it, for tests of intervals.

use crate::probability::Generator;
use std::f64::consts::TAU;

/// How much an iteration resembles the one before.
const RESEMBLANCE: f64 = 0.5;
/// One in this many iterations is preempted, and takes up to half as long again.
const PREEMPTED: usize = 20;

pub(in crate::statistics) struct Noise(Generator);

impl Noise {
    pub(in crate::statistics) fn new(seed: u64) -> Noise {
        Noise(Generator::new(seed))
    }

    /// From 0 to 1.
    fn uniform(&mut self) -> f64 {
        (self.0.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Standard normal (Box and Muller 1958).
    pub(in crate::statistics) fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (TAU * self.uniform()).cos()
    }

    /// Logarithms of latencies about 0, in their order, with so much spread.
    pub(in crate::statistics) fn iterations(&mut self, count: usize, spread: f64) -> Vec<f64> {
        let mut state = self.normal();
        let fresh = (1.0f64 - RESEMBLANCE * RESEMBLANCE).sqrt();
        let next = |_| {
            state = RESEMBLANCE * state + fresh * self.normal();
            let preempted = self.0.below(PREEMPTED) == 0;
            spread * state + if preempted { 0.5 * self.uniform() } else { 0.0 }
        };
        (0..count).map(next).collect()
    }
}

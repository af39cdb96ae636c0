//! A base and variants of it, loaded side by side, and run in turns.
//!
//! ```text
//! round 1   base  v3 v1 v6 v2  base  v5 v4  base
//! round 2         v2 v4 v1 v5  base  v6 v3  base
//! ```
//!
//! Each turn of a variant is compared with the turns of the base before and after it, a few
//! milliseconds away, so that what changes on the machine meanwhile falls on both alike. A turn
//! begins with a run that is not timed, which finds the caches as another variant left them: a
//! round begins with the base's turn that ended the last one, since two of them in a row find the
//! caches warmer than any variant does.

use super::order::order;
use super::side::Side;
use super::timed::Timed;
use crate::engine::Engines;
use crate::error::RecordError;
use crate::launch::conditions::others::Others;
use crate::launches::Displacement;
use crate::median::median;
use crate::tensor::Tensor;
use crate::workload::Workload;
use onnxray_format::Nanoseconds;
use std::time::Duration;

/// Variants between two turns of the base.
const GROUP: usize = 4;
/// The timed runs of a turn take about this long.
const TURN: Nanoseconds = Nanoseconds(10_000_000);
/// But there are no more of them than this.
const LONGEST_TURN: u64 = 50;
/// So that a burst of other work in two of them does not move the median.
const FEWEST_ROUNDS: u32 = 5;
/// More of them say nothing that the next launch does not say better.
const MOST_ROUNDS: u32 = 200;

/// A base and its variants; of one that does not run, why.
pub(crate) struct Rounds {
    inputs: Timed,
    pub(crate) base: Side,
    pub(crate) variants: Vec<Result<Side, String>>,
    /// First quartiles of the base's turns, in nanoseconds.
    base_turns: Vec<f64>,
    /// By variant and round: logarithm of its latency / the base's.
    ratios: Vec<Vec<f64>>,
    /// The base's turn that ended the last round.
    before: Option<f64>,
    /// Timed runs per turn.
    turn: u64,
}

pub(crate) struct Measured {
    /// Latency of the base in nanoseconds: the median of its turns.
    pub(crate) base_ns: Option<f64>,
    pub(crate) rounds: u32,
    /// Cores that other programs used meanwhile; `None` where the system does not tell.
    pub(crate) other_cores: Option<f64>,
    /// Median over rounds of each variant's latency / the base's; or why it did not run.
    pub(crate) ratios: Vec<Result<Option<f64>, String>>,
}

impl Rounds {
    pub(crate) fn new(inputs: Timed, base: Side, variants: Vec<Result<Side, String>>) -> Rounds {
        let ratios = vec![Vec::new(); variants.len()];
        Rounds { inputs, base, variants, base_turns: Vec::new(), ratios, before: None, turn: 1 }
    }

    /// Outputs of the base, for each of these inputs.
    ///
    /// # Errors
    ///
    /// If it does not run.
    pub(crate) fn base_outputs(
        &mut self,
        each: &[Workload],
    ) -> Result<Vec<Vec<Tensor>>, RecordError> {
        self.base.outputs_of_each(each)
    }

    /// Outputs of a variant for each of these inputs. If it fails, it gets no turns.
    pub(crate) fn outputs(
        &mut self,
        variant: usize,
        each: &[Workload],
    ) -> Option<Vec<Vec<Tensor>>> {
        let side = self.variants[variant].as_mut().ok()?;
        match side.outputs_of_each(each) {
            Ok(outputs) => Some(outputs),
            Err(error) => {
                self.variants[variant] = Err(error.to_string());
                None
            }
        }
    }

    /// Round after round, until time is up.
    ///
    /// # Errors
    ///
    /// If the base does not run.
    pub(crate) fn run(
        mut self,
        engines: &dyn Engines,
        time: Duration,
        seed: u64,
    ) -> Result<Measured, RecordError> {
        // The first run allocates: the shorter one tells how many runs a turn has room for.
        let first = self.base.next(&mut self.inputs)?;
        let latency = first.min(self.base.next(&mut self.inputs)?);
        self.turn = TURN.0.div_ceil(latency.0.max(1)).clamp(1, LONGEST_TURN);
        let clock = engines.clock();
        let begun = clock.now();
        let is_over = || u128::from((clock.now() - begun).0) >= time.as_nanos();
        let others = Others::begin();
        let mut rounds = 0;
        // Too little time still gives a median: a launch without one would be wasted.
        while rounds < MOST_ROUNDS && (rounds < FEWEST_ROUNDS || !is_over()) {
            self.round(&order(self.variants.len(), seed, rounds))?;
            rounds += 1;
        }
        let other_cores = others.end();
        let ratio = |(side, ratios): (Result<Side, String>, Vec<f64>)| {
            side.map(|_| median(&ratios).map(f64::exp))
        };
        let ratios = self.variants.into_iter().zip(self.ratios).map(ratio).collect();
        Ok(Measured { base_ns: median(&self.base_turns), rounds, other_cores, ratios })
    }

    fn round(&mut self, order: &[usize]) -> Result<(), RecordError> {
        let Rounds { inputs, base, base_turns, variants, ratios, before: last, turn } = self;
        let mut before = match *last {
            Some(last) => last,
            None => {
                let first = base.turn(inputs, *turn)?;
                base_turns.push(first);
                first
            }
        };
        let ready: Vec<usize> =
            order.iter().copied().filter(|&number| variants[number].is_ok()).collect();
        for group in ready.chunks(GROUP) {
            let mut turns = Vec::new();
            for &number in group {
                let Ok(side) = &mut variants[number] else { continue };
                match side.turn(inputs, *turn) {
                    Ok(latency) => turns.push((number, latency)),
                    // It has no further turns; the others go on.
                    Err(error) => variants[number] = Err(error.to_string()),
                }
            }
            // The base's own turn came right before.
            if turns.is_empty() {
                continue;
            }
            let behind = base.turn(inputs, *turn)?;
            base_turns.push(behind);
            for (number, latency) in turns {
                // The geometric mean of the two turns around: docs/statistics.md#tuning.
                let of_base = (before.ln() + behind.ln()) / 2.0;
                ratios[number].push(latency.ln() - of_base);
            }
            before = behind;
        }
        *last = Some(before);
        Ok(())
    }
}

/// Loads base and variants in this order, each at another place in memory than in other launches.
/// The number after the last variant is the base.
///
/// # Errors
///
/// If the base does not load.
pub(crate) fn loaded_in(
    order: &[usize],
    base: impl FnOnce() -> Result<Side, RecordError>,
    variant: impl Fn(usize) -> Result<Side, String>,
) -> Result<(Side, Vec<Result<Side, String>>), RecordError> {
    let count = order.len().saturating_sub(1);
    let (mut base, mut loaded_base) = (Some(base), None);
    let mut variants: Vec<Option<Result<Side, String>>> = (0..count).map(|_| None).collect();
    let mut displacements = Vec::new();
    for &place in order {
        displacements.push(Displacement::random());
        match variants.get_mut(place) {
            Some(own) => *own = Some(variant(place)),
            None => loaded_base = base.take().map(|load| load()),
        }
    }
    drop(displacements);
    let base = loaded_base.or_else(|| base.take().map(|load| load()));
    let base = base.unwrap_or_else(|| unreachable!("it is loaded once"))?;
    Ok((base, variants.into_iter().flatten().collect()))
}

//! Runs a model and the sides of its cuts, in turns.

use super::other_weights::OtherWeights;
use super::side::{Ready, Sides};
use super::times::{Gathered, GroupTimes, History, ends};
use super::timing::Timing;
use crate::engine::{Engine, RunFailure, Runner};
use crate::error::RecordError;
use crate::tensor::Tensor;
use onnxray_format::{Nanoseconds, Span};
use std::ops::Range;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Turns of each side in an iteration, and runs of a turn that are timed: the median of six is hardly
/// moved by a burst in two of them.
const ROUNDS: u64 = 3;
pub(crate) const TIMED: u64 = 2;
/// Runs before these. The first one finds the caches as another part left them, and is 40 % slower; the
/// second 20 %, the third 5 %, the fourth no slower than all others (on a Xeon, with weights of 3 to
/// 10 MB).
const WARM: u64 = 3;
/// Runs that take as long by themselves depend little on what ran before them, or on bursts.
const LONG: Nanoseconds = Nanoseconds(50_000_000);

/// Rounds of an iteration in which the whole takes this long; at first, it is not known.
fn rounds(whole: Option<Nanoseconds>) -> u64 {
    whole.map_or(1, |whole| (LONG.0 / whole.0.max(1)).clamp(1, ROUNDS))
}

/// Timed runs of a turn of the row. All its blocks together take as long as both sides of one cut, and a run tells
/// of each of them: as many as there are cuts make an iteration a sixth longer. Where blocks are many and alike, they
/// decide.
fn timed_in_row(cuts: u64) -> u64 {
    TIMED.max(cuts)
}

/// How many runs that take as long as the whole an iteration of this many blocks has: of the whole, of both sides
/// of each cut, and of all blocks in a row.
pub(super) fn runs(whole: Nanoseconds, blocks: u64) -> u64 {
    let warm = LONG.0.div_ceil(whole.0.max(1)).clamp(1, WARM);
    let in_row = if blocks > 2 { warm + timed_in_row(blocks - 1) } else { 0 };
    rounds(Some(whole)) * (blocks * (warm + TIMED) + in_row)
}

/// Makes the sides of a cut ready to run.
pub(super) type SidesOf = Box<dyn Fn(usize) -> Result<Sides, RecordError>>;

/// A whole model, and the sides of its cuts.
pub(super) struct BlockRunner {
    engine: Rc<dyn Engine>,
    threads: u32,
    keeps_waits: bool,
    whole: Box<dyn Runner>,
    /// What is between each cut and the next one, where blocks are timed in a row as well.
    between: Vec<Ready>,
    sides_of: SidesOf,
    /// Cuts whose sides are in memory at once, by their numbers: all, where they fit.
    groups: Vec<Range<usize>>,
    /// The group that is in memory, and its cuts.
    held: usize,
    cuts: Vec<(usize, Sides)>,
    weights: OtherWeights,
    /// By cut, bytes to read between two runs of what is before it.
    others: Vec<u64>,
    /// What a cut usually adds, as a share of the whole.
    usual: f64,
    /// Inputs of each run: engines take those that were prepared.
    inputs: Vec<Tensor>,
    /// Rounds of all iterations so far.
    rounds: u64,
    /// Times of the iterations so far.
    history: History,
    /// When the iteration began, and the whole's time in it.
    timed: Option<(Nanoseconds, Nanoseconds)>,
    spans: Option<Vec<Span>>,
}

impl BlockRunner {
    /// Of cuts in groups, each of which shares a cut with the next one; `others` are, by cut, bytes of
    /// weights to read between two runs of what is before it, and `usual` is what a cut usually adds, as a share of
    /// the whole.
    ///
    /// # Errors
    ///
    /// If a side of the first group cannot be made ready.
    pub(super) fn new(
        (engine, threads, keeps_waits): (Rc<dyn Engine>, u32, bool),
        (whole, between, sides_of): (Box<dyn Runner>, Vec<Ready>, SidesOf),
        groups: Vec<Range<usize>>,
        (weights, others): (OtherWeights, Vec<u64>),
        usual: f64,
    ) -> Result<BlockRunner, RecordError> {
        let mut runner = BlockRunner {
            engine,
            threads,
            keeps_waits,
            whole,
            between,
            sides_of,
            groups,
            held: 0,
            cuts: Vec::new(),
            weights,
            others,
            usual,
            inputs: Vec::new(),
            rounds: 0,
            history: History::default(),
            timed: None,
            spans: None,
        };
        runner.hold(0)?;
        Ok(runner)
    }

    /// Loads the cuts of a group, and drops those of the one before that are not among them.
    fn hold(&mut self, group: usize) -> Result<(), RecordError> {
        let own = self.groups[group].clone();
        self.cuts.retain(|(cut, _)| own.contains(cut));
        for cut in own {
            if self.cuts.iter().all(|(held, _)| *held != cut) {
                self.cuts.push((cut, (self.sides_of)(cut)?));
            }
        }
        self.cuts.sort_unstable_by_key(|(cut, _)| *cut);
        self.held = group;
        Ok(())
    }

    /// Times of the group in memory in turns with the whole; `None` if it was stopped.
    fn group(&mut self, stop: &AtomicBool) -> Result<Option<GroupTimes>, RunFailure> {
        let count = self.cuts.len();
        let sides = vec![[Vec::new(), Vec::new()]; count];
        let row = vec![Vec::new(); if self.has_row() { count + 1 } else { 0 }];
        let mut times = GroupTimes { sides, row, whole: Vec::new() };
        let parts = count + usize::from(self.has_row());
        for _ in 0..rounds(self.timed.map(|(_, whole)| whole)) {
            let is_forth = self.rounds.is_multiple_of(2);
            self.rounds += 1;
            // There and back, so that a drift falls on all alike; the whole is at one end.
            for place in 0..=parts {
                if stop.load(Ordering::Relaxed) {
                    return Ok(None);
                }
                let at = if is_forth { place } else { parts - place };
                if at == parts {
                    times.whole.extend(self.turn_of_whole()?);
                } else if at == count {
                    self.turn_of_row(&mut times.row)?;
                } else {
                    self.turn_of_cut(at, &mut times.sides[at])?;
                }
            }
        }
        Ok(Some(times))
    }

    fn turn_of_whole(&mut self) -> Result<Turn, RunFailure> {
        let timing = Timing::of(&*self.engine, self.threads, self.keeps_waits);
        turn(&mut *self.whole, &self.inputs, timing, || {}).map_err(without_operator)
    }

    /// A turn of the sides of a cut of the group in memory.
    fn turn_of_cut(
        &mut self,
        cut: usize,
        times: &mut [Vec<Nanoseconds>; 2],
    ) -> Result<(), RunFailure> {
        let timing = Timing::of(&*self.engine, self.threads, self.keeps_waits);
        let (number, Sides { before, behind }) = &mut self.cuts[cut];
        match behind {
            Some(behind) => {
                let before: (&mut dyn Runner, &[Tensor]) = (&mut **before, &self.inputs);
                let turns = turn_in_sequence([before, behind.with_inputs()], TIMED, timing);
                let turns = turns.map_err(without_operator)?;
                times.iter_mut().zip(turns).for_each(|(side, own)| side.extend(own));
            }
            None => {
                let read_others = || self.weights.read(self.others[*number]);
                let own = turn(&mut **before, &self.inputs, timing, read_others);
                times[0].extend(own.map_err(without_operator)?);
            }
        }
        // Outputs of all sides would be in memory at once.
        self.cuts[cut].1.clear();
        Ok(())
    }

    /// Whether blocks are timed in a row as well. One cut needs none: its two sides are the row.
    fn has_row(&self) -> bool {
        !self.between.is_empty()
    }

    /// A turn of all blocks, each of which is a model of its own, one after the other: what is before the
    /// first cut, between each and the next one, and behind the last one.
    fn turn_of_row(&mut self, times: &mut [Vec<Nanoseconds>]) -> Result<(), RunFailure> {
        let timing = Timing::of(&*self.engine, self.threads, self.keeps_waits);
        let [(_, first), .., (_, last)] = &mut self.cuts[..] else { return Ok(()) };
        let Some(last) = &mut last.behind else { return Ok(()) };
        let first: (&mut dyn Runner, _) = (&mut *first.before, &self.inputs[..]);
        let inner = self.between.iter_mut().chain([last]);
        let inner = inner.map(Ready::with_inputs);
        let blocks = std::iter::once(first).chain(inner);
        let turns = turn_in_sequence(blocks, timed_in_row(times.len() as u64 - 1), timing);
        for (block, own) in times.iter_mut().zip(turns.map_err(without_operator)?) {
            block.extend(own);
        }
        self.clear_parts();
        Ok(())
    }

    /// Drops what sides and blocks computed.
    fn clear_parts(&mut self) {
        self.cuts.iter_mut().for_each(|(_, sides)| sides.clear());
        self.between.iter_mut().for_each(|block| block.runner.clear());
    }
}

/// An operator's number is not the part's.
fn without_operator(failure: RunFailure) -> RunFailure {
    RunFailure { operator: None, ..failure }
}

/// Times of a turn.
type Turn = [Nanoseconds; TIMED as usize];

/// A turn of a part: its times, after runs that are not timed. Calls `between` before each run but the
/// first.
pub(crate) fn turn(
    runner: &mut dyn Runner,
    inputs: &[Tensor],
    timing: Timing,
    between: impl Fn(),
) -> Result<Turn, RunFailure> {
    let mut side = TimedSide::new(runner, inputs, timing);
    let mut warm = side.run()?;
    for _ in 1..WARM {
        if warm >= LONG {
            break;
        }
        between();
        warm += side.run()?;
    }
    let mut times = [Nanoseconds(0); TIMED as usize];
    for time in &mut times {
        between();
        *time = side.run()?;
    }
    Ok(times)
}

/// A turn of models that run one after the other, so that each finds the caches as the rest of the whole
/// leaves them: alone, a short side would keep its weights there. Gives `timed` times of each.
pub(crate) fn turn_in_sequence<'a>(
    models: impl IntoIterator<Item = (&'a mut dyn Runner, &'a [Tensor])>,
    timed: u64,
    timing: Timing<'a>,
) -> Result<Vec<Vec<Nanoseconds>>, RunFailure> {
    let side = |(runner, inputs)| TimedSide::new(runner, inputs, timing);
    let mut row: Vec<TimedSide> = models.into_iter().map(side).collect();
    let mut turns = vec![Vec::new(); row.len()];
    let mut run = || row.iter_mut().map(TimedSide::run).collect::<Result<Vec<_>, _>>();
    let mut warm = Nanoseconds(0);
    for _ in 0..WARM {
        warm += Nanoseconds(run()?.iter().map(|time| time.0).sum());
        if warm >= LONG {
            break;
        }
    }
    for _ in 0..timed {
        turns.iter_mut().zip(run()?).for_each(|(turn, time)| turn.push(time));
    }
    Ok(turns)
}

/// A side in its turn. All runs but the first one take the same inputs and write where the first one
/// wrote, if the engine can: memory that is asked for in each run is new to the caches.
struct TimedSide<'a> {
    runner: &'a mut dyn Runner,
    inputs: &'a [Tensor],
    timing: Timing<'a>,
    is_bound: bool,
}

impl<'a> TimedSide<'a> {
    fn new(runner: &'a mut dyn Runner, inputs: &'a [Tensor], timing: Timing<'a>) -> TimedSide<'a> {
        TimedSide { runner, inputs, timing, is_bound: false }
    }

    fn run(&mut self) -> Result<Nanoseconds, RunFailure> {
        let was_bound = self.is_bound;
        let time = self.run_once()?;
        // An output had another shape than before: what was timed are two runs.
        if was_bound && !self.is_bound { self.run_once() } else { Ok(time) }
    }

    fn run_once(&mut self) -> Result<Nanoseconds, RunFailure> {
        if !self.is_bound {
            // What it computed before is dropped outside of what is timed.
            self.runner.clear();
            let prepared = self.runner.prepare(self.inputs);
            prepared.map_err(|reason| RunFailure { operator: None, reason })?;
        }
        let time = self.timing.time(|| self.runner.run())?;
        self.is_bound = self.runner.bind();
        Ok(time)
    }
}

impl Runner for BlockRunner {
    fn clear(&mut self) {
        self.clear_parts();
        self.whole.clear();
    }

    fn prepare(&mut self, inputs: &[Tensor]) -> Result<(), String> {
        self.inputs = inputs.to_vec();
        Ok(())
    }

    fn run(&mut self) -> Result<(), RunFailure> {
        self.run_until(&AtomicBool::new(false)).map(|_| ())
    }

    fn run_until(&mut self, stop: &AtomicBool) -> Result<bool, RunFailure> {
        let begin = self.engine.clock().now();
        let mut gathered = Gathered::default();
        let groups = self.groups.len();
        // The group that was the last one is in memory, and is the first one now.
        let is_forth = self.held == 0;
        for number in 0..groups {
            let group = if is_forth { number } else { groups - 1 - number };
            let held = self.hold(group);
            held.map_err(|error| RunFailure { operator: None, reason: error.to_string() })?;
            let Some(times) = self.group(stop)? else { return Ok(false) };
            gathered.add(self.groups[group].clone(), times);
        }
        let iteration = gathered.medians(self.usual);
        let whole = iteration.whole;
        let places = self.history.add(iteration);
        let mut start = Nanoseconds(0);
        let spans = ends(&places, whole).into_iter().enumerate().map(|(number, end)| {
            let duration = end - start;
            let span = Span { operator: number as u32, worker: 0, start: begin + start, duration };
            start = end;
            span
        });
        self.spans = Some(spans.collect());
        self.timed = Some((begin, whole));
        Ok(true)
    }

    fn timed(&self) -> Option<(Nanoseconds, Nanoseconds)> {
        self.timed
    }

    fn take_spans(&mut self, spans: &mut Vec<Span>) -> bool {
        match self.spans.take() {
            Some(own) => {
                *spans = own;
                true
            }
            None => false,
        }
    }

    fn release_spans(&mut self) -> Result<(), String> {
        Ok(())
    }

    fn outputs(&mut self) -> Result<Vec<Tensor>, String> {
        self.whole.outputs()
    }
}

#[cfg(test)]
mod tests;

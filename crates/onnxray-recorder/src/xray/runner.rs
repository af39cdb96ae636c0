//! Runs a model and what is before its cuts, in turns.

use super::times::{ends, median};
use crate::clock::Clock;
use crate::engine::{Engine, RunFailure, Runner};
use crate::tensor::Tensor;
use onnxray_format::{Nanoseconds, Span};
use std::rc::Rc;

/// Turns of each part in an iteration, and runs of a turn that are timed: the median of six is hardly
/// moved by a burst in two of them.
const ROUNDS: u64 = 3;
const TIMED: u64 = 2;
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

/// How often a part runs in an iteration.
pub(super) fn runs(whole: Nanoseconds, part: Nanoseconds) -> u64 {
    let warm = LONG.0.div_ceil(part.0.max(1)).clamp(1, WARM);
    rounds(Some(whole)) * (warm + TIMED)
}

/// A whole model, and the parts of it that are before its cuts.
pub(super) struct BlockRunner {
    engine: Rc<dyn Engine>,
    /// In the order of the cuts; the whole is the last one.
    parts: Vec<Box<dyn Runner>>,
    /// Inputs of each run: engines take those that were prepared.
    inputs: Vec<Tensor>,
    /// By part: its times in this iteration.
    times: Vec<Vec<Nanoseconds>>,
    /// Rounds of all iterations so far.
    rounds: u64,
    /// When the iteration began, and the whole's time in it.
    timed: Option<(Nanoseconds, Nanoseconds)>,
    spans: Option<Vec<Span>>,
}

impl BlockRunner {
    pub(super) fn new(engine: Rc<dyn Engine>, parts: Vec<Box<dyn Runner>>) -> BlockRunner {
        let times = vec![Vec::new(); parts.len()];
        BlockRunner {
            engine,
            parts,
            inputs: Vec::new(),
            times,
            rounds: 0,
            timed: None,
            spans: None,
        }
    }

    fn turn(&mut self, part: usize) -> Result<(), RunFailure> {
        let is_whole = part + 1 == self.parts.len();
        let runner = &mut *self.parts[part];
        self.times[part].extend(turn(runner, &self.inputs, self.engine.clock())?);
        // Outputs of all parts would be in memory at once.
        if !is_whole {
            runner.clear();
        }
        Ok(())
    }
}

/// A turn of a part: its times, after runs that are not timed.
pub(crate) fn turn(
    runner: &mut dyn Runner,
    inputs: &[Tensor],
    clock: &dyn Clock,
) -> Result<[Nanoseconds; TIMED as usize], RunFailure> {
    let begun = clock.now();
    for number in 1.. {
        run_once(runner, inputs, clock)?;
        if number >= WARM || clock.now() - begun >= LONG {
            break;
        }
    }
    let mut times = [Nanoseconds(0); TIMED as usize];
    for time in &mut times {
        *time = run_once(runner, inputs, clock)?;
    }
    Ok(times)
}

fn run_once(
    runner: &mut dyn Runner,
    inputs: &[Tensor],
    clock: &dyn Clock,
) -> Result<Nanoseconds, RunFailure> {
    // What it computed before is dropped outside of what is timed.
    runner.clear();
    let prepared = runner.prepare(inputs);
    prepared.map_err(|reason| RunFailure { operator: None, reason })?;
    let begin = clock.now();
    runner.run()?;
    Ok(clock.now() - begin)
}

impl Runner for BlockRunner {
    fn clear(&mut self) {
        self.parts.iter_mut().for_each(|part| part.clear());
    }

    fn prepare(&mut self, inputs: &[Tensor]) -> Result<(), String> {
        self.inputs = inputs.to_vec();
        Ok(())
    }

    fn run(&mut self) -> Result<(), RunFailure> {
        self.times.iter_mut().for_each(Vec::clear);
        let begin = self.engine.clock().now();
        for _ in 0..rounds(self.timed.map(|(_, whole)| whole)) {
            let is_forth = self.rounds.is_multiple_of(2);
            self.rounds += 1;
            for place in 0..self.parts.len() {
                // There and back, so that a drift falls on all alike.
                let part = if is_forth { place } else { self.parts.len() - 1 - place };
                // An operator's number is not the part's.
                self.turn(part).map_err(|failure| RunFailure { operator: None, ..failure })?;
            }
        }
        let mut medians: Vec<Nanoseconds> =
            self.times.iter_mut().map(|times| median(times)).collect();
        let whole = medians.pop().unwrap_or_default();
        let mut start = Nanoseconds(0);
        let spans = ends(&medians, whole).into_iter().enumerate().map(|(number, end)| {
            let duration = end - start;
            let span = Span { operator: number as u32, worker: 0, start: begin + start, duration };
            start = end;
            span
        });
        self.spans = Some(spans.collect());
        self.timed = Some((begin, whole));
        Ok(())
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
        match self.parts.last_mut() {
            Some(whole) => whole.outputs(),
            None => Err("it has no outputs".to_string()),
        }
    }
}

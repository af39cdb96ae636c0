//! Runs a model and what is before its cuts, in turns.

use super::times::{ends, median};
use crate::engine::{Engine, RunFailure, Runner};
use crate::tensor::Tensor;
use onnxray_format::{Nanoseconds, Span};
use std::rc::Rc;

/// Turns of each part in an iteration; the median of five is not moved by a burst in two of them.
const ROUNDS: usize = 5;

/// A whole model, and the parts of it that are before its cuts.
pub(super) struct BlockRunner {
    engine: Rc<dyn Engine>,
    /// In the order of the cuts; the whole is the last one.
    parts: Vec<Box<dyn Runner>>,
    /// Inputs of each run: engines take those that were prepared.
    inputs: Vec<Tensor>,
    /// By part: its times in this iteration.
    times: Vec<Vec<Nanoseconds>>,
    /// When the iteration began, and the whole's time in it.
    timed: Option<(Nanoseconds, Nanoseconds)>,
    spans: Option<Vec<Span>>,
}

impl BlockRunner {
    pub(super) fn new(engine: Rc<dyn Engine>, parts: Vec<Box<dyn Runner>>) -> BlockRunner {
        let times = vec![Vec::new(); parts.len()];
        BlockRunner { engine, parts, inputs: Vec::new(), times, timed: None, spans: None }
    }

    fn turn(&mut self, part: usize) -> Result<(), RunFailure> {
        let is_whole = part + 1 == self.parts.len();
        let runner = &mut self.parts[part];
        // The first one finds the caches as another part left them, and is not timed.
        let mut took = Nanoseconds(0);
        for _ in 0..2 {
            // What it computed before is dropped outside of what is timed.
            runner.clear();
            let prepared = runner.prepare(&self.inputs);
            prepared.map_err(|reason| RunFailure { operator: None, reason })?;
            let clock = self.engine.clock();
            let begin = clock.now();
            runner.run()?;
            took = clock.now() - begin;
        }
        // Outputs of all parts would be in memory at once.
        if !is_whole {
            runner.clear();
        }
        self.times[part].push(took);
        Ok(())
    }
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
        for round in 0..ROUNDS {
            for place in 0..self.parts.len() {
                // There and back, so that a drift falls on all alike.
                let part = if round % 2 == 0 { place } else { self.parts.len() - 1 - place };
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

//! Runs a session, plain or profiled.
//!
//! The runtime gives up a profile when it ends, and cannot begin another one: so a profiled
//! session is renewed from time to time. What ran in between is a segment.

use super::executed::Executed;
use super::profile::ProfileFile;
use super::sessions::Sessions;
use super::tensors::{BoundOutputs, from_value, guarded, into_value, into_values, run};
use crate::clock::now;
use crate::engine::{RunFailure, Runner};
use crate::error::RecordError;
use crate::tensor::Tensor;
use onnxray_format::{Nanoseconds, Span};
use onnxray_import::Launch;
use onnxray_text::counted;
use ort::session::{Session, SessionInputValue};
use ort::value::{DynValue, ValueType};
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::path::Path;
use std::rc::Rc;

/// A segment ends before it has this many events. The runtime records 1,000,000 and drops the
/// rest; it keeps them in memory, about 1.5 KB each.
const MOST_EVENTS: u64 = 200_000;
/// Events beside those of nodes, and of each node in versions that mark its begin and end.
const EVENTS_OF_RUN: u64 = 2;
const EVENTS_OF_NODE: u64 = 3;
/// A segment ends after this long, which is what a process that is killed loses; but not
/// before this many times what it takes to begin one.
const LONGEST: Nanoseconds = Nanoseconds(10_000_000_000);
const LOAD_TIMES: u64 = 20;

/// Inputs of the next run and outputs of the last one.
#[derive(Default)]
struct Values {
    inputs: Vec<SessionInputValue<'static>>,
    /// `None` for those that cannot be fetched.
    outputs: Vec<Option<DynValue>>,
}

impl Values {
    fn prepare(&mut self, inputs: &[Tensor]) -> Result<(), String> {
        self.outputs.clear();
        self.inputs = guarded(|| into_values(inputs))?;
        Ok(())
    }

    /// Hands outputs on without a copy. An empty one means that nothing changed, as for an
    /// encoder's keys after the first step: its input stays.
    fn prepare_step(
        &mut self,
        inputs: &[Option<Tensor>],
        feeds: &[(usize, usize)],
    ) -> Result<(), String> {
        let mut outputs = std::mem::take(&mut self.outputs);
        // In slots that each can be moved out of: values are handed on without a copy.
        let mut last: Vec<Option<_>> = self.inputs.drain(..).map(Some).collect();
        let input = |(position, input): (usize, &Option<Tensor>)| match input {
            Some(tensor) => guarded(|| into_value(tensor)),
            None => {
                let (output, _) =
                    feeds.iter().find(|(_, to)| *to == position).ok_or("an input has no source")?;
                let value = outputs.get_mut(*output).and_then(Option::take);
                let value = value.ok_or("the step before has no such output")?;
                match last.get_mut(position).and_then(Option::take) {
                    Some(input) if is_empty(&value) => Ok(input),
                    _ => Ok(value.into()),
                }
            }
        };
        self.inputs = inputs.iter().enumerate().map(input).collect::<Result<_, String>>()?;
        Ok(())
    }

    fn run(&mut self, session: &mut Session) -> Result<(), String> {
        let Values { inputs, outputs } = self;
        // `prepare` has dropped them already, outside of what is measured.
        outputs.clear();
        guarded(|| {
            *outputs = run(session, inputs)?;
            Ok(())
        })
    }

    fn outputs(&self) -> Result<Vec<Tensor>, String> {
        let tensor = |value: &Option<DynValue>| match value {
            Some(value) => from_value(value),
            None => Err("an output is optional: its result may be none".to_string()),
        };
        guarded(|| self.outputs.iter().map(tensor).collect())
    }
}

fn is_empty(value: &DynValue) -> bool {
    matches!(value.dtype(), ValueType::Tensor { shape, .. } if shape.contains(&0))
}

/// A session as a program would run it.
pub(super) struct UnprofiledRunner {
    session: Rc<RefCell<Session>>,
    values: Values,
    /// Outputs that runs write to.
    bound: Option<BoundOutputs>,
    /// Whether outputs have had other shapes in another run.
    refuses_bound: bool,
}

impl UnprofiledRunner {
    pub(super) fn new(session: Rc<RefCell<Session>>) -> UnprofiledRunner {
        UnprofiledRunner { session, values: Values::default(), bound: None, refuses_bound: false }
    }
}

impl Runner for UnprofiledRunner {
    fn clear(&mut self) {
        self.bound = None;
        self.values.outputs.clear();
    }

    fn prepare(&mut self, inputs: &[Tensor]) -> Result<(), String> {
        self.bound = None;
        self.values.prepare(inputs)
    }

    fn bind(&mut self) -> bool {
        if self.bound.is_none() && !self.refuses_bound {
            self.bound = BoundOutputs::new(&self.session.borrow(), &mut self.values.outputs);
        }
        self.bound.is_some()
    }

    fn prepare_step(
        &mut self,
        inputs: &[Option<Tensor>],
        feeds: &[(usize, usize)],
    ) -> Result<(), String> {
        self.bound = None;
        self.values.prepare_step(inputs, feeds)
    }

    fn run(&mut self) -> Result<(), RunFailure> {
        let mut session = self.session.borrow_mut();
        if let Some(bound) = &self.bound {
            if let Ok(outputs) = bound.run(&mut session, &self.values.inputs) {
                self.values.outputs = outputs;
                return Ok(());
            }
            // What a run finds may decide on shapes, and chance on what it finds.
            self.bound = None;
            self.refuses_bound = true;
        }
        let run = self.values.run(&mut session);
        run.map_err(|reason| RunFailure { operator: None, reason })
    }

    fn take_spans(&mut self, _spans: &mut Vec<Span>) -> bool {
        false
    }

    fn release_spans(&mut self) -> Result<(), String> {
        Ok(())
    }

    fn outputs(&mut self) -> Result<Vec<Tensor>, String> {
        self.values.outputs()
    }
}

/// A session whose runs are profiled.
pub(super) struct ProfiledRunner {
    sessions: Sessions,
    executed: Rc<RefCell<Executed>>,
    values: Values,
    /// `None` only if it could not be begun.
    segment: Option<Segment>,
    /// Events that a run leaves in a profile.
    events: u64,
    /// Spans of runs whose segment has ended.
    ready: VecDeque<Vec<Span>>,
    /// Why spans are lost, the first time.
    lost: Option<String>,
    /// Numbers of the threads that help an iteration's, by their ids.
    workers: HashMap<String, u32>,
}

/// A session and the profile that it writes.
struct Segment {
    session: Session,
    profile: ProfileFile,
    runs: Vec<Run>,
    begun: Nanoseconds,
    limits: Limits,
}

#[derive(Clone, Copy, Debug)]
struct Limits {
    runs: u64,
    age: Nanoseconds,
}

impl Limits {
    /// `load` is how long the session took to make, `events` how many a run leaves.
    fn new(load: Nanoseconds, events: u64) -> Limits {
        let age = LONGEST.max(Nanoseconds(load.0.saturating_mul(LOAD_TIMES)));
        // One run at least, however large: else a session would be renewed and never used.
        Limits { runs: (MOST_EVENTS / events.max(1)).max(1), age }
    }

    fn are_reached(&self, runs: u64, age: Nanoseconds) -> bool {
        runs >= self.runs || age >= self.age
    }
}

/// A run, on the launch's clock.
struct Run {
    start: Nanoseconds,
    end: Nanoseconds,
    /// False for the run that warms up a new session, whose spans nobody takes.
    is_asked_for: bool,
}

impl Segment {
    /// `events`: how many a run leaves in the profile.
    fn begin(sessions: &Sessions, events: u64) -> Result<Segment, RecordError> {
        let start = now();
        let (session, profile) = sessions.profiled()?;
        let begun = now();
        let limits = Limits::new(begun - start, events);
        Ok(Segment { session, profile, runs: Vec::new(), begun, limits })
    }

    fn is_full(&self) -> bool {
        self.limits.are_reached(self.runs.len() as u64, now() - self.begun)
    }

    fn run(&mut self, values: &mut Values, is_asked_for: bool) -> Result<(), String> {
        let start = now();
        let run = values.run(&mut self.session);
        let end = now();
        // Runs and the profile's iterations are matched by position: see `spans`.
        if run.is_ok() {
            self.runs.push(Run { start, end, is_asked_for });
        }
        run
    }
}

impl ProfiledRunner {
    pub(super) fn new(
        sessions: Sessions,
        executed: Rc<RefCell<Executed>>,
    ) -> Result<ProfiledRunner, RecordError> {
        let nodes: u64 = executed.borrow().nodes.iter().map(|node| node.executions).sum();
        // An upper bound: other versions leave one event of a node.
        let events = EVENTS_OF_RUN + nodes.saturating_mul(EVENTS_OF_NODE);
        let segment = Some(Segment::begin(&sessions, events)?);
        Ok(ProfiledRunner {
            sessions,
            executed,
            values: Values::default(),
            segment,
            events,
            ready: VecDeque::new(),
            lost: None,
            workers: HashMap::new(),
        })
    }

    /// Ends the segment, and takes the spans of its runs.
    fn end_segment(&mut self) {
        let Some(Segment { session, profile, runs, .. }) = self.segment.take() else { return };
        let kept = self.sessions.settings.options.profiles.as_deref().map(Path::new);
        let profile = guarded(|| profile.read(session, kept));
        let mut spans = match profile {
            Ok(launch) => self.spans(&launch, &runs),
            Err(reason) => {
                self.lose(reason);
                Vec::new()
            }
        };
        // Each run hands out spans, lost or not: a missing entry would shift all later ones.
        spans.resize_with(runs.len(), Vec::new);
        let asked_for = spans.into_iter().zip(&runs).filter(|(_, run)| run.is_asked_for);
        self.ready.extend(asked_for.map(|(spans, _)| spans));
    }

    fn lose(&mut self, reason: String) {
        self.lost.get_or_insert(reason);
    }

    /// The spans of each run that the profile knows, on the launch's clock.
    fn spans(&mut self, launch: &Launch, runs: &[Run]) -> Vec<Vec<Span>> {
        // The importer's reason says more than the two counts do.
        if let Some(loss) = launch.warnings.iter().find(|warning| warning.loss) {
            self.lose(loss.message.clone());
        } else if launch.iterations.len() < runs.len() {
            self.lose(format!(
                "the engine's profile holds {} of {} runs",
                launch.iterations.len(),
                runs.len()
            ));
        }
        let numbers = self.executed.borrow_mut().numbers(&launch.operators);
        let mut spans: Vec<Vec<Span>> = Vec::new();
        spans.resize_with(runs.len().min(launch.iterations.len()), Vec::new);
        let mut unknown = 0;
        let workers = self.workers(launch);
        for chunk in &launch.events.chunks {
            for row in 0..chunk.len() {
                let iteration = chunk.iteration[row] as usize;
                let (Some(run), Some(spans)) = (runs.get(iteration), spans.get_mut(iteration))
                else {
                    continue;
                };
                let Some(operator) = numbers[chunk.operator[row] as usize] else {
                    unknown += u64::from(run.is_asked_for);
                    continue;
                };
                let theirs = &launch.iterations[iteration];
                let ours = (run.end - run.start).0;
                // The runtime's clock has another origin, and its run is within ours: placed in
                // the middle, it is off by half of the difference at most.
                let before = ours.saturating_sub(theirs.duration.0) / 2;
                let within = chunk.start[row].saturating_sub(theirs.start.0) + before;
                // A span never leaves its run: exclusive times would not add up to the iteration.
                let start = within.min(ours);
                spans.push(Span {
                    operator: operator as u32,
                    worker: workers[chunk.thread[row] as usize],
                    start: run.start + Nanoseconds(start),
                    duration: Nanoseconds(chunk.duration[row].min(ours - start)),
                });
            }
        }
        if unknown > 0 {
            self.lose(format!(
                "{} of nodes that the first run did not execute",
                counted(unknown, "execution is", "executions are")
            ));
        }
        spans
    }

    /// The number of each thread of a profile: 0 for those that ran an iteration.
    fn workers(&mut self, launch: &Launch) -> Vec<u32> {
        let threads = (0..).zip(&launch.events.threads).map(|(number, thread)| {
            if launch.iteration_threads.contains(&number) {
                return 0;
            }
            // By id, over all segments, so that a thread stays on one track of the trace.
            let next = self.workers.len() as u32 + 1;
            *self.workers.entry(thread.thread.clone()).or_insert(next)
        });
        threads.collect()
    }

    /// Begins another segment where this one is full, for the inputs that are prepared.
    fn renew(&mut self) -> Result<(), String> {
        // Called by `prepare`, since what happens within `run` is measured.
        if self.segment.as_ref().is_some_and(Segment::is_full) {
            self.end_segment();
        }
        if self.segment.is_none() {
            let segment = Segment::begin(&self.sessions, self.events);
            let mut segment = segment.map_err(|error| error.to_string())?;
            // The first run of a session allocates its memory.
            segment.run(&mut self.values, false)?;
            self.values.outputs.clear();
            self.segment = Some(segment);
        }
        Ok(())
    }
}

impl Runner for ProfiledRunner {
    fn clear(&mut self) {
        self.values.outputs.clear();
    }

    fn prepare(&mut self, inputs: &[Tensor]) -> Result<(), String> {
        self.values.prepare(inputs)?;
        self.renew()
    }

    fn prepare_step(
        &mut self,
        inputs: &[Option<Tensor>],
        feeds: &[(usize, usize)],
    ) -> Result<(), String> {
        self.values.prepare_step(inputs, feeds)?;
        self.renew()
    }

    fn run(&mut self) -> Result<(), RunFailure> {
        let ProfiledRunner { segment, values, executed, .. } = self;
        let run = match segment {
            Some(segment) => segment.run(values, true),
            None => Err("its session could not be renewed".to_string()),
        };
        run.map_err(|reason| RunFailure { operator: executed.borrow().named_in(&reason), reason })
    }

    fn take_spans(&mut self, spans: &mut Vec<Span>) -> bool {
        match self.ready.pop_front() {
            Some(ready) => {
                *spans = ready;
                true
            }
            None => false,
        }
    }

    fn release_spans(&mut self) -> Result<(), String> {
        self.end_segment();
        self.lost.take().map_or(Ok(()), Err)
    }

    fn outputs(&mut self) -> Result<Vec<Tensor>, String> {
        self.values.outputs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_ends_by_its_events_or_its_age() {
        let seconds = |seconds: u64| Nanoseconds(seconds * 1_000_000_000);
        let quick = Limits::new(seconds(0), 1000);
        assert!(!quick.are_reached(199, Nanoseconds(9_999_999_999)));
        assert!(quick.are_reached(200, seconds(0)), "as many events are in the profile");
        assert!(quick.are_reached(0, seconds(10)), "a killed process loses no more");
        // Beginning one takes a twentieth of the time at most.
        let slow = Limits::new(seconds(3), 1000);
        assert!(!slow.are_reached(0, seconds(59)) && slow.are_reached(0, seconds(60)));
        // However many events a run has, a segment has one.
        assert!(!Limits::new(seconds(0), u64::MAX).are_reached(0, seconds(0)));
        assert!(Limits::new(seconds(0), u64::MAX).are_reached(1, seconds(0)));
    }
}

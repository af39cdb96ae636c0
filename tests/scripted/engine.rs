//! Engines as the program has them, with the script in front: points that are passed, and runs
//! that take the times of the script instead of computing anything.

use crate::clock::ScriptedClock;
use crate::points::pass;
use crate::script::{Place, Script, Times, WARM};
use onnxray_format::{Nanoseconds, Operator, Roofs, Span, VectorRegisters};
use onnxray_recorder::engine::{
    Capabilities, Engine, EngineSpec, Engines, InstalledEngines, Instrumentation, LoadedModel,
    Optimizer, RunFailure, Runner,
};
use onnxray_recorder::{BoundDimensions, Clock, OnnxFile, RecordError, Tensor, TensorTable};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;

/// What the processes of a script have.
struct Stage {
    script: Script,
    clock: ScriptedClock,
    /// Sessions so far.
    sessions: Cell<u64>,
    /// The one that ran last, and its runs in a row.
    last: Cell<(u64, u64)>,
}

/// The engines of this machine, which follow a script.
pub(crate) struct ScriptedEngines(Rc<Stage>);

impl ScriptedEngines {
    pub(crate) fn new(script: Script) -> ScriptedEngines {
        let clock = ScriptedClock::new(&script);
        ScriptedEngines(Rc::new(Stage {
            script,
            clock,
            sessions: Cell::default(),
            last: Cell::default(),
        }))
    }
}

impl Engines for ScriptedEngines {
    fn start(&self, spec: &EngineSpec, threads: u32) -> Result<Rc<dyn Engine>, RecordError> {
        let engine = InstalledEngines.start(spec, threads)?;
        let Script { times, points, .. } = &self.0.script;
        if times.is_empty() && points.is_empty() {
            return Ok(engine);
        }
        self.0.clock.sleeps.set(self.0.script.sleeps(&engine.options(), threads));
        Ok(Rc::new(ScriptedEngine { engine, stage: Rc::clone(&self.0) }))
    }

    fn clock(&self) -> &dyn Clock {
        match self.0.script.times.is_empty() {
            true => InstalledEngines.clock(),
            false => &self.0.clock,
        }
    }
}

struct ScriptedEngine {
    engine: Rc<dyn Engine>,
    stage: Rc<Stage>,
}

impl Engine for ScriptedEngine {
    fn name(&self) -> &'static str {
        self.engine.name()
    }

    fn version(&self) -> &str {
        self.engine.version()
    }

    fn options(&self) -> BTreeMap<String, String> {
        self.engine.options()
    }

    fn clock(&self) -> &dyn Clock {
        match self.stage.script.times.is_empty() {
            true => self.engine.clock(),
            false => &self.stage.clock,
        }
    }

    fn capabilities(&self) -> Capabilities {
        self.engine.capabilities()
    }

    fn roofs(&self, _threads: u32, _limit: Option<f64>) -> Roofs {
        self.stage.script.roofs.clone()
    }

    fn load(
        &self,
        file: &Rc<OnnxFile>,
        bound: &BoundDimensions,
        threads: u32,
    ) -> Result<Box<dyn LoadedModel>, RecordError> {
        let name = file.name();
        pass(&self.stage.script, Place::Load, &name);
        let loaded: Rc<dyn LoadedModel> = Rc::from(self.engine.load(file, bound, threads)?);
        if !self.stage.script.ending.is_empty() {
            let operators = loaded.operators(&[])?;
            let nodes: HashSet<_> = operators.iter().flat_map(|own| &own.nodes).collect();
            let mut ending = self.stage.script.ending.iter();
            if ending.any(|&(above, most)| nodes.len() > above && nodes.len() <= most) {
                std::process::abort();
            }
        }
        let options = self.options();
        self.stage.clock.advance(Nanoseconds(self.stage.script.loads(&options, threads)));
        Ok(Box::new(ScriptedModel {
            loaded,
            operators: RefCell::default(),
            describes_by_running: self.capabilities().describes_by_running,
            factor: self.stage.script.factor(&options, threads),
            remembers: self.stage.script.remembers(&options, threads),
            name,
            stage: Rc::clone(&self.stage),
        }))
    }

    fn optimizers(&self, file: &Rc<OnnxFile>, threads: u32) -> Result<Vec<Optimizer>, RecordError> {
        self.engine.optimizers(file, threads)
    }
}

struct ScriptedModel {
    loaded: Rc<dyn LoadedModel>,
    /// Once they were asked for.
    operators: RefCell<Option<Vec<Operator>>>,
    /// Whether it has to be asked for them with inputs.
    describes_by_running: bool,
    /// How many times as long its runs take as the script says, for its options.
    factor: f64,
    /// Whether its runs remember what they computed.
    remembers: bool,
    name: String,
    stage: Rc<Stage>,
}

impl ScriptedModel {
    /// Its operators as far as they are known without a run.
    fn known_operators(&self) -> Result<Vec<Operator>, RecordError> {
        match &*self.operators.borrow() {
            Some(operators) => Ok(operators.clone()),
            None if self.describes_by_running => Ok(Vec::new()),
            None => self.loaded.operators(&[]),
        }
    }
}

impl LoadedModel for ScriptedModel {
    fn tensors(&self) -> &TensorTable {
        self.loaded.tensors()
    }

    fn operators(&self, inputs: &[Tensor]) -> Result<Vec<Operator>, RecordError> {
        let operators = self.loaded.operators(inputs)?;
        self.operators.replace(Some(operators.clone()));
        Ok(operators)
    }

    fn runner(
        &self,
        registers: VectorRegisters,
        instrumentation: Instrumentation,
    ) -> Result<Box<dyn Runner>, RecordError> {
        let (name, stage) = (self.name.clone(), Rc::clone(&self.stage));
        let runner: Box<dyn Runner> = match stage.script.times_of(&name) {
            None => self.loaded.runner(registers, instrumentation)?,
            Some(times) => {
                let operators = self.known_operators()?;
                let times = match instrumentation {
                    Instrumentation::Spans => times,
                    Instrumentation::None => Times { inside_ns: 0, between_ns: 0, ..times },
                };
                let (times, loaded) = ((times, self.factor), Rc::clone(&self.loaded));
                let runner = TimedRunner::new(times, &operators, loaded, Rc::clone(&stage));
                Box::new(TimedRunner { seen: self.remembers.then(Vec::new), ..runner })
            }
        };
        // Some engines run the model to tell.
        let last = match stage.script.fails(&name) {
            true => self.known_operators()?.len().saturating_sub(1) as u32,
            false => 0,
        };
        Ok(Box::new(ScriptedRunner { runner, last, name, stage }))
    }
}

/// Passes the point of a run before each.
struct ScriptedRunner {
    runner: Box<dyn Runner>,
    /// The operator in which the model fails.
    last: u32,
    name: String,
    stage: Rc<Stage>,
}

impl Runner for ScriptedRunner {
    fn clear(&mut self) {
        self.runner.clear();
    }

    fn prepare(&mut self, inputs: &[Tensor]) -> Result<(), String> {
        self.runner.prepare(inputs)
    }

    fn prepare_step(
        &mut self,
        inputs: &[Option<Tensor>],
        feeds: &[(usize, usize)],
    ) -> Result<(), String> {
        self.runner.prepare_step(inputs, feeds)
    }

    fn run(&mut self) -> Result<(), RunFailure> {
        let passed = [Place::Run, Place::OwnRun].map(|at| pass(&self.stage.script, at, &self.name));
        if passed.contains(&true) {
            let reason = "the script says so".to_string();
            return Err(RunFailure { operator: Some(self.last), reason });
        }
        self.runner.run()
    }

    fn take_spans(&mut self, spans: &mut Vec<Span>) -> bool {
        self.runner.take_spans(spans)
    }

    fn release_spans(&mut self) -> Result<(), String> {
        self.runner.release_spans()
    }

    fn outputs(&mut self) -> Result<Vec<Tensor>, String> {
        self.runner.outputs()
    }
}

/// Runs nothing unless outputs are asked for: the clock moves on, operator by operator.
struct TimedRunner {
    times: Times,
    /// What the session holds.
    _held: Vec<u8>,
    /// How many times as long each run takes.
    slower: f64,
    loaded: Rc<dyn LoadedModel>,
    inputs: Vec<Tensor>,
    /// Inputs of all runs so far, if it remembers what it computed.
    seen: Option<Vec<Vec<Tensor>>>,
    /// Whether the inputs are among them.
    is_known: bool,
    /// Number and nanoseconds of each operator that is in no other.
    operators: Vec<(u32, u64)>,
    stage: Rc<Stage>,
    /// Its number among the sessions of the process, from 1.
    session: u64,
    runs: u64,
    spans: Vec<Span>,
    has_spans: bool,
}

/// Bytes that the system has to find memory for.
fn resident(bytes: usize) -> Vec<u8> {
    std::hint::black_box(vec![1; bytes])
}

impl TimedRunner {
    fn new(
        (times, slower): (Times, f64),
        operators: &[Operator],
        loaded: Rc<dyn LoadedModel>,
        stage: Rc<Stage>,
    ) -> TimedRunner {
        let whole = operators.iter().filter(|operator| operator.parent.is_none());
        let time = |name: &String| times.operators.get(name).copied().unwrap_or(times.operator_ns);
        let operators = whole.map(|operator| (operator.number, time(&operator.name))).collect();
        let session = stage.sessions.get() + 1;
        stage.sessions.set(session);
        TimedRunner {
            _held: resident(times.session_bytes),
            times,
            slower,
            loaded,
            inputs: Vec::new(),
            seen: None,
            is_known: false,
            operators,
            stage,
            session,
            runs: 0,
            spans: Vec::new(),
            has_spans: false,
        }
    }

    /// Runs of this session since another one ran.
    fn in_row(&self) -> u64 {
        let (session, runs) = self.stage.last.get();
        if session == self.session { runs } else { 0 }
    }

    /// How many times as long as written down this run takes.
    fn factor(&self) -> f64 {
        let first = self.times.first.get(self.runs as usize).copied().unwrap_or(1.0);
        // Numbers that look like chance, the same ones each time.
        let chance = (self.runs + self.stage.clock.now().0).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let chance = (chance >> 11) as f64 / (1_u64 << 53) as f64;
        let known = if self.is_known { 0.1 } else { 1.0 };
        let warm = 1.0 - self.times.warming * self.in_row().min(WARM) as f64 / WARM as f64;
        self.slower * first * known * warm * (1.0 + self.times.noise * (2.0 * chance - 1.0))
    }
}

impl Runner for TimedRunner {
    fn clear(&mut self) {}

    fn prepare(&mut self, inputs: &[Tensor]) -> Result<(), String> {
        self.inputs = inputs.to_vec();
        if let Some(seen) = &mut self.seen {
            self.is_known = seen.contains(&self.inputs);
            seen.push(self.inputs.clone());
        }
        Ok(())
    }

    fn run(&mut self) -> Result<(), RunFailure> {
        std::mem::forget(resident(self.times.lost_bytes));
        drop(resident(self.times.run_bytes));
        let factor = self.factor();
        let scaled = |nanoseconds: u64| Nanoseconds((nanoseconds as f64 * factor) as u64);
        self.spans.clear();
        let mut at = self.stage.clock.now();
        let begin = at;
        for &(operator, time) in &self.operators {
            let duration = scaled(time + self.times.inside_ns);
            self.spans.push(Span { operator, worker: 0, start: at, duration });
            at += duration + scaled(self.times.between_ns);
        }
        self.stage.clock.advance(at - begin + scaled(self.times.overhead_ns));
        self.stage.last.set((self.session, self.in_row() + 1));
        self.runs += 1;
        self.has_spans = true;
        Ok(())
    }

    fn take_spans(&mut self, spans: &mut Vec<Span>) -> bool {
        std::mem::swap(spans, &mut self.spans);
        std::mem::take(&mut self.has_spans)
    }

    fn release_spans(&mut self) -> Result<(), String> {
        Ok(())
    }

    fn outputs(&mut self) -> Result<Vec<Tensor>, String> {
        let plain = self.loaded.runner(VectorRegisters::AsIs, Instrumentation::None);
        let mut plain = plain.map_err(|error| error.to_string())?;
        plain.prepare(&self.inputs)?;
        plain.run().map_err(|failure| failure.reason)?;
        plain.outputs()
    }
}

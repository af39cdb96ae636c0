//! What an engine has to do to be recorded.

use crate::clock::{Clock, MonotonicClock};
use crate::error::RecordError;
use crate::model::file::OnnxFile;
use crate::model::sizes::dimensions::{self, BoundDimensions, GivenDimensions};
use crate::model::tensor_table::TensorTable;
use crate::roofs;
use crate::tensor::Tensor;
use onnxray_format::{Nanoseconds, Operator, Placement, Roofs, Span, VectorRegisters};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;
use std::sync::atomic::AtomicBool;

/// Abilities and needs of an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// It is a library from elsewhere, which may end the process that loads it.
    pub is_foreign: bool,
    /// It can clear the vector registers after each operator.
    pub clears_registers: bool,
    /// Its spans arrive some runs late.
    pub is_late: bool,
    /// It runs a model to find out what it executes.
    pub describes_by_running: bool,
    /// A loaded model runs on inputs of other shapes than it was loaded for.
    pub runs_any_shape: bool,
    /// Inputs may be of types that [`Tensor`] holds as zeros only.
    pub takes_all_types: bool,
    /// Its spans are of blocks of nodes, from runs without a profiler.
    pub times_blocks: bool,
}

/// A rewriting of graphs that an engine does when it loads a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Optimizer {
    /// The engine's name for it.
    pub name: String,
    /// Whether it changed the graph of the model that was loaded.
    pub is_effective: bool,
}

/// A program that runs ONNX models, with the options that hold for all of them.
pub trait Engine {
    /// Its name in recordings.
    fn name(&self) -> &'static str;

    /// Its version, as its authors number it.
    fn version(&self) -> &str;

    /// The options that decide how fast a model runs, as recordings state them; empty
    /// where there is no choice.
    fn options(&self) -> BTreeMap<String, String>;

    /// The clock that its spans, and so the iterations around them, are timed by.
    fn clock(&self) -> &dyn Clock {
        &MonotonicClock
    }

    /// Its abilities and needs.
    fn capabilities(&self) -> Capabilities;

    /// The rates that no operator exceeds with this many threads on the cores that this thread may
    /// use, and with the CPU time that a container allows, in cores: those of the machine.
    fn roofs(&self, threads: u32, limit: Option<f64>) -> Roofs {
        roofs::measure(threads, limit)
    }

    /// Loads and optimizes a model for inputs of the given shapes, and for kernels that
    /// use `threads` threads.
    ///
    /// # Errors
    ///
    /// If the engine cannot run the model.
    fn load(
        &self,
        file: &Rc<OnnxFile>,
        bound: &BoundDimensions,
        threads: u32,
    ) -> Result<Box<dyn LoadedModel>, RecordError>;

    /// Loads a chain of nodes that shows what profiling costs: every node has to run by itself.
    ///
    /// # Errors
    ///
    /// If the engine cannot run it.
    fn load_chain(
        &self,
        file: &Rc<OnnxFile>,
        bound: &BoundDimensions,
        threads: u32,
    ) -> Result<Box<dyn LoadedModel>, RecordError> {
        self.load(file, bound, threads)
    }

    /// Makes the model in a file ready as a program would that only runs it, without what describes
    /// or profiles it. Sizes are those of [`Engine::load`].
    ///
    /// # Errors
    ///
    /// If the engine cannot run the model.
    fn bare(
        &self,
        path: &Path,
        given: &GivenDimensions,
        registers: VectorRegisters,
        threads: u32,
    ) -> Result<Box<dyn Runner>, RecordError> {
        let file = Rc::new(OnnxFile::read(path)?);
        let given = dimensions::sized(&file.graph, given)?;
        let bound = dimensions::bind_in(path, &file.graph, &given)?;
        self.load(&file, &bound, threads)?.runner(registers, Instrumentation::None)
    }

    /// The graph optimizers that can be left out one at a time, as they worked on this model;
    /// none if the engine has no names for them.
    ///
    /// # Errors
    ///
    /// If the engine cannot run the model.
    fn optimizers(
        &self,
        _file: &Rc<OnnxFile>,
        _threads: u32,
    ) -> Result<Vec<Optimizer>, RecordError> {
        Ok(Vec::new())
    }
}

/// A model that an engine optimized for one set of input shapes.
pub trait LoadedModel {
    /// Element types and shapes of the file's tensors, as far as they are known before
    /// the model runs.
    fn tensors(&self) -> &TensorTable;

    /// A row for every node that the engine executes; those of a body follow the one that holds it.
    /// Spans refer to rows by number. An engine that learns of shapes only by running runs on
    /// `inputs`.
    ///
    /// # Errors
    ///
    /// If the engine fails at describing its own work.
    fn operators(&self, inputs: &[Tensor]) -> Result<Vec<Operator>, RecordError>;

    /// Whether rows tell which nodes of the model they compute, so that all others were computed
    /// while it was loaded: of what a provider compiled, nobody knows. Needs a call of
    /// [`LoadedModel::operators`] before.
    fn tells_nodes(&self) -> bool {
        true
    }

    /// Which execution provider runs which nodes, where that is known and more than one could.
    /// Needs a call of [`LoadedModel::operators`] before.
    fn placement(&self) -> Option<Placement> {
        None
    }

    /// Makes the model ready to run, with the vector registers in this state after each operator.
    /// An instrumented runner needs a call of [`LoadedModel::operators`] before.
    ///
    /// # Errors
    ///
    /// If the engine fails at planning the run.
    fn runner(
        &self,
        registers: VectorRegisters,
        instrumentation: Instrumentation,
    ) -> Result<Box<dyn Runner>, RecordError>;
}

/// Whether the executions of operators are timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instrumentation {
    /// No clock is read.
    None,
    /// Each execution leaves a span.
    Spans,
}

/// A model that is ready to run, over and over, each time as if for the first time: a
/// recurrence starts from its initial value.
///
/// What is measured is `run` alone; what surrounds it is called before and after.
pub trait Runner {
    /// Drops the outputs of the last run.
    fn clear(&mut self);

    /// Copies the inputs of the next run, in the order of the graph's inputs, into the
    /// engine's own form, and forgets the last run.
    ///
    /// # Errors
    ///
    /// The engine's reason to refuse them.
    fn prepare(&mut self, inputs: &[Tensor]) -> Result<(), String>;

    /// Prepares the next step of a generation: inputs that are `None` are the outputs of the
    /// last run, by pairs of the positions of an output and of the input that it becomes. Only
    /// engines that run a model at any shape are asked to.
    ///
    /// # Errors
    ///
    /// The engine's reason to refuse them.
    fn prepare_step(
        &mut self,
        _inputs: &[Option<Tensor>],
        _feeds: &[(usize, usize)],
    ) -> Result<(), String> {
        Err("outputs do not become inputs".to_string())
    }

    /// Makes each run, until the next call of [`Runner::prepare`] or [`Runner::clear`], take the inputs
    /// of the last one and write where that one wrote, as in a program that binds its memory; `false` if
    /// the engine cannot, or could not in the last run: it needs to be prepared for the next one.
    fn bind(&mut self) -> bool {
        false
    }

    /// Runs once on what was prepared.
    ///
    /// # Errors
    ///
    /// Where and why the model failed; a panic of the engine is a failure, too.
    fn run(&mut self) -> Result<(), RunFailure>;

    /// The same, where a run is many: false if `stop` ended it, and nothing is known of it.
    ///
    /// # Errors
    ///
    /// As [`Runner::run`].
    fn run_until(&mut self, _stop: &AtomicBool) -> Result<bool, RunFailure> {
        self.run().map(|()| true)
    }

    /// Beginning and duration of the last run, where what it ran is more than the model once; by
    /// default, who calls [`Runner::run`] times it.
    fn timed(&self) -> Option<(Nanoseconds, Nanoseconds)> {
        None
    }

    /// Replaces `spans` by those of the earliest run whose spans were not taken yet, in order of
    /// their ends; `false` if there is no such run, or if the engine still keeps its spans.
    fn take_spans(&mut self, spans: &mut Vec<Span>) -> bool;

    /// Makes the engine give up the spans that it keeps.
    ///
    /// # Errors
    ///
    /// Why those of some runs are lost; they come out empty.
    fn release_spans(&mut self) -> Result<(), String>;

    /// The outputs of the last run in the order of the graph's outputs.
    ///
    /// # Errors
    ///
    /// If they are of a type that [`Tensor`] does not hold.
    fn outputs(&mut self) -> Result<Vec<Tensor>, String>;
}

/// Failure of a run.
#[derive(Clone, Debug)]
pub struct RunFailure {
    /// Number of the operator in which it did, where that is known.
    pub operator: Option<u32>,
    /// The engine's reason.
    pub reason: String,
}

impl RunFailure {
    /// The failure as an error that names its operator.
    pub(crate) fn describe(self, operators: &[Operator]) -> RecordError {
        let RunFailure { operator, reason } = self;
        match operator.and_then(|number| operators.get(number as usize)) {
            Some(operator) => RecordError::Operator {
                operator: operator.name.clone(),
                operator_type: operator.operator_type.clone(),
                reason,
            },
            None => RecordError::Run { reason },
        }
    }
}

//! A side of a cut, as a model of its own.

use crate::engine::{Engine, Instrumentation, LoadedModel, Model, Runner};
use crate::error::RecordError;
use crate::model::file::OnnxFile;
use crate::model::graph::GraphInput;
use crate::model::sizes::dimensions::BoundDimensions;
use crate::tensor::Tensor;
use onnxray_format::{Operator, VectorRegisters};
use std::rc::Rc;

/// What is before a cut, ready to run, and what is behind it, where that is timed.
pub(super) struct Sides {
    pub(super) before: Box<dyn Runner>,
    pub(super) behind: Option<Ready>,
}

/// A side, ready to run on these inputs.
pub(super) struct Ready {
    pub(super) runner: Box<dyn Runner>,
    pub(super) inputs: Rc<[Tensor]>,
}

impl Ready {
    /// It, with its inputs.
    pub(super) fn with_inputs(&mut self) -> (&mut dyn Runner, &[Tensor]) {
        (&mut *self.runner, &self.inputs)
    }
}

impl Sides {
    /// Drops what they computed.
    pub(super) fn clear(&mut self) {
        self.before.clear();
        if let Some(behind) = &mut self.behind {
            behind.runner.clear();
        }
    }
}

/// The model that is cut.
#[derive(Clone, Copy)]
pub(crate) struct Whole<'a> {
    pub(crate) engine: &'a dyn Engine,
    pub(crate) file: &'a OnnxFile,
    pub(crate) bound: &'a BoundDimensions,
    pub(crate) threads: u32,
}

impl<'a> Whole<'a> {
    pub(crate) fn of(model: &'a Model) -> Whole<'a> {
        let Model { engine, file, bound, threads, .. } = model;
        Whole { engine: &**engine, file, bound, threads: *threads }
    }

    /// Values of its inputs, by their names.
    pub(crate) fn values(self, inputs: &[Tensor]) -> Vec<(String, Tensor)> {
        let names = self.file.graph.inputs.iter().map(|input| input.name.clone());
        names.zip(inputs.iter().cloned()).collect()
    }
}

/// A side, loaded.
pub(crate) struct Side {
    loaded: Box<dyn LoadedModel>,
    pub(crate) inputs: Rc<[Tensor]>,
}

impl Side {
    /// Of a file of these bytes; its inputs are among these values.
    pub(crate) fn load(
        whole: Whole,
        bytes: Vec<u8>,
        values: &[(String, Tensor)],
    ) -> Result<Side, String> {
        let text = |error: RecordError| error.to_string();
        let file = Rc::new(whole.file.with(bytes).map_err(text)?);
        let value = |input: &GraphInput| {
            let value = values.iter().find(|(name, _)| *name == input.name);
            value.map(|(_, value)| value.clone()).ok_or("an input has no value")
        };
        let inputs: Rc<[Tensor]> = file.graph.inputs.iter().map(value).collect::<Result<_, _>>()?;
        let shape = |input: &Tensor| input.shape().iter().map(|&size| size as u64).collect();
        let shapes = inputs.iter().map(shape).collect();
        // What the file says of its tensors names dimensions of the whole.
        let bound = BoundDimensions { shapes, ..whole.bound.clone() };
        let loaded = whole.engine.load(&file, &bound, whole.threads).map_err(text)?;
        Ok(Side { loaded, inputs })
    }

    pub(super) fn ready(&self, registers: VectorRegisters) -> Result<Ready, RecordError> {
        let runner = self.runner(registers).map_err(|reason| RecordError::Run { reason })?;
        Ok(Ready { runner, inputs: Rc::clone(&self.inputs) })
    }

    pub(crate) fn runner(&self, registers: VectorRegisters) -> Result<Box<dyn Runner>, String> {
        let runner = self.loaded.runner(registers, Instrumentation::None);
        runner.map_err(|error| error.to_string())
    }

    pub(crate) fn operators(&self) -> Result<Vec<Operator>, String> {
        self.loaded.operators(&self.inputs).map_err(|error| error.to_string())
    }

    /// Runs it once.
    pub(crate) fn try_out(&self) -> Result<(), String> {
        let mut runner = self.runner(VectorRegisters::AsIs)?;
        runner.prepare(&self.inputs)?;
        runner.run().map_err(|failure| failure.reason)
    }
}

//! What takes turns: a model that is ready to run, in this process or in one of its own.

use super::apart::Apart;
use super::here::Here;
use super::timed::Timed;
use crate::engine::{Engine, LoadedModel};
use crate::error::RecordError;
use crate::tensor::Tensor;
use crate::workload::Workload;
use onnxray_format::Nanoseconds;
use std::rc::Rc;

/// A model that is ready to run.
pub(crate) enum Side {
    /// In this process.
    Here(Here),
    /// In a process of its own, which has inputs of its own.
    Apart(Apart),
}

impl Side {
    /// # Errors
    ///
    /// If the engine fails at planning the run.
    pub(crate) fn new(
        engine: Rc<dyn Engine>,
        loaded: Box<dyn LoadedModel>,
    ) -> Result<Side, RecordError> {
        Ok(Side::Here(Here::new(engine, loaded)?))
    }

    /// Runs once on the next inputs, and how long it took.
    ///
    /// # Errors
    ///
    /// The engine's reason.
    pub(super) fn next(&mut self, inputs: &mut Timed) -> Result<Nanoseconds, RecordError> {
        match self {
            Side::Here(here) => here.run(inputs.next()),
            Side::Apart(apart) => apart.next(),
        }
    }

    /// First quartile of this many runs in nanoseconds, after one that does not count.
    ///
    /// # Errors
    ///
    /// The engine's reason.
    pub(super) fn turn(&mut self, inputs: &mut Timed, runs: u64) -> Result<f64, RecordError> {
        match self {
            Side::Here(here) => here.turn(inputs, runs),
            Side::Apart(apart) => apart.turn(runs),
        }
    }

    /// Outputs for each of these inputs, and of each step of a generation.
    ///
    /// # Errors
    ///
    /// The engine's reason.
    pub(crate) fn outputs_of_each(
        &mut self,
        each: &[Workload],
    ) -> Result<Vec<Vec<Tensor>>, RecordError> {
        match self {
            Side::Here(here) => here.outputs_of_each(each),
            Side::Apart(apart) => apart.outputs(),
        }
    }
}

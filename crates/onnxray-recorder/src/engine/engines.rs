//! The engines there are.

use super::Engine;
use super::onnxruntime::{OnnxRuntime, OnnxRuntimeOptions};
use super::tract::Tract;
use crate::clock::{Clock, MonotonicClock};
use crate::error::RecordError;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// An engine, and the options that it is to run with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum EngineSpec {
    /// tract, which is part of this crate and needs nothing installed.
    #[default]
    Tract,
    /// ONNX Runtime, as a library that is installed.
    OnnxRuntime(OnnxRuntimeOptions),
}

/// The engines that a program can start, and the clock that its decisions go by.
pub trait Engines {
    /// Starts an engine, for kernels that use `threads` threads.
    ///
    /// # Errors
    ///
    /// If it is not installed, or cannot do what the options ask for.
    fn start(&self, spec: &EngineSpec, threads: u32) -> Result<Rc<dyn Engine>, RecordError>;

    /// The clock of budgets and durations.
    fn clock(&self) -> &dyn Clock;
}

/// The engines of this crate and of this machine, and the machine's clock.
#[derive(Clone, Copy, Debug)]
pub struct InstalledEngines;

impl Engines for InstalledEngines {
    fn start(&self, spec: &EngineSpec, threads: u32) -> Result<Rc<dyn Engine>, RecordError> {
        spec.start(threads)
    }

    fn clock(&self) -> &dyn Clock {
        &MonotonicClock
    }
}

impl EngineSpec {
    /// Whether it is a library from elsewhere, which may end the process that loads it.
    pub fn is_foreign(&self) -> bool {
        matches!(self, EngineSpec::OnnxRuntime(_))
    }

    /// Starts the engine, for kernels that use so many threads.
    ///
    /// # Errors
    ///
    /// If it is not installed, or cannot do what the options ask for.
    pub fn start(&self, threads: u32) -> Result<Rc<dyn Engine>, RecordError> {
        Ok(match self {
            EngineSpec::Tract => Rc::new(Tract),
            EngineSpec::OnnxRuntime(options) => Rc::new(OnnxRuntime::start(options, threads)?),
        })
    }
}

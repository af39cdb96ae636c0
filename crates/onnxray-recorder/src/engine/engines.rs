//! The engines there are.

use super::Engine;
use super::onnxruntime::{OnnxRuntime, OnnxRuntimeOptions};
use super::tract::Tract;
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

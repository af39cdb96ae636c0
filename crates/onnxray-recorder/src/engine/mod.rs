//! The engines there are. They are chosen at run time.
//!
//! Each has a folder here, with everything that knows its types, and a line in the
//! list below.
//!
//! ```text
//! interface, row_names ◀ tract, onnxruntime ◀ the list ◀ loaded
//! ```

mod interface;
mod loaded;
pub mod onnxruntime;
mod row_names;
pub mod tract;

pub use interface::{
    Capabilities, Engine, Instrumentation, LoadedModel, Optimizer, RunFailure, Runner,
};
pub use loaded::Model;
pub use onnxruntime::EngineLibrary;
pub(crate) use tract::infer;

use crate::clock::{Clock, MonotonicClock};
use crate::error::RecordError;
use crate::model::file::OnnxFile;
use crate::model::sizes::dimensions::BoundDimensions;
use crate::model::tensor_table::TensorTable;
use onnxray_format::Setup;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::rc::Rc;

/// Lists the engines: their folder, which is the name that the command line gives them, and a
/// variant of [`EngineSpec`] with the options that they have, if any.
macro_rules! engines {
    ($($folder:ident: $engine:ident($options:ident: $Options:ty), $about:literal;)+) => {
        /// An engine, and the options that it is to run with.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(from = "WrittenSpec")]
        pub enum EngineSpec {
            $(#[doc = $about] $engine($Options),)+
        }

        /// As it is written down; by versions in which it had no options, by its name alone.
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum WrittenSpec {
            Full(FullSpec),
            Named(NamedSpec),
        }

        #[derive(Deserialize)]
        enum FullSpec {
            $($engine($Options),)+
        }

        #[derive(Deserialize)]
        enum NamedSpec {
            $($engine,)+
        }

        impl From<WrittenSpec> for EngineSpec {
            fn from(written: WrittenSpec) -> EngineSpec {
                match written {
                    $(WrittenSpec::Full(FullSpec::$engine(options)) => EngineSpec::$engine(options),)+
                    $(WrittenSpec::Named(NamedSpec::$engine) => EngineSpec::$engine(Default::default()),)+
                }
            }
        }

        impl EngineSpec {
            /// All of them, with their usual options.
            pub fn all() -> Vec<EngineSpec> {
                vec![$(EngineSpec::$engine(Default::default()),)+]
            }

            /// Its name on the command line.
            pub fn name(&self) -> &'static str {
                match self {
                    $(EngineSpec::$engine { .. } => stringify!($folder),)+
                }
            }

            /// A few words about it.
            pub fn about(&self) -> &'static str {
                match self {
                    $(EngineSpec::$engine { .. } => $about,)+
                }
            }

            /// Its abilities and needs.
            pub fn capabilities(&self) -> Capabilities {
                match self {
                    $(EngineSpec::$engine { .. } => $folder::capabilities(),)+
                }
            }

            /// What a model that it loaded would say of its tensors, without loading it.
            fn tensors(&self, file: &OnnxFile, bound: &BoundDimensions) -> Option<TensorTable> {
                match self {
                    $(EngineSpec::$engine { .. } => $folder::tensors(file, bound),)+
                }
            }

            /// Starts the engine, for kernels that use `threads` threads.
            ///
            /// # Errors
            ///
            /// If it is not installed, or cannot do what the options ask for.
            pub fn start(&self, threads: u32) -> Result<Rc<dyn Engine>, RecordError> {
                match self {
                    $(EngineSpec::$engine($options) => $folder::start($options, threads),)+
                }
            }
        }
    };
}

engines! {
    tract: Tract(options: tract::TractOptions), "tract, which is part of this program";
    onnxruntime: OnnxRuntime(options: onnxruntime::OnnxRuntimeOptions), "ONNX Runtime, as it is installed";
}

impl Default for EngineSpec {
    fn default() -> EngineSpec {
        EngineSpec::Tract(tract::TractOptions::default())
    }
}

/// The libraries of an engine and of its providers, which are loaded for that.
pub fn libraries(engine: &EngineSpec) -> Vec<EngineLibrary> {
    match engine {
        EngineSpec::Tract(_) => {
            let started = engine.start(1);
            let version = started.as_ref().ok().map(|started| started.version().to_string());
            let failure = started.err().map(|error| error.to_string());
            vec![EngineLibrary { version, failure, ..EngineLibrary::default() }]
        }
        EngineSpec::OnnxRuntime(options) => onnxruntime::libraries(options),
    }
}

/// The engines that a program can start, and the clock that its decisions go by.
pub trait Engines {
    /// Starts an engine, for kernels that use `threads` threads.
    ///
    /// # Errors
    ///
    /// If it is not installed, or cannot do what the options ask for.
    fn start(&self, spec: &EngineSpec, threads: u32) -> Result<Rc<dyn Engine>, RecordError>;

    /// What the loaded model would say of its tensors, without loading it, which takes longer than
    /// all else that inputs take; `None` if only the loaded model tells.
    fn tensors(
        &self,
        _spec: &EngineSpec,
        _file: &OnnxFile,
        _bound: &BoundDimensions,
    ) -> Option<TensorTable> {
        None
    }

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

    fn tensors(
        &self,
        spec: &EngineSpec,
        file: &OnnxFile,
        bound: &BoundDimensions,
    ) -> Option<TensorTable> {
        spec.tensors(file, bound)
    }

    fn clock(&self) -> &dyn Clock {
        &MonotonicClock
    }
}

impl EngineSpec {
    /// Whether both run in one process, which loads one build of a library.
    pub fn fits_with(&self, other: &EngineSpec) -> bool {
        match (self, other) {
            (EngineSpec::OnnxRuntime(own), EngineSpec::OnnxRuntime(other)) => {
                own.library == other.library || onnxruntime::file(own) == onnxruntime::file(other)
            }
            _ => true,
        }
    }

    /// The file that it loads the engine from; `None` if the engine is part of the program, or is
    /// missing.
    pub fn library(&self) -> Option<PathBuf> {
        match self {
            EngineSpec::Tract(_) => None,
            EngineSpec::OnnxRuntime(options) => onnxruntime::file(options),
        }
    }
}

/// How an engine runs models of these sizes, as studies keep it.
pub(crate) fn setup(engine: &dyn Engine, bound: &BoundDimensions) -> Setup {
    Setup {
        engine: engine.name().to_string(),
        engine_version: engine.version().to_string(),
        engine_options: engine.options(),
        batch_size: bound.batch_size,
        dimensions: bound.dimensions.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_without_options_is_read_by_its_name() {
        let read = |text: &str| serde_json::from_str::<EngineSpec>(text).unwrap();
        assert_eq!(read("\"Tract\""), EngineSpec::default());
        let sparse = EngineSpec::Tract(tract::TractOptions {
            sparse: Some(tract::ZeroShare::try_from(0.5).unwrap()),
        });
        let onnxruntime = EngineSpec::OnnxRuntime(Default::default());
        for spec in [EngineSpec::default(), sparse, onnxruntime] {
            assert_eq!(read(&serde_json::to_string(&spec).unwrap()), spec);
        }
        assert!(serde_json::from_str::<EngineSpec>(r#"{"Tract":{"sparse":1.5}}"#).is_err());
    }
}

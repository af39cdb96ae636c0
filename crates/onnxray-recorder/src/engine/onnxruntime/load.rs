//! Loads a model, so that it can be described and run.

use super::executed::Executed;
use super::library::Library;
use super::operators::operators;
use super::optimizers::optimizers;
use super::options::{OnnxRuntimeOptions, Optimization};
use super::placement;
use super::providers::Provider;
use super::runner::{ProfiledRunner, UnprofiledRunner};
use super::sessions::{Sessions, Settings, load_error};
use super::shapes;
use crate::engine::{Capabilities, Engine, Instrumentation, LoadedModel, Optimizer, Runner};
use crate::error::RecordError;
use crate::model::file::OnnxFile;
use crate::model::sizes::dimensions::{BoundDimensions, GivenDimensions};
use crate::model::tensor_table::TensorTable;
use crate::roofs;
use crate::tensor::Tensor;
use onnxray_format::{ONNX_RUNTIME, Operator, Placement, Roofs, VectorRegisters};
use ort::session::Session;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

/// The engine: a library that this process has loaded.
struct OnnxRuntime {
    library: Library,
    options: OnnxRuntimeOptions,
    provider: Provider,
}

/// What it can do, whatever its version and options.
pub(crate) fn capabilities() -> Capabilities {
    Capabilities {
        is_foreign: true,
        clears_registers: false,
        is_late: true,
        describes_by_running: true,
        runs_any_shape: true,
        takes_all_types: true,
        times_blocks: false,
    }
}

/// What a loaded model says of its tensors.
pub(crate) fn tensors(file: &OnnxFile, bound: &BoundDimensions) -> Option<TensorTable> {
    Some(shapes::given(&file.graph, bound))
}

/// Loads the library, for kernels that use `threads` threads.
pub(crate) fn start(
    options: &OnnxRuntimeOptions,
    threads: u32,
) -> Result<Rc<dyn Engine>, RecordError> {
    let library = Library::load(options, threads)?;
    let provider = Provider::find(&library, options)?;
    Ok(Rc::new(OnnxRuntime { library, options: options.clone(), provider }))
}

impl Engine for OnnxRuntime {
    fn name(&self) -> &'static str {
        ONNX_RUNTIME
    }

    fn version(&self) -> &str {
        &self.library.version
    }

    fn options(&self) -> BTreeMap<String, String> {
        self.options.stated(&self.provider.name, self.provider.library.as_deref())
    }

    fn capabilities(&self) -> Capabilities {
        capabilities()
    }

    fn roofs(&self, threads: u32, limit: Option<f64>) -> Roofs {
        if self.provider.is_processor() {
            return roofs::measure(threads, limit);
        }
        let provider = &self.provider.name;
        let unknown = format!("{provider} may run operators elsewhere than on the processor");
        Roofs { unknown: Some(unknown), ..Roofs::default() }
    }

    fn load(
        &self,
        file: &Rc<OnnxFile>,
        bound: &BoundDimensions,
        threads: u32,
    ) -> Result<Box<dyn LoadedModel>, RecordError> {
        let sessions = self.sessions(file, threads)?;
        let unprofiled = Rc::new(RefCell::new(sessions.plain()?));
        let given = shapes::given(&file.graph, bound);
        Ok(Box::new(Loaded {
            sessions,
            bound: bound.clone(),
            unprofiled,
            given,
            executed: RefCell::default(),
            placement: RefCell::default(),
        }))
    }

    fn load_chain(
        &self,
        file: &Rc<OnnxFile>,
        bound: &BoundDimensions,
        threads: u32,
    ) -> Result<Box<dyn LoadedModel>, RecordError> {
        // The runtime writes an event for each node that it executes, whichever provider runs it;
        // one that compiles would make the chain one node.
        let (library, options) = (self.library.clone(), self.options.clone());
        OnnxRuntime { library, options, provider: Provider::processor() }.load(file, bound, threads)
    }

    fn bare(
        &self,
        path: &Path,
        _given: &GivenDimensions,
        _registers: VectorRegisters,
        threads: u32,
    ) -> Result<Box<dyn Runner>, RecordError> {
        let session = self.settings(threads).of_file(path)?;
        Ok(Box::new(UnprofiledRunner::new(Rc::new(RefCell::new(session)))))
    }

    fn optimizers(&self, file: &Rc<OnnxFile>, threads: u32) -> Result<Vec<Optimizer>, RecordError> {
        let (_, log) = self.sessions(file, threads)?.logged()?;
        Ok(optimizers(log.iter().map(String::as_str)))
    }
}

impl OnnxRuntime {
    fn settings(&self, threads: u32) -> Settings {
        let (library, provider) = (self.library.clone(), self.provider.clone());
        Settings { library, provider, options: self.options.clone(), threads }
    }

    fn sessions(&self, file: &Rc<OnnxFile>, threads: u32) -> Result<Sessions, RecordError> {
        let mut settings = self.settings(threads);
        // Users keep profiles of their own models, not of those that are made here.
        settings.options.profiles.take_if(|_| !file.is_as_written());
        Ok(Sessions {
            settings,
            file: Rc::clone(file),
            renamed: file.with_own_names()?.map(Rc::from),
        })
    }
}

struct Loaded {
    sessions: Sessions,
    bound: BoundDimensions,
    unprofiled: Rc<RefCell<Session>>,
    /// Types and shapes known before a run: constants and inputs.
    given: TensorTable,
    /// Set by `operators`, and needed by profiled runners.
    executed: RefCell<Option<Rc<RefCell<Executed>>>>,
    /// Set by `operators`, if the processor is not all there is.
    placement: RefCell<Option<Placement>>,
}

impl Loaded {
    fn describe(&self, inputs: &[Tensor]) -> Result<(Vec<Operator>, Executed), RecordError> {
        let Sessions { file, settings: Settings { options, .. }, .. } = &self.sessions;
        self.check_optimizers()?;
        let executed = Executed::observe(&self.sessions, options.optimization, inputs)?;
        // Steps of a generation have other shapes than the model was loaded for.
        let shape = |input: &Tensor| input.shape().iter().map(|&size| size as u64).collect();
        let bound =
            BoundDimensions { shapes: inputs.iter().map(shape).collect(), ..self.bound.clone() };
        let own = shapes::seen(&executed.graph, &bound, &executed);
        // Every node of the model has its own event only where nothing is fused.
        let whole = match options.optimization {
            Optimization::Disabled if self.sessions.settings.provider.is_processor() => None,
            // A model may run only as optimized: then the optimized run has to do.
            // Another provider may run several nodes as one; shapes are the same.
            _ => {
                let sessions = self.sessions.on_processor();
                Executed::observe(&sessions, Optimization::Disabled, inputs).ok()
            }
        };
        let tensors = shapes::seen(&file.graph, &bound, whole.as_ref().unwrap_or(&executed));
        let operators = operators(file, &executed, &tensors, &own);
        self.placement.replace(self.placed(&executed, &own, &bound, inputs));
        Ok((operators, executed))
    }
}

impl Loaded {
    /// Which provider runs which nodes: as the library says, or else the profile.
    fn placed(
        &self,
        executed: &Executed,
        own: &TensorTable,
        bound: &BoundDimensions,
        inputs: &[Tensor],
    ) -> Option<Placement> {
        if self.sessions.settings.provider.is_processor() {
            return None;
        }
        let Some(assigned) = &executed.assigned else {
            let (nodes, is_complete) = placement::of_profile(&executed.nodes);
            let graph = executed.is_saved().then_some((&*executed.graph, own))?;
            return Some(placement::placement(&nodes, is_complete.then_some(graph)));
        };
        if assigned.len() <= 1 {
            return Some(placement::placement(assigned, None));
        }
        // Providers are given nodes after the basic optimizations, which are the same for all.
        let level = self.sessions.settings.options.optimization.min(Optimization::Basic);
        let basic = Executed::observe(&self.sessions.on_processor(), level, inputs).ok();
        let seen = |basic: &Executed| shapes::seen(&basic.graph, bound, basic);
        let tensors = basic.as_ref().map(seen).unwrap_or_default();
        let graph = basic.as_ref().map(|basic| (&*basic.graph, &tensors));
        Some(placement::placement(assigned, graph))
    }

    /// Refuses to leave out what the runtime does not have: it would not say a word.
    fn check_optimizers(&self) -> Result<(), RecordError> {
        let disabled = &self.sessions.settings.options.disabled_optimizers;
        if disabled.is_empty() {
            return Ok(());
        }
        let mut sessions = self.sessions.clone();
        sessions.settings.options.disabled_optimizers.clear();
        let (_, log) = sessions.logged()?;
        let known = optimizers(log.iter().map(String::as_str)).into_iter();
        let names: Vec<String> = known.map(|optimizer| optimizer.name).collect();
        match disabled.iter().find(|name| !names.contains(name)) {
            Some(name) => {
                Err(RecordError::NoOptimizer { engine: ONNX_RUNTIME, name: name.clone(), names })
            }
            None => Ok(()),
        }
    }
}

impl LoadedModel for Loaded {
    fn tensors(&self) -> &TensorTable {
        &self.given
    }

    fn operators(&self, inputs: &[Tensor]) -> Result<Vec<Operator>, RecordError> {
        let (operators, executed) = self.describe(inputs)?;
        self.executed.replace(Some(Rc::new(RefCell::new(executed))));
        Ok(operators)
    }

    fn placement(&self) -> Option<Placement> {
        self.placement.borrow().clone()
    }

    fn tells_nodes(&self) -> bool {
        self.executed.borrow().as_ref().is_none_or(|executed| executed.borrow().is_saved())
    }

    fn runner(
        &self,
        _registers: VectorRegisters,
        instrumentation: Instrumentation,
    ) -> Result<Box<dyn Runner>, RecordError> {
        match (instrumentation, self.executed.borrow().as_ref()) {
            (Instrumentation::None, _) => {
                Ok(Box::new(UnprofiledRunner::new(Rc::clone(&self.unprofiled))))
            }
            (Instrumentation::Spans, Some(executed)) => {
                Ok(Box::new(ProfiledRunner::new(self.sessions.clone(), Rc::clone(executed))?))
            }
            (Instrumentation::Spans, None) => {
                Err(load_error("its operators were not asked for".to_string()))
            }
        }
    }
}

//! Makes sessions: a model in the runtime, plain or with the runtime's profiler.

use super::library::Library;
use super::options::{OnnxRuntimeOptions, Optimization};
use super::profile::ProfileFile;
use super::providers::Provider;
use crate::error::RecordError;
use crate::model::file::OnnxFile;
use onnxray_failsafe::{catch_panic, private_folder};
use onnxray_format::ONNX_RUNTIME;
use onnxray_native::onnxruntime::{ASSIGNMENT_SINCE, RECORD_ASSIGNMENT};
use ort::logging::{LogLevel, LoggerFunction};
use ort::session::Session;
use ort::session::builder::{GraphOptimizationLevel, SessionBuilder};
use std::path::Path;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

/// Folder of external data, for a model that is not read from a file.
const DATA_FOLDER: &str = "session.model_external_initializers_file_folder_path";
/// The file of the weights of a graph that is saved.
const WEIGHTS_FILE: &str = "session.optimized_model_external_initializers_file_name";

/// How sessions are made, of whichever model.
#[derive(Clone)]
pub(super) struct Settings {
    pub(super) library: Library,
    pub(super) options: OnnxRuntimeOptions,
    pub(super) provider: Provider,
    pub(super) threads: u32,
}

/// Where a session takes its model from.
enum Source<'a> {
    File(&'a Path),
    /// Its external data are in this folder.
    Memory(&'a [u8], Option<&'a Path>),
}

/// A model, and how sessions for it are made.
#[derive(Clone)]
pub(super) struct Sessions {
    pub(super) settings: Settings,
    pub(super) file: Rc<OnnxFile>,
    /// The model with a name of its own for every node, where its author did not give
    /// them: the profiler knows nodes by name.
    pub(super) renamed: Option<Rc<[u8]>>,
}

impl Sessions {
    /// A session as a program would make it.
    pub(super) fn plain(&self) -> Result<Session, RecordError> {
        self.commit(Ok)
    }

    /// A session as a program would make it, and what the runtime says while it makes it, with
    /// all its details.
    pub(super) fn logged(&self) -> Result<(Session, Vec<String>), RecordError> {
        let said = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&said);
        let session = self.commit(|builder| {
            let logger: LoggerFunction = Arc::new(move |_, _, _, _, message: &str| {
                let mut said = heard.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                said.push(message.to_string());
            });
            Ok(builder.with_logger(logger)?.with_log_level(LogLevel::Info)?)
        })?;
        let said =
            std::mem::take(&mut *said.lock().unwrap_or_else(|poisoned| poisoned.into_inner()));
        Ok((session, said))
    }

    pub(super) fn profiled(&self) -> Result<(Session, ProfileFile), RecordError> {
        self.profiled_with(Ok)
    }

    /// A session that profiles its runs on a graph optimized so far, which it saves.
    pub(super) fn saving(
        &self,
        optimization: Optimization,
        path: &Path,
    ) -> Result<(Session, ProfileFile), RecordError> {
        self.profiled_with(|builder| {
            let builder = self.settings.recording_assignment(builder)?;
            let builder = builder.with_optimization_level(level(optimization))?;
            // Weights go into a file of their own: a protobuf message ends at 2 GB.
            let builder = builder.with_config_entry(WEIGHTS_FILE, "weights")?;
            Ok(builder.with_optimized_model_path(path)?)
        })
    }

    /// A session that profiles its runs on a graph optimized so far.
    pub(super) fn profiled_at(
        &self,
        optimization: Optimization,
    ) -> Result<(Session, ProfileFile), RecordError> {
        self.profiled_with(|builder| {
            let builder = self.settings.recording_assignment(builder)?;
            Ok(builder.with_optimization_level(level(optimization))?)
        })
    }

    /// The same on the processor.
    pub(super) fn on_processor(&self) -> Sessions {
        let mut sessions = self.clone();
        sessions.settings.provider = Provider::processor();
        sessions
    }

    fn profiled_with(
        &self,
        change: impl FnOnce(SessionBuilder) -> Built,
    ) -> Result<(Session, ProfileFile), RecordError> {
        let folder = private_folder().map_err(|error| load_error(error.to_string()))?;
        let prefix = folder.path().join(ProfileFile::PREFIX);
        let begin = || self.commit(|builder| change(builder.with_profiling(&prefix)?));
        let (session, profile) = ProfileFile::take(folder, begin);
        Ok((session?, profile.map_err(|error| load_error(error.to_string()))?))
    }

    fn commit(&self, change: impl FnOnce(SessionBuilder) -> Built) -> Result<Session, RecordError> {
        let source = match &self.renamed {
            None => Source::File(&self.file.path),
            Some(bytes) => Source::Memory(bytes, self.file.path.parent()),
        };
        self.settings.commit(source, change)
    }
}

impl Settings {
    /// A session of the model in a file, of which nothing else is known.
    pub(super) fn of_file(&self, path: &Path) -> Result<Session, RecordError> {
        self.commit(Source::File(path), Ok)
    }

    /// Whether the library says which nodes it gave to which provider, and there is a choice.
    pub(super) fn tells_assignment(&self) -> bool {
        !self.provider.is_processor() && self.library.interface >= ASSIGNMENT_SINCE
    }

    fn recording_assignment(&self, builder: SessionBuilder) -> Built {
        match self.tells_assignment() {
            true => Ok(builder.with_config_entry(RECORD_ASSIGNMENT, "1")?),
            false => Ok(builder),
        }
    }

    fn commit(
        &self,
        source: Source,
        change: impl FnOnce(SessionBuilder) -> Built,
    ) -> Result<Session, RecordError> {
        let work = || -> Result<Session, Refused> {
            let builder = Session::builder(&self.library.environment)?;
            let mut builder = change(self.configure(builder)?)?;
            Ok(match source {
                Source::File(path) => builder.commit_from_file(path)?,
                Source::Memory(bytes, None) => builder.commit_from_memory(bytes)?,
                Source::Memory(bytes, Some(folder)) => builder
                    .with_config_entry(DATA_FOLDER, folder.to_string_lossy())?
                    .commit_from_memory(bytes)?,
            })
        };
        let committed = catch_panic(work).unwrap_or_else(|panic| Err(Refused(panic)));
        committed.map_err(|Refused(reason)| load_error(reason))
    }

    fn configure(&self, builder: SessionBuilder) -> Built {
        let options = &self.options;
        let builder = builder
            .with_optimization_level(level(options.optimization))?
            .with_parallel_execution(options.inter_op_threads.is_some())?
            .with_memory_pattern(options.memory_pattern)?;
        let mut builder = self.provider.of_session(builder, &self.library, options)?;
        if !options.disabled_optimizers.is_empty() {
            builder = builder.with_disabled_optimizers(options.disabled())?;
        }
        for (key, value) in &options.config {
            builder = builder.with_config_entry(key, value)?;
        }
        if self.library.shares_threads(options, self.threads) {
            return Ok(builder);
        }
        builder = builder
            .with_independent_thread_pool()?
            .with_intra_threads(self.threads as usize)?
            .with_intra_op_spinning(options.spinning)?
            .with_inter_op_spinning(options.spinning)?;
        if let Some(threads) = options.inter_op_threads {
            builder = builder.with_inter_threads(threads as usize)?;
        }
        Ok(builder)
    }
}

/// The runtime's reason to refuse a session.
struct Refused(String);

type Built = Result<SessionBuilder, Refused>;

impl<T> From<ort::Error<T>> for Refused {
    fn from(error: ort::Error<T>) -> Refused {
        Refused(text(error))
    }
}

impl From<String> for Refused {
    fn from(reason: String) -> Refused {
        Refused(reason)
    }
}

pub(super) fn text<T>(error: ort::Error<T>) -> String {
    error.to_string()
}

fn level(optimization: Optimization) -> GraphOptimizationLevel {
    match optimization {
        Optimization::Disabled => GraphOptimizationLevel::Disable,
        Optimization::Basic => GraphOptimizationLevel::Level1,
        Optimization::Extended => GraphOptimizationLevel::Level2,
        Optimization::All => GraphOptimizationLevel::All,
    }
}

pub(super) fn load_error(reason: String) -> RecordError {
    RecordError::Load { engine: ONNX_RUNTIME, reason }
}

//! A model in one's own program, recorded when the environment asks for it.
//!
//! `ENGINE_PROFILING` switches recording on; unset, empty, `0` and `false` mean
//! off. `INST_NUM` says how many processes of one run record at once.

use crate::engine::{EngineSpec, Instrumentation, Model, Runner};
use crate::error::RecordError;
use crate::launch::{Launch, LaunchOptions, Recorded};
use crate::model::sizes::dimensions::GivenDimensions;
use crate::tensor::Tensor;
use onnxray_format::{IterationKind, VectorRegisters};
use std::env;
use std::path::Path;

/// Runs a model. Dropping the session closes its recording, if there is one.
pub struct Session {
    mode: Mode,
}

enum Mode {
    /// Without clock and files.
    Unprofiled(Box<dyn Runner>),
    Recorded(Box<Launch>),
    Finished,
}

impl Session {
    /// Loads the model at `path` into the engine of this crate for inputs of the given sizes, and begins a
    /// recording in `engine_profiling` if `ENGINE_PROFILING` is set.
    ///
    /// # Errors
    ///
    /// If the model cannot be loaded, or the recording cannot be created.
    pub fn open(path: impl AsRef<Path>, sizes: &GivenDimensions) -> Result<Session, RecordError> {
        Session::open_in(&EngineSpec::default(), path, sizes)
    }

    /// [`Session::open`] with a choice of the engine.
    ///
    /// # Errors
    ///
    /// If there is no such engine, if the model cannot be loaded, or the recording cannot be
    /// created.
    pub fn open_in(
        engine: &EngineSpec,
        path: impl AsRef<Path>,
        sizes: &GivenDimensions,
    ) -> Result<Session, RecordError> {
        let instances = instances(env::var("INST_NUM").ok().as_deref());
        let options = is_on(env::var("ENGINE_PROFILING").ok().as_deref()).then(|| LaunchOptions {
            launches: Some(instances),
            instances,
            ..LaunchOptions::default()
        });
        Session::open_with(engine, path.as_ref(), sizes, options.as_ref())
    }

    /// [`Session::open_in`] without looking at the environment: records if there are options.
    ///
    /// # Errors
    ///
    /// If there is no such engine, if the model cannot be loaded, or the recording cannot be
    /// created.
    pub fn open_with(
        engine: &EngineSpec,
        path: &Path,
        sizes: &GivenDimensions,
        options: Option<&LaunchOptions>,
    ) -> Result<Session, RecordError> {
        let Some(options) = options else {
            let model = Model::load(engine, path, sizes, 1)?;
            return Session::unprofiled(&model, LaunchOptions::default().registers(&*model.engine));
        };
        let model = Model::load(engine, path, sizes, options.threads)?;
        // What cannot be made up, such as texts, an engine has to do without.
        let inputs = model.sample_inputs().unwrap_or_default();
        Ok(Session { mode: Mode::Recorded(Box::new(Launch::begin(&model, &inputs, options)?)) })
    }

    /// A session that never records, with a choice of the registers' state after each operator; the
    /// others clear them unless options say not to.
    ///
    /// # Errors
    ///
    /// If the model cannot be loaded.
    pub fn open_unprofiled(
        path: &Path,
        sizes: &GivenDimensions,
        registers: VectorRegisters,
    ) -> Result<Session, RecordError> {
        let model = Model::load(&EngineSpec::default(), path, sizes, 1)?;
        Session::unprofiled(&model, registers)
    }

    fn unprofiled(model: &Model, registers: VectorRegisters) -> Result<Session, RecordError> {
        let runner = model.loaded.runner(registers, Instrumentation::None)?;
        Ok(Session { mode: Mode::Unprofiled(runner) })
    }

    /// Runs the model once. Inputs and outputs are in the graph's order.
    ///
    /// # Errors
    ///
    /// If the model fails, or the recording cannot be written.
    pub fn run(&mut self, inputs: &[Tensor]) -> Result<Vec<Tensor>, RecordError> {
        let failed = |reason| RecordError::Run { reason };
        match &mut self.mode {
            Mode::Recorded(launch) => {
                launch.run(inputs, IterationKind::Measured)?;
                launch.outputs()
            }
            Mode::Unprofiled(runner) => {
                runner.prepare(inputs).map_err(failed)?;
                runner.run().map_err(|failure| failed(failure.reason))?;
                runner.outputs().map_err(failed)
            }
            Mode::Finished => Err(failed("the session is finished".to_string())),
        }
    }

    /// Closes the recording and returns its files; `None` if nothing was recorded.
    ///
    /// # Errors
    ///
    /// If the rest of the recording cannot be written.
    pub fn finish(mut self) -> Result<Option<Recorded>, RecordError> {
        self.close()
    }

    fn close(&mut self) -> Result<Option<Recorded>, RecordError> {
        // `drop` follows `finish`, and must not close the recording again.
        match std::mem::replace(&mut self.mode, Mode::Finished) {
            Mode::Recorded(launch) => launch.finish().map(Some),
            Mode::Unprofiled(_) | Mode::Finished => Ok(None),
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if let Err(error) = self.close() {
            // A destructor cannot return this.
            eprintln!("onnxray: {error}");
        }
    }
}

/// Whether this value of `ENGINE_PROFILING` switches recording on.
fn is_on(value: Option<&str>) -> bool {
    value.is_some_and(|value| !matches!(value.to_ascii_lowercase().as_str(), "" | "0" | "false"))
}

/// The number of processes that `INST_NUM` announces.
fn instances(value: Option<&str>) -> u32 {
    // A value that is not a number must not fail somebody's program.
    value.and_then(|value| value.trim().parse().ok()).filter(|&count| count > 0).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_value_that_means_yes_switches_recording_on() {
        for off in [None, Some(""), Some("0"), Some("false"), Some("FALSE")] {
            assert!(!is_on(off), "{off:?}");
        }
        for on in [Some("1"), Some("true"), Some("yes")] {
            assert!(is_on(on), "{on:?}");
        }
    }

    #[test]
    fn instances_are_a_positive_number() {
        let read = |value| instances(Some(value));
        assert_eq!((read("4"), read("0"), read("many"), instances(None)), (4, 1, 1, 1));
    }
}

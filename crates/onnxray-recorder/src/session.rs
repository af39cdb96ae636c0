//! A model in one's own program, recorded when the environment asks for it.
//!
//! `ENGINE_PROFILING` switches recording on; unset, empty, `0` and `false` mean
//! off. `INST_NUM` says how many processes of one run record at once.

use crate::dimensions::GivenDimensions;
use crate::error::{RecordError, causes};
use crate::launch::{Launch, LaunchOptions, Recorded, file_time};
use crate::model::Model;
use crate::runner::Runner;
use onnxray_format::IterationKind;
use onnxray_format::layout::Numbering;
use std::env;
use std::path::Path;
use tract_onnx::prelude::*;

/// Runs a model. Dropping the session closes its recording, if there is one.
pub struct Session {
    mode: Option<Mode>,
}

enum Mode {
    /// The engine as it is: no wrapper, no clock, no file.
    Plain(Box<Runner>),
    Recorded(Box<Launch>),
}

impl Session {
    /// Loads the model at `path` for inputs of the given sizes, and begins a
    /// recording in `engine_profiling` if `ENGINE_PROFILING` is set.
    pub fn open(path: impl AsRef<Path>, sizes: &GivenDimensions) -> Result<Session, RecordError> {
        let options = is_on(env::var("ENGINE_PROFILING").ok().as_deref()).then(|| LaunchOptions {
            numbering: Numbering::Free {
                now: file_time,
                instances: instances(env::var("INST_NUM").ok().as_deref()),
            },
            launches: instances(env::var("INST_NUM").ok().as_deref()),
            ..LaunchOptions::default()
        });
        Session::open_with(path.as_ref(), sizes, options.as_ref())
    }

    /// The same without looking at the environment: records if there are
    /// options.
    pub fn open_with(
        path: &Path,
        sizes: &GivenDimensions,
        options: Option<&LaunchOptions>,
    ) -> Result<Session, RecordError> {
        let model = Model::load(path, sizes)?;
        let mode = match options {
            Some(options) => Mode::Recorded(Box::new(Launch::begin(&model, options)?)),
            None => {
                let runner = Runner::new(model.optimized, 1)
                    .map_err(|error| RecordError::Load { reason: causes(&error) })?;
                Mode::Plain(Box::new(runner))
            }
        };
        Ok(Session { mode: Some(mode) })
    }

    /// Runs the model once. Inputs stand in the order of the graph's inputs.
    pub fn run(&mut self, inputs: TVec<TValue>) -> Result<TVec<TValue>, RecordError> {
        match &mut self.mode {
            Some(Mode::Recorded(launch)) => launch.run_recorded(inputs, IterationKind::Measured),
            Some(Mode::Plain(runner)) => runner
                .reset()
                .and_then(|()| runner.run(inputs))
                .map_err(|reason| RecordError::Run { reason }),
            None => Err(RecordError::Run { reason: "the session is finished".to_string() }),
        }
    }

    /// Closes the recording and says where it lies; `None` if nothing was
    /// recorded.
    pub fn finish(mut self) -> Result<Option<Recorded>, RecordError> {
        match self.mode.take() {
            Some(Mode::Recorded(launch)) => launch.finish().map(Some),
            _ => Ok(None),
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if let Some(Mode::Recorded(launch)) = self.mode.take()
            && let Err(error) = launch.finish()
        {
            // A destructor has nobody to return this to.
            eprintln!("onnxray: {error}");
        }
    }
}

/// Whether a value of `ENGINE_PROFILING` switches recording on.
fn is_on(value: Option<&str>) -> bool {
    value.is_some_and(|value| !matches!(value.to_ascii_lowercase().as_str(), "" | "0" | "false"))
}

/// The number of processes that `INST_NUM` announces.
fn instances(value: Option<&str>) -> u32 {
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

//! The description of a launch, complete enough to be run by another process.

use crate::engine::{self, Model};
use crate::error::RecordError;
use crate::launch::LaunchOptions;
use crate::model::dimensions::GivenDimensions;
use crate::record::{Outcome, Participant, Progress, Schedule, record};
use crate::tensor::Tensor;
use onnxray_format::layout::Numbering;
use onnxray_format::{Interleaved, OperatorArguments};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// What a launch runs, and how and where it is recorded.
///
/// Paths are `OsString`s, because JSON has no text for names that are not UTF-8.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LaunchSpec {
    /// Name of the engine.
    pub engine: String,
    /// The model's file.
    pub model: OsString,
    /// Sizes of the free dimensions.
    pub dimensions: GivenDimensions,
    /// NumPy files by the name of the input; other inputs get random values.
    pub inputs: BTreeMap<String, OsString>,
    /// Seed of the random inputs.
    pub seed: u64,
    /// How many iterations of which kind are run.
    pub schedule: Schedule,
    /// The folder of the recording.
    pub folder: OsString,
    /// The profile's name.
    pub profile: String,
    /// Threads that a kernel may use.
    pub threads: u32,
    /// Whether all facts of an operator are repeated on each of its events.
    pub full_arguments: bool,
    /// Launches planned for the recording.
    pub launches: u32,
    /// Which of them this is; `None` if it is the only one.
    pub place: Option<Place>,
}

/// The place of a launch among others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// Time in the names of the recording's files.
    pub time: String,
    /// Number of the launch in the recording, from 0.
    pub number: u32,
    /// Its place among the launches of both recordings, where two take turns.
    pub interleaved: Option<Interleaved>,
}

impl LaunchSpec {
    /// Reads what [`LaunchSpec::write`] wrote.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is none.
    pub fn read(from: impl Read) -> io::Result<LaunchSpec> {
        Ok(serde_json::from_reader(from)?)
    }

    /// Writes it down for another process.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn write(&self, to: impl Write) -> io::Result<()> {
        Ok(serde_json::to_writer(to, self)?)
    }

    /// Loads the model, and makes values for its inputs.
    ///
    /// # Errors
    ///
    /// As [`Model::load`] and [`Model::inputs`].
    pub fn load(&self) -> Result<(Model, Vec<Tensor>), RecordError> {
        let engine = engine::engine(&self.engine)
            .ok_or_else(|| RecordError::UnknownEngine { name: self.engine.clone() })?;
        let model = Model::load(engine, Path::new(&self.model), &self.dimensions)?;
        let files = self.inputs.iter().map(|(name, path)| (name.clone(), path.into())).collect();
        let inputs = model.inputs(&files, self.seed)?;
        Ok((model, inputs))
    }

    /// Runs and records the launch in this process.
    ///
    /// # Errors
    ///
    /// As [`LaunchSpec::load`] and [`record`].
    pub fn run(
        &self,
        stop: &AtomicBool,
        progress: impl FnMut(Progress),
    ) -> Result<Outcome, RecordError> {
        let (model, inputs) = self.load()?;
        let participant = Participant { model: &model, inputs: &inputs, options: self.options() };
        record(&[participant], &self.schedule, stop, progress)
    }

    fn options(&self) -> LaunchOptions {
        let defaults = LaunchOptions::default();
        let numbering = self.place.as_ref().map_or(defaults.numbering, |place| {
            Numbering::Planned { time: place.time.clone(), number: place.number }
        });
        LaunchOptions {
            folder: self.folder.clone().into(),
            profile: self.profile.clone(),
            threads: self.threads,
            numbering,
            launches: self.launches,
            interleaved: self.place.as_ref().and_then(|place| place.interleaved.clone()),
            warmup: self.schedule.warmup,
            inputs: Some(self.describe_inputs()),
            arguments: match self.full_arguments {
                true => OperatorArguments::Always,
                false => OperatorArguments::WhenChanged,
            },
        }
    }

    fn describe_inputs(&self) -> String {
        let random = format!("random, seed {}", self.seed);
        let files = self.inputs.iter();
        let files: Vec<String> =
            files.map(|(name, path)| format!("{name}={}", path.display())).collect();
        match files.is_empty() {
            true => random,
            false => format!("{}; others {random}", files.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Length;
    use std::time::Duration;

    #[test]
    fn another_process_reads_what_this_one_wrote() {
        use std::os::unix::ffi::OsStringExt;
        // File names are bytes.
        let path = |text: &[u8]| OsString::from_vec(text.to_vec());
        let spec = LaunchSpec {
            engine: "tract".to_string(),
            model: path(b"mod\xffel \"1\".onnx"),
            dimensions: GivenDimensions { batch_size: Some(u64::MAX), ..Default::default() },
            inputs: [("x:\n0".to_string(), path(b"\xfe.npy"))].into(),
            seed: u64::MAX,
            schedule: Schedule {
                warmup: 1,
                length: Length::Duration(Duration::from_nanos(1)),
                plain: 2,
            },
            folder: path(b"-out"),
            profile: "--report".to_string(),
            threads: 3,
            full_arguments: true,
            launches: 4,
            place: Some(Place {
                time: "2026-11-20_14-05-09".to_string(),
                number: 5,
                interleaved: Some(Interleaved { with: String::new(), position: 6 }),
            }),
        };
        let mut written = Vec::new();
        spec.write(&mut written).unwrap();
        assert_eq!(LaunchSpec::read(written.as_slice()).unwrap(), spec);
        assert!(LaunchSpec::read(&written[..written.len() - 1]).is_err());
    }
}

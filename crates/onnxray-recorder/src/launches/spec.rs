//! The description of launches, complete enough to be run by another process.

use super::placement::Displacement;
use crate::cores;
use crate::engine::{EngineSpec, Engines, Instrumentation, Model};
use crate::error::{RecordError, Takes};
use crate::launch::LaunchOptions;
use crate::model::file::OnnxFile;
use crate::model::generation::GenerationOptions;
use crate::model::input_values::inputs::InputFiles;
use crate::model::input_values::made_up::of_made_up;
use crate::model::input_values::numpy;
use crate::model::sizes::dimensions::GivenDimensions;
use crate::record::{Failure, LaunchHooks, Outcome, Participant, Schedule, record};
use crate::workload::{GenerationInputs, StepInputs, Workload};
use crate::xray::InBlocks;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// A launch: what runs, and how it is recorded. Paths are `OsString`s, because JSON has no text for
/// names that are not UTF-8.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LaunchSpec {
    /// The engine that runs it.
    pub engine: EngineSpec,
    /// The model's file.
    pub model: OsString,
    /// Sizes of the free dimensions.
    pub dimensions: GivenDimensions,
    /// NumPy files by the name of the input; other inputs get random values.
    pub inputs: InputFiles,
    /// Seed of the random inputs.
    pub seed: u64,
    /// The generation of a decoder; `None` if iterations are whole inferences.
    pub generation: Option<GenerationOptions>,
    /// Options of the recording. Warm-up and inputs follow from the rest.
    pub options: LaunchOptions,
}

/// The work of one process: a launch, or interleaved launches of several recordings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProcessSpec {
    /// In the order in which they are loaded and take their first turns.
    pub launches: Vec<LaunchSpec>,
    /// Iterations of each kind for each of them.
    pub schedule: Schedule,
}

impl LaunchSpec {
    /// Name of the model, as the files of its recording have it.
    pub(crate) fn model_name(&self) -> String {
        let path = Path::new(&self.model);
        path.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned())
    }

    /// Loads the model, and makes values for its inputs.
    ///
    /// # Errors
    ///
    /// As [`Model::load_to_generate`] and [`Model::inputs`].
    pub fn load(&self, engines: &dyn Engines) -> Result<(Model, Workload), RecordError> {
        let (model, inputs) = self.load_without_operators(engines)?;
        let operators =
            model.operators_of(&inputs).map_err(|error| self.explained(&model.file, error))?;
        if operators.is_empty() {
            return Err(RecordError::NothingToRecord { engine: model.engine.name() });
        }
        if let Workload::Generation(generation) = &inputs {
            self.check(&model, generation)?;
        }
        Ok((model, inputs))
    }

    /// The same, without what the engine says of the model.
    ///
    /// # Errors
    ///
    /// As [`LaunchSpec::load`].
    pub(crate) fn load_without_operators(
        &self,
        engines: &dyn Engines,
    ) -> Result<(Model, Workload), RecordError> {
        let model = self.load_of(engines, &self.dimensions_of_files())?;
        let inputs = model.workload(&self.inputs, self.seed)?;
        Ok((model, inputs))
    }

    /// The model alone, of the sizes that are given.
    ///
    /// # Errors
    ///
    /// As [`Model::load_to_generate`].
    pub(crate) fn load_model(&self, engines: &dyn Engines) -> Result<Model, RecordError> {
        self.load_of(engines, &self.dimensions)
    }

    fn load_of(
        &self,
        engines: &dyn Engines,
        dimensions: &GivenDimensions,
    ) -> Result<Model, RecordError> {
        let LaunchSpec { engine, model, generation, options, .. } = self;
        let (path, generation) = (Path::new(model), generation.as_ref());
        let load = |engines: &dyn Engines| {
            Model::load_to_generate(engines, engine, path, dimensions, options.threads, generation)
        };
        match &options.blocks {
            Some(blocks) => load(&InBlocks { engines, blocks }),
            None => load(engines),
        }
    }

    /// The sizes, and the shapes of the files that inputs come from. What cannot be read is
    /// found out by who reads it.
    pub(crate) fn dimensions_of_files(&self) -> GivenDimensions {
        let shapes = self.inputs.iter().filter_map(|(name, path)| {
            let shape = numpy::shape(Path::new(path), name).ok()?;
            Some((name.clone(), shape.into_iter().map(|size| size as u64).collect()))
        });
        GivenDimensions { shapes: shapes.collect(), ..self.dimensions.clone() }
    }

    /// Runs the first two steps, before there is a recording that the second could spoil.
    fn check(&self, model: &Model, generation: &GenerationInputs) -> Result<(), RecordError> {
        let registers = self.options.registers(&*model.engine);
        let mut runner = model.loaded.runner(registers, Instrumentation::None)?;
        // The second step is the first one that takes outputs: most wrong feeds fail there.
        for (number, StepInputs { inputs, .. }) in generation.steps.iter().take(2).enumerate() {
            let run = runner
                .prepare_step(inputs, &generation.feeds)
                .and_then(|()| runner.run().map_err(|failure| failure.reason));
            run.map_err(|reason| match number {
                0 => RecordError::Run { reason },
                _ => RecordError::Feed { reason },
            })?;
        }
        Ok(())
    }

    /// Adds to the failure of a model that some of its inputs were made up.
    pub(crate) fn explained(&self, file: &OnnxFile, error: RecordError) -> RecordError {
        match self.generation {
            // It takes none from files.
            Some(_) => error,
            None => of_made_up(error, &file.graph, &self.inputs, Takes::Input),
        }
    }

    /// Adds the values that were chosen for inputs of one element.
    fn describe_inputs_of(&self, model: &Model) -> String {
        let chosen = model.chosen().into_iter().map(|(name, value)| format!(", {name}={value}"));
        self.describe_inputs() + &chosen.collect::<String>()
    }

    pub(crate) fn describe_inputs(&self) -> String {
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

impl ProcessSpec {
    /// Reads what [`ProcessSpec::write`] wrote, and no byte more.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is not a description.
    pub fn read(from: impl Read) -> io::Result<ProcessSpec> {
        // Only the first value: bytes after it are words of the parent, such as `go`.
        let mut values = serde_json::Deserializer::from_reader(from).into_iter();
        values
            .next()
            .unwrap_or_else(|| Err(serde::de::Error::custom("it is empty")))
            .map_err(Into::into)
    }

    /// Writes it down for another process.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn write(&self, to: impl Write) -> io::Result<()> {
        Ok(serde_json::to_writer(to, self)?)
    }

    /// Runs and records the launches in this process.
    ///
    /// # Errors
    ///
    /// As [`LaunchSpec::load`] and [`record`].
    pub fn run(
        &self,
        engines: &dyn Engines,
        stop: &AtomicBool,
        hooks: impl LaunchHooks,
    ) -> Result<Outcome, Failure> {
        let mut loaded = Vec::new();
        let mut displacements = Vec::new();
        for (participant, launch) in self.launches.iter().enumerate() {
            // Memory is taken near the cores that load the model.
            let bound = cores::bind(&launch.options.pin).map_err(RecordError::from);
            displacements.push(Displacement::random());
            let load = || bound.and_then(|()| launch.load(engines));
            loaded.push(load().map_err(|error| Failure { participant, error })?);
            if stop.load(Ordering::Relaxed) {
                return Ok(Outcome { recorded: Vec::new(), interrupted: true });
            }
        }
        // Held until all are loaded, so that none gets the pages that another one was to avoid.
        drop(displacements);
        let participants: Vec<Participant> = self
            .launches
            .iter()
            .zip(&loaded)
            .map(|(launch, (model, workload))| {
                let options = LaunchOptions {
                    warmup: self.schedule.warmup,
                    inputs: Some(launch.describe_inputs_of(model)),
                    ..launch.options.clone()
                };
                Participant { model, workload, options }
            })
            .collect();
        record(&participants, &self.schedule, stop, hooks).map_err(|failure| {
            let Failure { participant, error } = failure;
            let launched = self.launches.iter().zip(&loaded).nth(participant);
            let error = match launched {
                Some((launch, (model, _))) => launch.explained(&model.file, error),
                None => error,
            };
            Failure { participant, error }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::launch::Place;
    use crate::record::Length;
    use onnxray_format::Interleaved;
    use std::num::NonZeroU32;
    use std::time::Duration;

    #[test]
    fn another_process_reads_what_this_one_wrote() {
        use std::os::unix::ffi::OsStringExt;
        // File names are bytes.
        let path = |text: &[u8]| OsString::from_vec(text.to_vec());
        let launch = LaunchSpec {
            engine: EngineSpec::default(),
            model: path(b"mod\xffel \"1\".onnx"),
            dimensions: GivenDimensions { batch_size: Some(u64::MAX), ..Default::default() },
            inputs: [("x:\n0".to_string(), path(b"\xfe.npy"))].into(),
            seed: u64::MAX,
            generation: Some(GenerationOptions {
                prompt: 1,
                tokens: u32::MAX,
                feeds: vec![("a=b".to_string(), String::new())],
            }),
            options: LaunchOptions {
                folder: path(b"-out"),
                profile: "--report".to_string(),
                pin: vec![3, 1],
                place: Some(Place {
                    time: "2026-11-20_14-05-09".to_string(),
                    number: 5,
                    interleaved: Some(Interleaved {
                        with: String::new(),
                        position: 6,
                        turn: Some(7),
                    }),
                }),
                ..LaunchOptions::default()
            },
        };
        let schedule = Schedule {
            warmup: 1,
            length: Length::Duration(Duration::from_nanos(1)),
            unprofiled: 2,
            turn: NonZeroU32::MAX,
        };
        let spec = ProcessSpec { launches: vec![launch.clone(), launch], schedule };
        let mut written = Vec::new();
        spec.write(&mut written).unwrap();
        assert_eq!(ProcessSpec::read(written.as_slice()).unwrap(), spec);
        assert!(ProcessSpec::read(&written[..written.len() - 1]).is_err());
    }
}

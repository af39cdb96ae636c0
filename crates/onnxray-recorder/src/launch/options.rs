//! How a launch is recorded, and where its files go.

use crate::clock::file_time;
use crate::engine::Engine;
use crate::model::cut::Blocks;
use onnxray_format::layout::{self, Claim, Numbering};
use onnxray_format::{Costs, Interleaved, OperatorArguments, VectorRegisters};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::io;
use std::path::Path;

/// How a launch is recorded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LaunchOptions {
    /// The folder that holds the recording; default `engine_profiling`. An `OsString`,
    /// because JSON has no text for names that are not UTF-8.
    pub folder: OsString,
    /// The profile's name; default `baseline`.
    pub profile: String,
    /// Threads that a kernel may use; default 1, which is the engine's own.
    pub threads: u32,
    /// Cores that it is bound to; default: none, and the system chooses.
    pub pin: Vec<u32>,
    /// Launches planned for the recording, `None` for as many as it takes; default 1.
    pub launches: Option<u32>,
    /// Launches that run side by side; default 1.
    pub instances: u32,
    /// Which of them this is; default: the lowest number that is free, in a recording
    /// with those that run side by side.
    pub place: Option<Place>,
    /// Iterations that will be declared warm-up; default 0.
    pub warmup: u32,
    /// Description of the inputs, for the metadata; default: none.
    pub inputs: Option<String>,
    /// Whether each event of an operator repeats all facts; default: only where they change.
    pub full_arguments: bool,
    /// Whether the engine is left alone; default: the upper halves of the vector registers
    /// are cleared after each operator.
    pub as_is: bool,
    /// Whether the first launch measures what the machine can do at most; default: no.
    #[serde(default)] // older journals lack it
    pub roofs: bool,
    /// Blocks that are timed in place of operators; default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocks: Option<Blocks>,
    /// What an inference costs, measured before this launch, which keeps it; default: unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub costs: Option<Costs>,
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

impl Default for LaunchOptions {
    fn default() -> LaunchOptions {
        LaunchOptions {
            folder: "engine_profiling".into(),
            profile: "baseline".to_string(),
            threads: 1,
            pin: Vec::new(),
            launches: Some(1),
            instances: 1,
            place: None,
            warmup: 0,
            inputs: None,
            full_arguments: false,
            as_is: false,
            roofs: false,
            blocks: None,
            costs: None,
        }
    }
}

impl LaunchOptions {
    pub(super) fn claim(&self, model: &str) -> io::Result<Claim> {
        let numbering = match &self.place {
            Some(Place { time, number, .. }) => {
                Numbering::Planned { time: time.clone(), number: *number }
            }
            None => Numbering::Free {
                model: model.to_string(),
                now: file_time,
                instances: self.instances,
            },
        };
        layout::claim(Path::new(&self.folder), &numbering)
    }

    /// An engine that cannot clear them is left alone whatever was asked for.
    pub(crate) fn registers(&self, engine: &dyn Engine) -> VectorRegisters {
        match self.as_is || !engine.capabilities().clears_registers {
            true => VectorRegisters::AsIs,
            false => VectorRegisters::Cleared,
        }
    }

    pub(super) fn arguments(&self) -> OperatorArguments {
        match self.full_arguments {
            true => OperatorArguments::Always,
            false => OperatorArguments::WhenChanged,
        }
    }
}

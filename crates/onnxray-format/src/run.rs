//! Metadata of a launch: what ran, where, and how.

use crate::{Generation, Nanoseconds, Placement};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Version of the recording format that this crate writes.
pub const FORMAT_VERSION: u32 = 1;

/// Name in recordings of the engine whose own profiler times operators.
pub const ONNX_RUNTIME: &str = "ONNX Runtime";

/// Everything about a launch that is known when it starts.
///
/// The fields up to `engine_options` are the configuration: launches that agree
/// in them belong to one recording. `None` means unknown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Run {
    /// [`FORMAT_VERSION`] of whoever wrote it; 0 is unknown.
    pub format_version: u32,
    /// Program and version that wrote the recording.
    pub producer: String,
    /// The profile's name, `baseline` unless the user chose another.
    pub profile: String,
    /// File name of the model, without its folder.
    pub model: String,
    /// SHA-256 of the model file, in hexadecimal.
    pub model_sha256: Option<String>,
    /// Elements of the model's parameters.
    pub parameters: Option<u64>,
    /// Size of the batch dimension of the inputs.
    pub batch_size: Option<u64>,
    /// Values given to the model's free dimensions, in order of appearance.
    pub dimensions: Vec<Dimension>,
    /// Threads that a kernel may use.
    pub threads: Option<u32>,
    /// Launches that ran side by side, with consecutive numbers; `None` if each ran alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instances: Option<u32>,
    /// Generation that iterations are steps of; `None` if each is a whole inference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generation: Option<Generation>,
    /// Instruction sets that the engine chose its kernels for.
    pub isa: Option<String>,
    /// State of the vector registers after each operator.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vector_registers: Option<VectorRegisters>,
    /// Name of the processor.
    pub cpu: Option<String>,
    /// Name of the machine.
    pub host: Option<String>,
    /// Name of the engine.
    pub engine: String,
    /// Version of the engine.
    pub engine_version: String,
    /// Options of the engine that decide how fast a model runs.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub engine_options: BTreeMap<String, String>,
    /// Name and version of the operating system.
    pub operating_system: Option<String>,
    /// Source of the inputs: `random, seed 1` or file names.
    pub inputs: Option<String>,
    /// Local time at which the launch began, RFC 3339.
    pub started_at: Option<String>,
    /// Names the recording to which the launches of one command belong.
    pub recording: String,
    /// Number of this launch among those of the recording, from 0.
    pub launch: u32,
    /// Number of planned launches.
    pub launches_planned: Option<u32>,
    /// Nodes that the engine computed while loading; they belong to no operator.
    pub folded_nodes: Vec<String>,
    /// Which execution provider runs which nodes; `None` if nothing tells, or if all ran on the
    /// engine's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placement: Option<Placement>,
    /// Warm-up iterations that were asked for; they are kept and flagged.
    pub warmup_iterations: u32,
    /// Name of the clock of all times.
    pub clock: Option<String>,
    /// Smallest step that the clock was seen to make.
    pub clock_resolution: Option<Nanoseconds>,
    /// Unix time of the clock's zero, by which launches of one machine have one time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock_origin: Option<Nanoseconds>,
    /// Time to load and optimize the model.
    pub load_time: Option<Nanoseconds>,
    /// Id of the process.
    pub process: u32,
    /// Which of the processes of a distributed run it is, from 0; `None` if it is alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<u32>,
    /// Number of processes of the distributed run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub world_size: Option<u32>,
    /// Whether iterations are sums of their operators, not measured: the overhead is unknown.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub iterations_are_sums: bool,
    /// Whether operators are blocks of nodes, timed from outside by differences, with no profiler at
    /// work.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub blocks: bool,
    /// Whether the engine gives operators up late: they follow iterations that were written without
    /// them.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub operators_late: bool,
    /// The format that this recording was converted from; `None` if it was
    /// recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub converted_from: Option<String>,
    /// The recording whose launches took turns with those of this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interleaved: Option<Interleaved>,
}

impl Run {
    /// Number of the round that the launch belongs to: those that ran side by side have one.
    pub fn round(&self) -> u32 {
        // A file may state 0 instances.
        self.launch / self.instances.unwrap_or(1).max(1)
    }

    /// Smallest step of operators' times: the engine's own clock where it profiles itself.
    pub fn operator_resolution(&self) -> Option<Nanoseconds> {
        // Its profiler cuts times to whole microseconds.
        let own = self.is_of_onnx_runtime().then_some(Nanoseconds(1000));
        own.max(self.clock_resolution)
    }

    /// Whether [`ONNX_RUNTIME`] ran the model, and its own profiler timed the operators.
    pub fn is_of_onnx_runtime(&self) -> bool {
        self.engine == ONNX_RUNTIME && !self.blocks
    }

    /// The engine's options in one line; empty if there are none.
    pub fn engine_options_text(&self) -> String {
        options_text(&self.engine_options)
    }
}

/// Whether the name of a dimension says that it is the batch.
pub fn names_batch(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.contains("batch") || matches!(name.as_str(), "n" | "b" | "bs")
}

/// Options in one line: `name: value; …`.
pub fn options_text(options: &BTreeMap<String, String>) -> String {
    let options = options.iter().map(|(name, value)| format!("{name}: {value}"));
    options.collect::<Vec<_>>().join("; ")
}

/// Place of a launch among those of two recordings that were interleaved. Launches of the same
/// number are a pair: one ran right after the other, or both alternated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interleaved {
    /// `recording` of the other one.
    pub with: String,
    /// Place of the launch among the planned ones of both, from 0.
    pub position: u32,
    /// Iterations of one turn, where both launches ran in one process and took turns
    /// iteration by iteration; `None` where one process ran after the other. Measured
    /// iterations of the same index are a pair then, and so are unprofiled ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<u32>,
}

/// A free dimension of the model and the size it was given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dimension {
    /// Its name in the model.
    pub name: String,
    /// Its size in this run.
    pub size: u64,
}

/// State of the upper halves of the vector registers after each operator. Code that leaves
/// something in them slows down what follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VectorRegisters {
    /// They are cleared.
    Cleared,
    /// They stay as the engine leaves them.
    AsIs,
}

impl VectorRegisters {
    /// Its text in reports.
    pub fn text(self) -> &'static str {
        match self {
            VectorRegisters::Cleared => "cleared after each operator",
            VectorRegisters::AsIs => "as the engine leaves them",
        }
    }
}

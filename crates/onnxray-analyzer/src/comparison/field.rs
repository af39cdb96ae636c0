//! Something in which recordings may differ.

/// Something in which recordings may differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Field {
    /// File name and SHA-256 of the model; no difference if the hashes agree.
    Model,
    /// Element types that matrix products and convolutions compute in.
    Precision,
    /// Name of what ran the model.
    Engine,
    /// Version of the engine.
    Version,
    /// The engine's options that decide how fast a model runs.
    EngineOptions,
    /// Size of the inputs' batch dimension.
    Batch,
    /// Sizes of the free dimensions; where they show no difference, of what layers make.
    Shapes,
    /// Threads that a kernel may use.
    Threads,
    /// Launches that ran side by side.
    Instances,
    /// Treatment of the vector registers after each operator.
    Registers,
    /// Instruction sets that the engine chose its kernels for.
    Isa,
    /// Name of the processor.
    Cpu,
    /// Cores that the launches were bound to.
    Pinning,
    /// Governor of the clock frequencies.
    Governor,
    /// Permission of cores to exceed their nominal frequency.
    Turbo,
    /// Cores' worth of time that a container left.
    Limit,
    /// Name of the machine.
    Host,
    /// Its name and version.
    OperatingSystem,
    /// Where input values came from: a seed, or files.
    Inputs,
    /// Program and version that wrote the recording.
    Recorder,
}

impl Field {
    /// Those in which configurations of a project differ on purpose.
    pub const CONFIGURATION: [Field; 7] = [
        Field::Engine,
        Field::Version,
        Field::EngineOptions,
        Field::Batch,
        Field::Shapes,
        Field::Threads,
        Field::Instances,
    ];

    /// In the order in which differences are listed.
    pub const ALL: [Field; 20] = [
        Field::Model,
        Field::Precision,
        Field::Engine,
        Field::Version,
        Field::EngineOptions,
        Field::Batch,
        Field::Shapes,
        Field::Threads,
        Field::Instances,
        Field::Registers,
        Field::Isa,
        Field::Cpu,
        Field::Pinning,
        Field::Governor,
        Field::Turbo,
        Field::Limit,
        Field::Host,
        Field::OperatingSystem,
        Field::Inputs,
        Field::Recorder,
    ];

    /// Wording of reports.
    pub fn name(self) -> &'static str {
        match self {
            Field::Model => "model",
            Field::Precision => "precision",
            Field::Engine => "engine",
            Field::Version => "engine version",
            Field::EngineOptions => "engine options",
            Field::Batch => "batch size",
            Field::Shapes => "input shapes",
            Field::Threads => "threads",
            Field::Instances => "instances",
            Field::Registers => "vector registers",
            Field::Isa => "ISA",
            Field::Cpu => "CPU",
            Field::Pinning => "pinning",
            Field::Governor => "frequency governor",
            Field::Turbo => "turbo",
            Field::Limit => "container limit",
            Field::Host => "host",
            Field::OperatingSystem => "operating system",
            Field::Inputs => "input values",
            Field::Recorder => "recorded by",
        }
    }

    /// Name on the command line: `--expect-different batch`.
    pub fn key(self) -> &'static str {
        match self {
            Field::Model => "model",
            Field::Precision => "precision",
            Field::Engine => "engine",
            Field::Version => "version",
            Field::EngineOptions => "engine_options",
            Field::Batch => "batch",
            Field::Shapes => "shapes",
            Field::Threads => "threads",
            Field::Instances => "instances",
            Field::Registers => "registers",
            Field::Isa => "isa",
            Field::Cpu => "cpu",
            Field::Pinning => "pinning",
            Field::Governor => "governor",
            Field::Turbo => "turbo",
            Field::Limit => "limit",
            Field::Host => "host",
            Field::OperatingSystem => "os",
            Field::Inputs => "inputs",
            Field::Recorder => "recorder",
        }
    }
}

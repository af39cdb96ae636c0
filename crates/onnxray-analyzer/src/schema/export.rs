//! The tables that are written for other tools, and their columns.

use super::column;
use onnxray_import::figure;
use std::sync::LazyLock;

/// What a column of an exported table holds; each may be null where it is
/// unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Export {
    /// UTF-8.
    Text,
    /// Unsigned, 32 bits.
    Small,
    /// Unsigned, 64 bits.
    Whole,
    /// Signed, 64 bits.
    Signed,
    /// Floating point, 64 bits.
    Real,
    /// True or false.
    Truth,
}

/// A column of an exported table.
#[derive(Debug, PartialEq, Eq)]
pub struct ExportColumn {
    /// Stable: other tools rely on it.
    pub name: &'static str,
    /// Type of its values.
    pub holds: Export,
    /// What it holds, in words.
    pub meaning: &'static str,
}

/// A table that `onnxray convert` writes.
#[derive(Debug, PartialEq, Eq)]
pub struct ExportTable {
    /// `events`, `iterations`, `operators` or `launches`, as files and documentation call it.
    pub key: &'static str,
    /// In the order in which they are written.
    pub columns: Vec<ExportColumn>,
}

fn export(key: &'static str, columns: &[(&'static str, Export, &'static str)]) -> ExportTable {
    let column = |&(name, holds, meaning)| ExportColumn { name, holds, meaning };
    ExportTable { key, columns: columns.iter().map(column).collect() }
}

/// All tables, in the order in which files are written.
pub fn tables() -> [&'static ExportTable; 4] {
    [&EVENT_TABLE, &ITERATION_TABLE, &OPERATOR_TABLE, &LAUNCH_TABLE]
}

/// Columns of the share of zero blocks, in the order of the blocks.
pub const SPARSE_RATIO_COLUMNS: [&str; 5] = [
    "sparse_ratio_1x1",
    "sparse_ratio_4x1",
    "sparse_ratio_1x4",
    "sparse_ratio_1x16",
    "sparse_ratio_4x16",
];

/// One row per execution of an operator.
pub static EVENT_TABLE: LazyLock<ExportTable> = LazyLock::new(|| {
    let mut table = export(
        "events",
        &[
            (column::LAUNCH, Export::Small, "number of the launch"),
            (column::ITERATION, Export::Small, "number of its iteration"),
            (column::KIND, Export::Text, "kind of its iteration: measured, warm-up"),
            (column::OPERATOR, Export::Small, "number of the operator in its launch"),
            ("name", Export::Text, "the operator's name"),
            ("type", Export::Text, "its type"),
            ("process", Export::Text, "process, as the trace names it"),
            (column::THREAD, Export::Text, "thread or stream, as the trace names it"),
            (column::START, Export::Whole, "start on the launch's clock"),
            (column::DURATION, Export::Whole, "wall time, operators inside included"),
            (column::EXCLUSIVE, Export::Whole, "wall time without operators inside"),
        ],
    );
    let figures = figure::ALL.iter().map(|figure| ExportColumn {
        name: figure.key,
        holds: Export::Signed,
        meaning: figure.meaning,
    });
    table.columns.extend(figures);
    table
});

/// One row per iteration.
pub static ITERATION_TABLE: LazyLock<ExportTable> = LazyLock::new(|| {
    export(
        "iterations",
        &[
            (column::LAUNCH, Export::Small, "number of the launch"),
            (column::ITERATION, Export::Small, "number that the producer gave it"),
            (column::KIND, Export::Text, "measured, warm-up or plain"),
            ("phase", Export::Text, "of a generation: prefill or decode"),
            ("tokens", Export::Small, "of a generation: tokens that go in"),
            ("cached", Export::Small, "of a generation: tokens in the cache before"),
            (column::START, Export::Whole, "start on the launch's clock"),
            (column::DURATION, Export::Whole, "wall time"),
        ],
    )
});

/// One row per operator and launch.
pub static OPERATOR_TABLE: LazyLock<ExportTable> = LazyLock::new(|| {
    let mut table = export(
        "operators",
        &[
            (column::LAUNCH, Export::Small, "number of the launch"),
            (column::OPERATOR, Export::Small, "number of the operator in its launch"),
            ("name", Export::Text, "unique in the launch"),
            ("type", Export::Text, "ONNX op type, or the producer's own"),
            ("nodes", Export::Text, "ONNX nodes that it computes, joined by `; `"),
            ("post_ops", Export::Text, "op types fused behind it, joined by `; `"),
            ("phase", Export::Text, "of a generation: the steps that it runs in"),
            ("kernel", Export::Text, "what the engine calls the implementation"),
            (
                "parent",
                Export::Small,
                "number of the operator in whose body it runs, or that launched it",
            ),
            ("device", Export::Truth, "whether it runs on a device, beside the host"),
            ("inputs", Export::Text, "names of the tensors it reads, joined by `; `"),
            ("input_types", Export::Text, "their element types"),
            ("input_shapes", Export::Text, "their shapes: `1x64; 64x256`"),
            ("outputs", Export::Text, "names of the tensors it writes"),
            ("output_types", Export::Text, "their element types"),
            ("output_shapes", Export::Text, "their shapes"),
            ("weight", Export::Text, "name of the constant matrix"),
            ("weight_type", Export::Text, "its element type"),
            ("weight_outputs", Export::Whole, "its rows: outputs"),
            ("weight_inputs", Export::Whole, "its columns: inputs"),
        ],
    );
    let ratios = SPARSE_RATIO_COLUMNS.map(|name| ExportColumn {
        name,
        holds: Export::Real,
        meaning: "share of zero blocks of the weight, by block shape",
    });
    table.columns.extend(ratios);
    let rest = export(
        "",
        &[
            ("sparse_support", Export::Truth, "whether block-sparse kernels apply"),
            ("parameters", Export::Whole, "elements of the constants that it reads"),
            ("flops", Export::Whole, "operations of one execution"),
            ("bytes", Export::Whole, "bytes read and written in one execution"),
            ("executions", Export::Real, "executions per iteration, if the producer states them"),
            ("mean_ns", Export::Real, "mean time per iteration, if the producer states it"),
            ("median_ns", Export::Real, "median, if the producer states it"),
            ("min_ns", Export::Real, "smallest, if the producer states it"),
            ("max_ns", Export::Real, "largest, if the producer states it"),
            ("attributes", Export::Text, "attributes of the ONNX node, joined by `; `"),
        ],
    );
    table.columns.extend(rest.columns);
    table
});

/// One row per launch.
pub static LAUNCH_TABLE: LazyLock<ExportTable> = LazyLock::new(|| {
    export(
        "launches",
        &[
            (column::LAUNCH, Export::Small, "number of the launch"),
            ("recording", Export::Text, "names the recording that it is of"),
            ("profile", Export::Text, "name of the configuration"),
            ("format", Export::Text, "format that it was read from"),
            ("files", Export::Text, "its files, joined by `; `"),
            ("producer", Export::Text, "program and version that wrote the recording"),
            ("model", Export::Text, "file name of the model"),
            ("model_sha256", Export::Text, "hash of the model file"),
            ("parameters", Export::Whole, "elements of the model's parameters"),
            ("batch_size", Export::Whole, "size of the batch dimension"),
            ("dimensions", Export::Text, "values of free dimensions: `sequence=128`"),
            ("inputs", Export::Text, "where the inputs came from"),
            ("engine", Export::Text, "name of the engine"),
            ("engine_version", Export::Text, "its version"),
            ("engine_options", Export::Text, "its options, joined by `; `"),
            ("threads", Export::Small, "threads that a kernel may use"),
            ("instances", Export::Small, "launches that ran side by side"),
            ("rank", Export::Small, "number of the process in a distributed run"),
            ("world_size", Export::Small, "processes of the distributed run"),
            ("isa", Export::Text, "instruction sets that the engine chose its kernels for"),
            ("cpu", Export::Text, "name of the processor"),
            ("host", Export::Text, "name of the machine"),
            ("operating_system", Export::Text, "its name and version"),
            ("started_at", Export::Text, "local time at which it began, RFC 3339"),
            ("load_time_ns", Export::Whole, "time to load and optimize the model"),
            ("warnings", Export::Text, "what was lost or is doubtful, joined by `; `"),
        ],
    )
});

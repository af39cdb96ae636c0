//! The command line. Types of the argument parser end here: commands turn them
//! into the libraries' own.

mod compare;
mod project;
mod record;

pub use compare::{
    CheckArguments, CompareArguments, FailArgument, ReadingArguments, RecordingArgument,
    TestArguments, ViewArgument,
};
pub use project::ProjectArguments;
pub use record::RecordArguments;

use clap::{Args, Parser, Subcommand, ValueEnum};
use onnxray_recorder::GivenDimensions;
use std::path::PathBuf;

/// Record an ONNX model's run once, analyze it offline for as long as you like.
#[derive(Parser)]
#[command(
    version,
    args_override_self = true,
    arg_required_else_help = true,
    after_help = "Example:\n  \
    onnxray record model.onnx --dim sequence=128 --report report.xlsx"
)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Run a model, instrumented, and write a recording
    Record(Box<RecordArguments>),
    /// Record the launch that standard input describes: how `record` starts its launches
    #[command(hide = true)]
    Launch,
    /// Say where the time of a recording goes
    Summary(SummaryArguments),
    /// Write a recording's workbook
    Report(ReportArguments),
    /// Say what a model would cost if its weights were sparse
    Project(Box<ProjectArguments>),
    /// Say what changed between versions of a model, and whether it is real
    Compare(Box<CompareArguments>),
    /// Say whether recordings can be trusted
    Check(CheckArguments),
    /// Count a model's operations without running it
    Flops(FlopsArguments),
    /// Say what traces are, or which formats can be read
    Import(ImportArguments),
    /// Write recordings as CSV, Parquet or Arrow, or any trace as a recording
    Convert(ConvertArguments),
}

/// The model and the sizes of its inputs.
#[derive(Args)]
pub struct ModelArguments {
    /// The ONNX file
    pub model: PathBuf,

    /// Size of the batch dimension; 1 unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub batch_size: Option<u64>,

    /// Size of a free dimension, by its name in the model, or INPUT.AXIS where
    /// it has none
    #[arg(long = "dim", value_name = "NAME=SIZE", value_parser = dimension)]
    pub dimensions: Vec<(String, u64)>,
}

impl ModelArguments {
    /// The sizes of the model's inputs.
    pub fn sizes(&self) -> GivenDimensions {
        GivenDimensions {
            batch_size: self.batch_size,
            sizes: self.dimensions.iter().cloned().collect(),
            for_several: false,
        }
    }
}

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    onnxray summary engine_profiling\n  \
    onnxray summary engine_profiling --level operator --all --format csv\n  \
    onnxray summary profiling_trace/profiling_*_0.json --level iteration\n\n\
    A folder stands for the newest recording in it; several files for the launches\n\
    of one recording.")]
pub struct SummaryArguments {
    #[command(flatten)]
    pub input: InputArguments,

    #[command(flatten)]
    pub view: ViewArguments,
}

/// Recordings, and the traces of other runtimes.
#[derive(Args)]
pub struct InputArguments {
    /// Trace files of any runtime (`onnxray import --list`), plain, .gz or .zst;
    /// a folder that `record` wrote; `-` for standard input
    #[arg(required = true, value_name = "RECORDING")]
    pub recordings: Vec<PathBuf>,

    /// Read as this format, instead of finding out from the content
    #[arg(long, value_name = "FORMAT", value_parser = format_name())]
    pub from: Option<String>,

    /// Fail if anything in the input is lost, instead of warning of it
    #[arg(long)]
    pub strict: bool,

    /// Join what this model says (weights, sparse ratios, FLOPs, node types) to
    /// the operators of the trace
    #[arg(long = "model", value_name = "MODEL.onnx")]
    pub onnx: Option<PathBuf>,

    /// Size of a free dimension of that model
    #[arg(long = "dim", value_name = "NAME=SIZE", value_parser = dimension, requires = "onnx")]
    pub dimensions: Vec<(String, u64)>,
}

impl InputArguments {
    /// Our own recordings, as they are.
    pub fn files(files: &[PathBuf]) -> InputArguments {
        InputArguments {
            recordings: files.to_vec(),
            from: None,
            strict: false,
            onnx: None,
            dimensions: Vec::new(),
        }
    }
}

fn format_name() -> clap::builder::PossibleValuesParser {
    let names = onnxray_import::Format::ALL.map(|format| format.importer().name);
    clap::builder::PossibleValuesParser::new(names)
}

#[derive(Args)]
pub struct ViewArguments {
    /// Show these levels only
    #[arg(long, value_enum, value_delimiter = ',')]
    pub level: Vec<LevelArgument>,

    /// Order of operators and operator types
    #[arg(long, value_enum, default_value = "time")]
    pub sort: SortArgument,

    /// Show so many operators
    #[arg(long, value_name = "N", default_value_t = 10, conflicts_with = "all")]
    pub top: usize,

    /// Show all operators
    #[arg(long)]
    pub all: bool,

    #[arg(long, value_enum, default_value = "table")]
    pub format: FormatArgument,
}

#[derive(Args)]
#[command(after_help = "Example:\n  onnxray report engine_profiling -o report.xlsx")]
pub struct ReportArguments {
    #[command(flatten)]
    pub input: InputArguments,

    /// The workbook to write
    #[arg(short, long, value_name = "FILE.xlsx")]
    pub output: PathBuf,
}

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    onnxray import --list\n  \
    onnxray import onnxruntime_profile__2026-11-20_14-05-09.json\n\n\
    Reading is the same for all commands: `onnxray summary FILE` needs no import.",
    mut_arg("recordings", |argument| argument.required(false).required_unless_present("list")))]
pub struct ImportArguments {
    /// List the formats
    #[arg(long)]
    pub list: bool,

    #[command(flatten)]
    pub input: InputArguments,

    #[arg(long, value_enum, default_value = "table")]
    pub format: FormatArgument,
}

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    onnxray convert profile.json -o profile.parquet\n  \
    onnxray convert trace.json.gz -o recording.json\n\n\
    Tables take a file each: out.parquet has the events, out.operators.parquet and\n\
    out.iterations.parquet the rest. docs/format.md describes their columns.")]
pub struct ConvertArguments {
    #[command(flatten)]
    pub input: InputArguments,

    /// The file to write; its name decides: .json (a recording), .csv, .parquet, .arrow
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    onnxray flops model.onnx\n  \
    onnxray flops encoder.onnx --dim sequence=128 --all --format json\n\n\
    A multiply-add counts as two operations; docs/statistics.md has the formulas.")]
pub struct FlopsArguments {
    #[command(flatten)]
    pub model: ModelArguments,

    #[command(flatten)]
    pub view: ViewArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LevelArgument {
    Model,
    Launch,
    Iteration,
    Type,
    Operator,
    Resource,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum SortArgument {
    Time,
    Execution,
    Name,
    Flops,
    Bytes,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FormatArgument {
    Table,
    Json,
    Csv,
    Markdown,
}

fn dimension(text: &str) -> Result<(String, u64), String> {
    // A name may hold `=` itself; a size cannot.
    let (name, size) = text.rsplit_once('=').ok_or("expected NAME=SIZE, such as sequence=128")?;
    let size: u64 = size.parse().map_err(|_| format!("`{size}` is not a whole number"))?;
    if size == 0 {
        return Err("a dimension of size 0 holds nothing to run".to_string());
    }
    Ok((name.to_string(), size))
}

/// A share, also in percent.
fn level(text: &str) -> Result<f64, String> {
    let expected = || format!("expected a share from 0 to 1, or 0 % to 100 %, found `{text}`");
    let (digits, unit) = match text.trim().strip_suffix('%') {
        Some(digits) => (digits.trim(), 100.0),
        None => (text.trim(), 1.0),
    };
    let level = digits.parse::<f64>().map_err(|_| expected())? / unit;
    if (0.0..=1.0).contains(&level) { Ok(level) } else { Err(expected()) }
}

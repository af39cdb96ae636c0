//! The arguments of `onnxray convert`.

use super::choice::choice;
use super::files::ForceArguments;
use super::input::InputArguments;
use clap::Args;
use clap::builder::TypedValueParser;
use onnxray_analyzer::convert::Executions;
use onnxray_analyzer::schema::export::{self, ExportTable};
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    onnxray convert profile.json -o profile.parquet\n  \
    onnxray convert trace.json.gz -o recording.json\n  \
    onnxray convert recordings/main --compact -o base.json\n  \
    onnxray convert engine_profiling/model --table events -o - | python read.py\n  \
    onnxray convert onnxruntime_profile.json --calibrate-with onnxruntime/capi -o profile.json\n\n\
    Tables take a file each: out.parquet has the events, out.iterations.parquet,\n\
    out.operators.parquet and out.launches.parquet the rest. docs/format.md describes their columns.\n\
    Times per operator: onnxray summary RECORDING --level operator --format csv --all")]
pub(crate) struct ConvertArguments {
    #[command(flatten)]
    pub input: InputArguments,

    /// The file to write; its name decides: .json (a recording), .csv, .parquet, .arrow; `-` for an
    /// Arrow IPC stream of each `--table` on standard output, in their order
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,

    /// Write one small .json of all launches, as a baseline to keep: every iteration, and means of
    /// operators
    #[arg(long, conflicts_with_all = ["table", "profile_csv", "calibrate_with"])]
    pub compact: bool,

    /// Write only these tables [default: all]
    #[arg(long, value_name = "TABLES", value_delimiter = ',', value_parser = table())]
    pub table: Vec<&'static ExportTable>,

    /// Write only events of iterations of this kind [default: all]. Where a trace tells no
    /// iterations, all events are measured
    #[arg(long, value_name = "KIND", value_parser = kind(), hide_default_value = true, default_value = "all")]
    pub kind: Executions,

    /// Measure the profiling cost of this ONNX Runtime, the one that made the profile on this
    /// machine,
    /// and keep it in the recording: its library, or the folder of an `onnxruntime` Python package
    #[arg(long, value_name = "FILE|FOLDER")]
    pub calibrate_with: Option<PathBuf>,

    /// Also write the CSV that `onnxray record` writes of a recording: the mean time of each
    /// operator over all launches, with formulas
    #[arg(long, value_name = "FILE")]
    pub profile_csv: Option<PathBuf>,

    #[command(flatten)]
    pub force: ForceArguments,
}

fn table() -> impl TypedValueParser<Value = &'static ExportTable> {
    choice(export::tables().map(|table| (table.key.into(), table)))
}

fn kind() -> impl TypedValueParser<Value = Executions> {
    choice(Executions::ALL.map(|(name, executions)| (name.into(), executions)))
}

impl ConvertArguments {
    /// The tables that were asked for, or all.
    pub(crate) fn tables(&self) -> Vec<&'static ExportTable> {
        if self.table.is_empty() { export::tables().to_vec() } else { self.table.clone() }
    }

    /// Whether tables go to standard output.
    pub(crate) fn streams(&self) -> bool {
        self.output.as_os_str() == "-"
    }
}

//! The arguments of `onnxray tune`.

use crate::args::choice::choice;
use crate::args::engine::session_entry;
use crate::args::files::OutputArguments;
use crate::args::heading;
use crate::args::input::{ModelArguments, ValueArguments};
use crate::args::numbers::{share, whole};
use crate::args::studies::RunArguments;
use crate::args::view::{FormatArguments, RowArguments};
use clap::Args;
use onnxray_analyzer::study::StudyOptions;
use onnxray_recorder::engine::EngineSpec;
use onnxray_recorder::engine::onnxruntime::OnnxRuntimeOptions;
use onnxray_recorder::study::tune::ChangeKind;
use onnxray_recorder::{LaunchOptions, LaunchSpec};
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    onnxray tune model.onnx\n  \
    onnxray tune encoder.onnx --batch-size 8 --dim sequence=128 -o tune.html\n  \
    onnxray tune model.onnx --threads 4 --only optimizers,levels\n  \
    onnxray tune model.onnx --ort session.intra_op.use_xnnpack_threadpool=1\n\n\
    Each change is measured by itself against the model as it is, interleaved in one process,\n\
    in several processes. Changes that gain are combined; the best combination is recorded\n\
    next to the base, in launches that the search did not see, for `onnxray compare`.\n\
    The same command resumes a run that was interrupted.")]
pub(crate) struct TuneArguments {
    #[command(flatten)]
    pub model: ModelArguments,

    #[command(flatten)]
    pub values: ValueArguments,

    /// Intra-op threads of the base. More threads are tried, but not recommended: they take more
    /// of the machine
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u32>(1..=1024),
          help_heading = heading::PROCESSES)]
    threads: u32,

    /// ONNX Runtime's library, or the folder of an `onnxruntime` Python package [default:
    /// ORT_DYLIB_PATH, or what `python3` has installed]
    #[arg(long, help_heading = heading::PROCESSES, value_name = "FILE|FOLDER",
          hide_short_help = true)]
    engine_library: Option<PathBuf>,

    /// Execution provider, such as cuda [default: cpu]
    #[arg(long, help_heading = heading::PROCESSES, value_name = "NAME", hide_short_help = true)]
    provider: Option<String>,

    /// Try only changes of these kinds
    #[arg(long, value_name = "KIND,…", value_delimiter = ',', value_parser = choice(
        ChangeKind::ALL.map(|kind| (kind.name().into(), kind))
    ), help_heading = heading::CHANGES)]
    only: Vec<ChangeKind>,

    /// Also try this entry of the session's configuration; repeat it for more
    #[arg(long = "ort", alias = "config", value_name = "KEY=VALUE", value_parser = session_entry,
          help_heading = heading::CHANGES)]
    pub config: Vec<(String, String)>,

    /// Smallest gain that matters, as a share of the latency
    #[arg(long, value_name = "SHARE", default_value = "0.5%", value_parser = share,
          help_heading = heading::CHANGES)]
    smallest_gain: f64,

    /// How far outputs may be off, as a share of the output's largest value: changes beyond it are
    /// listed, but not recommended
    #[arg(long, value_name = "SHARE", default_value = "0.1%", value_parser = share,
          help_heading = heading::CHANGES)]
    tolerance: f64,

    #[command(flatten)]
    pub run: RunArguments,

    /// Folder of what is measured, and of the recordings of the base and of what is recommended
    #[arg(long, value_name = "FOLDER", default_value = "tune", help_heading = heading::OUTPUT)]
    pub out: PathBuf,

    #[command(flatten)]
    pub report: OutputArguments,

    #[command(flatten)]
    pub rows: RowArguments,

    #[command(flatten)]
    pub shown: FormatArguments,
}

impl TuneArguments {
    /// The model as it is.
    pub(crate) fn base(&self) -> LaunchSpec {
        let options = OnnxRuntimeOptions {
            library: self.engine_library.clone().map(Into::into),
            provider: self.provider.clone(),
            ..OnnxRuntimeOptions::default()
        };
        LaunchSpec {
            engine: EngineSpec::OnnxRuntime(options),
            model: self.model.model.clone().into(),
            dimensions: self.model.sizes.given(),
            inputs: self.values.inputs(),
            seed: self.values.seed,
            generation: None,
            options: LaunchOptions { threads: self.threads, ..LaunchOptions::default() },
        }
    }

    /// The kinds of changes to try.
    pub(crate) fn kinds(&self) -> Vec<ChangeKind> {
        match self.only.is_empty() {
            true => ChangeKind::ALL.to_vec(),
            false => self.only.clone(),
        }
    }

    /// How much has to be gained.
    pub(crate) fn options(&self) -> StudyOptions {
        StudyOptions { smallest_gain: self.smallest_gain, max_loss: Some(self.tolerance) }
    }
}

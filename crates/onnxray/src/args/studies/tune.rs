//! The arguments of `onnxray tune`.

use crate::args::choice::choice;
use crate::args::costs::{one_rate, pace};
use crate::args::engine::{ProviderArguments, engine, session_entry};
use crate::args::files::OutputArguments;
use crate::args::heading;
use crate::args::input::{ModelArguments, ValueArguments};
use crate::args::numbers::{share, whole};
use crate::args::studies::{RunArguments, loss};
use crate::args::view::{FormatArguments, RowArguments};
use clap::Args;
use onnxray_analyzer::study::StudyOptions;
use onnxray_format::Objective;
use onnxray_recorder::engine::EngineSpec;
use onnxray_recorder::engine::onnxruntime::OnnxRuntimeOptions;
use onnxray_recorder::study::costs::PaceSpec;
use onnxray_recorder::study::tune::ChangeKind;
use onnxray_recorder::{LaunchOptions, LaunchSpec};
use std::path::PathBuf;

/// Smallest gain that matters of what fresh processes measure.
const GAIN_OF_STARTS: f64 = 0.05;

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    onnxray tune model.onnx\n  \
    onnxray tune encoder.onnx --batch-size 8 --dim sequence=128 -o tune.html\n  \
    onnxray tune model.onnx --threads 4 --only optimizers,levels\n  \
    onnxray tune model.onnx --threads 2 --for cpu,memory --rate 20 --latency-limit 10%\n  \
    onnxray tune model-int4.onnx --only accuracy --write tuned.onnx\n  \
    onnxray tune model.onnx --ort session.intra_op.use_xnnpack_threadpool=1\n\n\
    Each change is measured by itself against the model as it is, interleaved in one process,\n\
    in several processes; CPU time, memory and start in fresh processes of their own. Changes that\n\
    gain are combined; the best combination is recorded next to the base, in launches that the\n\
    search did not see, for `onnxray compare`.\n\
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

    /// Engine that runs the model: onnxruntime, whose options are tried
    #[arg(long, value_name = "ENGINE", value_parser = engine(), ignore_case = true,
          help_heading = heading::PROCESSES, hide_short_help = true)]
    engine: Option<EngineSpec>,

    /// ONNX Runtime's library, or the folder of an `onnxruntime` Python package [default:
    /// ORT_DYLIB_PATH, or what `python3` has installed]
    #[arg(long, help_heading = heading::PROCESSES, value_name = "FILE|FOLDER",
          hide_short_help = true)]
    engine_library: Option<PathBuf>,

    #[command(flatten)]
    provider: ProviderArguments,

    /// Try only changes of these kinds
    #[arg(long, value_name = "KIND,…", value_delimiter = ',', value_parser = choice(
        ChangeKind::ALL.map(|kind| (kind.name().into(), kind))
    ), help_heading = heading::CHANGES)]
    only: Vec<ChangeKind>,

    /// Also try this entry of the session's configuration; repeat it for more
    #[arg(long = "ort", alias = "config", value_name = "KEY=VALUE", value_parser = session_entry,
          help_heading = heading::CHANGES)]
    pub config: Vec<(String, String)>,

    /// What to make lower; of several, the first decides, and the others are shown: latency, CPU time
    /// of an inference, memory at its peak, or the start of a process up to the first inference
    #[arg(long = "for", value_name = "WHAT,…", value_delimiter = ',', default_value = "latency",
          value_parser = choice(Objective::ALL.map(|what| (what.name().into(), what))),
          help_heading = heading::MEASURING)]
    objectives: Vec<Objective>,

    /// Measure CPU time and latency of calls at this pace, as a program calls, such as 20 or
    /// 1200/min: calls per second that do not wait for the answer before
    #[arg(long, value_name = "RATE", value_parser = one_rate, help_heading = heading::MEASURING)]
    rate: Option<f64>,

    /// Smallest gain that matters, as a share of what is made lower [default: 0.5%; 5% with --rate,
    /// and of CPU time, memory and start]
    #[arg(long, value_name = "SHARE", value_parser = share, help_heading = heading::CHANGES)]
    smallest_gain: Option<f64>,

    /// With --for cpu, memory or start: how much worse the latency may get
    #[arg(long, value_name = "SHARE", default_value = "5%", value_parser = share,
          help_heading = heading::CHANGES)]
    latency_limit: f64,

    /// How far outputs may be off, as a share of the output's largest value: changes beyond it are
    /// listed, but not recommended
    #[arg(long, value_name = "SHARE", default_value = "0.1%", value_parser = share,
          help_heading = heading::CHANGES)]
    tolerance: f64,

    /// Largest loss of outputs where MatMulNBits computes in other numbers (accuracy_level), as a
    /// relative L2 norm
    #[arg(long, value_name = "LOSS", default_value_t = StudyOptions::default().max_precision_loss,
          value_parser = loss, help_heading = heading::CHANGES, hide_short_help = true)]
    max_loss: f64,

    #[command(flatten)]
    pub run: RunArguments,

    /// Write the model here, if what is recommended changes it (accuracy_level)
    #[arg(long, value_name = "TUNED.onnx", help_heading = heading::OUTPUT, hide_short_help = true)]
    pub write: Option<PathBuf>,

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
    ///
    /// # Errors
    ///
    /// If another engine is named.
    pub(crate) fn base(&self) -> Result<LaunchSpec, String> {
        if let Some(other @ EngineSpec::Tract(_)) = &self.engine {
            return Err(format!(
                "tune tries options of ONNX Runtime, and {} has none; leave --engine out",
                other.name()
            ));
        }
        let options = OnnxRuntimeOptions {
            library: self.engine_library.clone().map(Into::into),
            ..self.provider.of(OnnxRuntimeOptions::default())
        };
        Ok(LaunchSpec {
            engine: EngineSpec::OnnxRuntime(options),
            model: self.model.model.clone().into(),
            dimensions: self.model.sizes.given(),
            inputs: self.values.inputs(),
            seed: self.values.seed,
            generation: None,
            options: LaunchOptions { threads: self.threads, ..LaunchOptions::default() },
        })
    }

    /// The kinds of changes to try.
    pub(crate) fn kinds(&self) -> Vec<ChangeKind> {
        match self.only.is_empty() {
            true => ChangeKind::ALL.to_vec(),
            false => self.only.clone(),
        }
    }

    /// What is made lower, each once.
    pub(crate) fn objectives(&self) -> Vec<Objective> {
        let mut kept: Vec<Objective> = Vec::new();
        for objective in &self.objectives {
            if !kept.contains(objective) {
                kept.push(*objective);
            }
        }
        kept
    }

    /// Calls per second, if calls are at a pace.
    pub(crate) fn rate(&self) -> Option<f64> {
        self.rate
    }

    /// Calls in each fresh process, if calls are at a pace.
    pub(crate) fn pace(&self) -> Option<PaceSpec> {
        self.rate.map(pace)
    }

    /// How much has to be gained.
    pub(crate) fn options(&self, has_starts: bool) -> StudyOptions {
        // One process says less than a launch, whose turns of base and variant are milliseconds apart.
        let usual = if has_starts { GAIN_OF_STARTS } else { StudyOptions::default().smallest_gain };
        StudyOptions {
            smallest_gain: self.smallest_gain.unwrap_or(usual),
            max_loss: Some(self.tolerance),
            max_precision_loss: self.max_loss,
            latency_limit: self.latency_limit,
        }
    }
}

//! The arguments of `onnxray mix`.

use crate::args::engine::EngineArguments;
use crate::args::files::OutputArguments;
use crate::args::heading;
use crate::args::input::{SizeArguments, ValueArguments};
use crate::args::numbers::{share, whole};
use crate::args::studies::{MeasureArguments, RunArguments, loss};
use crate::args::view::{FormatArguments, RowArguments};
use crate::message::quoted;
use clap::Args;
use onnxray_analyzer::study::StudyOptions;
use onnxray_recorder::study::costs::CostPlan;
use onnxray_recorder::study::mix::MixSpec;
use onnxray_recorder::{LaunchOptions, LaunchSpec};
use std::path::{Path, PathBuf};

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    onnxray mix model.onnx model-int8.onnx --write mixed.onnx --engine onnxruntime\n  \
    onnxray mix encoder.onnx encoder-int8.onnx --write mixed.onnx --dim sequence=128 -o mix.html\n  \
    onnxray mix model.onnx model-fp16.onnx --write mixed.onnx --max-loss 0.001 --input image=cat.npy\n\n\
    Both models are cut at the tensors that both name. Each tensor that B computes in another\n\
    way is a change; it is measured alone on A, and left out of B, interleaved with A. The best\n\
    mix is searched from the better of both, and recorded next to A and to B in launches that\n\
    the search did not see, for `onnxray compare`. The same command resumes a run that was\n\
    interrupted.",
    mut_arg("time_limit", |argument| argument.default_value("2m")))]
pub(crate) struct MixArguments {
    /// The model that outputs are compared with, an ONNX file
    #[arg(value_name = "A.onnx")]
    pub a: PathBuf,

    /// The same model after a quantizer, a converter or a simplifier
    #[arg(value_name = "B.onnx")]
    pub b: PathBuf,

    #[command(flatten)]
    pub sizes: SizeArguments,

    #[command(flatten)]
    pub values: ValueArguments,

    #[command(flatten)]
    pub engine: EngineArguments,

    /// Intra-op threads of each model
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u32>(1..=1024),
          help_heading = heading::PROCESSES)]
    threads: u32,

    /// Largest loss of outputs, in the measure of the output [default: B's loss]
    #[arg(long, value_name = "LOSS", value_parser = loss, help_heading = heading::COMPARING)]
    max_loss: Option<f64>,

    #[command(flatten)]
    pub compared: MeasureArguments,

    /// Smallest gain that matters, as a share of the latency
    #[arg(long, value_name = "SHARE", default_value = "0.5%", value_parser = share,
          help_heading = heading::MEASURING)]
    smallest_gain: f64,

    /// Measure CPU time, memory and start of A, B and the mix in this many fresh processes of each,
    /// when the mix is verified; 0 for none
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = whole::<u32>(0..=100),
          help_heading = heading::MEASURING, hide_short_help = true)]
    starts: u32,

    #[command(flatten)]
    pub run: RunArguments,

    /// Write the mix here, if it is faster than both
    #[arg(long, value_name = "MIXED.onnx", help_heading = heading::OUTPUT)]
    write: Option<PathBuf>,

    /// Folder of what is measured, and of the recordings of A, B and the mix
    #[arg(long, value_name = "FOLDER", default_value = "mix", help_heading = heading::OUTPUT)]
    pub out: PathBuf,

    #[command(flatten)]
    pub report: OutputArguments,

    #[command(flatten)]
    pub rows: RowArguments,

    #[command(flatten)]
    pub shown: FormatArguments,
}

impl MixArguments {
    /// Both models.
    ///
    /// # Errors
    ///
    /// If an option is for another engine.
    pub(crate) fn spec(&self) -> Result<MixSpec, String> {
        let a = LaunchSpec {
            engine: self.engine.spec(true)?,
            model: self.a.clone().into(),
            dimensions: self.sizes.given(),
            inputs: self.values.inputs(),
            seed: self.values.seed,
            generation: None,
            options: LaunchOptions { threads: self.threads, ..LaunchOptions::default() },
        };
        let b = self.b.clone().into();
        let (guessed, types) = Default::default();
        Ok(MixSpec { a, b, guessed, measure: self.compared.measure, types })
    }

    /// Where the mix goes.
    ///
    /// # Errors
    ///
    /// If no place is named, or the model where the report is.
    pub(crate) fn mixed(&self) -> Result<&Path, String> {
        let is_model = |path: &PathBuf| {
            path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("onnx"))
        };
        match (&self.write, self.report.output.as_ref().filter(|path| is_model(path))) {
            (_, Some(model)) => {
                let model = quoted(model);
                Err(format!("-o is the report; the mix is written with --write {model}"))
            }
            (None, None) => {
                Err("name the file of the mix with --write, such as --write mixed.onnx".into())
            }
            (Some(path), None) => Ok(path),
        }
    }

    /// Fresh processes of the models that verify a mix.
    pub(crate) fn costs(&self) -> CostPlan {
        CostPlan { starts: self.starts, ..CostPlan::default() }
    }

    /// What a mix has to be worth.
    pub(crate) fn options(&self) -> StudyOptions {
        StudyOptions {
            smallest_gain: self.smallest_gain,
            max_loss: self.max_loss,
            ..StudyOptions::default()
        }
    }
}

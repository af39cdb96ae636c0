//! The arguments of `onnxray sensitivity`.

use crate::args::engine::EngineArguments;
use crate::args::files::OutputArguments;
use crate::args::heading;
use crate::args::input::ModelArguments;
use crate::args::numbers::{duration, sparsity, whole};
use crate::args::studies::MeasureArguments;
use crate::args::view::{FormatArguments, RowArguments};
use clap::Args;
use onnxray_format::Block;
use std::path::PathBuf;
use std::time::Duration;

/// Sparsities that are measured unless others are asked for.
pub(crate) const LEVELS: [f64; 5] = [0.5, 0.7, 0.8, 0.9, 0.95];

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    onnxray sensitivity model.onnx --data batches --save loss.json -o loss.xlsx\n  \
    onnxray sensitivity model.onnx --data images.npz --labels classes.npy --block 4x16\n  \
    onnxray sensitivity model.onnx --time-only --threads 4 --save times.json\n  \
    onnxray sensitivity encoder.onnx --dim sequence=128 --sparsities 0.5,0.9 --layer /head/MatMul\n  \
    onnxray project engine_profiling --budget --sensitivity loss.json --save-settings plan.json\n  \
    onnxray sensitivity model.onnx --data batches --plan plan.json --save whole.json\n\n\
    Each layer is pruned by itself, in memory, run, and compared with the model as it is; then all\n\
    are pruned, and timed with their zeros skipped, in turns with the dense model (tract only).\n\
    Without --data the inputs are random, which says little about accuracy. What is\n\
    measured is kept beside the result until that is written: the same command continues\n\
    where it ended; with --force, it starts over if that run was a different one.",
    mut_arg("output", |argument| argument.help_heading(heading::RESULTS)))]
pub(crate) struct SensitivityArguments {
    #[command(flatten)]
    pub model: ModelArguments,

    #[command(flatten)]
    pub engine: EngineArguments,

    /// Batches to run the model on: a file with an array per input, or a folder of them
    #[arg(long, value_name = "FILE.npz|FOLDER", help_heading = heading::MODEL)]
    pub data: Option<PathBuf>,

    /// Seed of random inputs
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(0..=u64::MAX),
          conflicts_with = "data", help_heading = heading::MODEL,
          hide_short_help = true)]
    pub seed: u64,

    /// Shares of the blocks to prune, from 0 to 1 or in percent
    #[arg(long, value_name = "SPARSITY", value_delimiter = ',', value_parser = part_pruned,
          default_values_t = LEVELS, help_heading = heading::PRUNING)]
    pub sparsities: Vec<f64>,

    /// Shape of the blocks of weights that are pruned as one; kernels skip blocks of 4 outputs, or a
    /// multiple of them
    #[arg(long, value_name = "OUTPUTSxINPUTS", default_value = "4x1", value_parser = block,
          help_heading = heading::PRUNING)]
    pub block: Block,

    /// Prune only this layer by itself, by the name of its node or weight; repeat it for more
    #[arg(long = "layer", value_name = "NAME", help_heading = heading::PRUNING)]
    pub layers: Vec<String>,

    /// Also prune all layers at once, to the operators' targets in this file, which `project
    /// --budget
    /// --save-settings` writes
    #[arg(long, value_name = "FILE", help_heading = heading::PRUNING)]
    pub plan: Option<PathBuf>,

    /// Threads of a kernel where layers are timed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u32>(1..=1024),
          help_heading = heading::PROCESSES)]
    pub threads: u32,

    /// Models to run in parallel for the losses [default: one per core]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=1024),
          help_heading = heading::PROCESSES)]
    pub jobs: Option<u32>,

    /// Time limit: begin no run later than 90s, 10m, 1h. What is measured is reported and kept, and
    /// the same command continues
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = heading::PROCESSES)]
    pub time_limit: Option<Duration>,

    /// Class of each item, as whole numbers: the loss is the cross-entropy
    #[arg(long, help_heading = heading::COMPARING, value_name = "FILE.npy", requires = "data")]
    pub labels: Option<PathBuf>,

    /// Do not time layers
    #[arg(long, conflicts_with_all = ["time_only", "threads"], help_heading = heading::COMPARING)]
    pub loss_only: bool,

    /// Time layers only, and do not compare outputs
    #[arg(long, conflicts_with_all = ["labels", "plan", "jobs", "measure"], help_heading = heading::COMPARING)]
    pub time_only: bool,

    #[command(flatten)]
    pub compared: MeasureArguments,

    /// Write the sensitivity profile, for `project --sensitivity` and `--ratios`
    #[arg(long, help_heading = heading::RESULTS, value_name = "FILE.json")]
    pub save: Option<PathBuf>,

    #[command(flatten)]
    pub report: OutputArguments,

    #[command(flatten)]
    pub rows: RowArguments,

    #[command(flatten)]
    pub shown: FormatArguments,
}

fn part_pruned(text: &str) -> Result<f64, String> {
    let sparsity = sparsity(text)?;
    match sparsity > 0.0 && sparsity < 1.0 {
        true => Ok(sparsity),
        false => {
            Err("expected a sparsity between 0 and 1: at 0 nothing is pruned, at 1 all".into())
        }
    }
}

fn block(text: &str) -> Result<Block, String> {
    let block = Block::try_from(text.to_string())?;
    match block.outputs > 0 && block.inputs > 0 {
        true => Ok(block),
        false => Err("a block has one output and one input at least".to_string()),
    }
}

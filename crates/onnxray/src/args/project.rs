//! The arguments of `onnxray project`.

use super::files::ForceArguments;
use super::input::InputArguments;
use super::view::{FormatArguments, RowArguments};
use clap::Args;
use onnxray_analyzer::projection::{Estimate, WeightShape};
use onnxray_analyzer::quantity::Quantity;
use onnxray_format::Block;
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    onnxray project engine_profiling\n  \
    onnxray project engine_profiling --target 0.8 --target-type Conv=0.7 -o projection.xlsx\n  \
    onnxray project engine_profiling --ratio 256x1024@0.9=4.5 --ratio 256x256@0.9=3..4\n  \
    onnxray project engine_profiling --ratios projection.xlsx --levels-table --format json\n  \
    onnxray project engine_profiling --budget 0.85\n  \
    onnxray project engine_profiling --budget --loss loss.json --save-settings plan.json\n  \
    onnxray project encoder:baseline --budget 0.85 --keep-plan\n\n\
    Perf ratio = dense latency / sparse latency. Until ratios are given, placeholders that\n\
    nobody measured stand in their place, and the report says so. Open the workbook, set\n\
    the yellow cells, save it, and read it again with --ratios.")]
pub(crate) struct ProjectArguments {
    #[command(flatten)]
    pub input: InputArguments,

    /// Sparse ratio to aim at, 0 to 1 or in percent; 0.9 unless given
    #[arg(long, value_name = "LEVEL", value_parser = level)]
    pub target: Option<f64>,

    /// Sparse ratio to aim at, for operators of one type
    #[arg(long = "target-type", value_name = "TYPE=LEVEL", value_parser = named_level)]
    pub target_types: Vec<(String, f64)>,

    /// Sparse ratio to aim at, for one operator; 0 leaves it dense
    #[arg(long = "target-op", value_name = "NAME=LEVEL", value_parser = named_level)]
    pub target_operators: Vec<(String, f64)>,

    /// Perf ratio of a weight shape (outputs x inputs) at a sparse ratio, or a range
    /// of it
    #[arg(long = "ratio", value_name = "SHAPE@LEVEL=VALUE|LOW..HIGH", value_parser = ratio)]
    pub ratios: Vec<(WeightShape, f64, Estimate)>,

    /// Settings from a workbook that was written with -o and edited, a Neural Engine
    /// profile, or a file of --save-settings; several are laid over each other
    #[arg(long = "ratios", value_name = "FILE.xlsx|csv|json")]
    pub files: Vec<PathBuf>,

    /// More sparse ratios to tabulate
    #[arg(long, value_name = "LEVEL", value_delimiter = ',', value_parser = level)]
    pub levels: Vec<f64>,

    /// Zero blocks that sparse ratios count and perf ratios are for; 4x1 unless given
    #[arg(long, value_name = "OUTPUTSxINPUTS", value_parser = block)]
    pub block: Option<Block>,

    /// Show the whole model at each level
    #[arg(long)]
    pub levels_table: bool,

    /// Spread this share of the prunable parameters over the layers, and aim at the
    /// levels that come out
    #[arg(long, value_name = "SHARE", num_args = 0..=1, default_missing_value = "0.85", value_parser = level)]
    pub budget: Option<f64>,

    /// Keep the plan's estimate with the profile, which PROJECT:PROFILE names
    #[arg(long, requires = "budget")]
    pub keep_plan: bool,

    /// A layer of the plan is pruned at least so far, or not at all; 0.4 unless given
    #[arg(long, value_name = "LEVEL", value_parser = level)]
    pub min_level: Option<f64>,

    /// No layer of the plan is pruned further; 0.95 unless given, or less where --loss
    /// ends before
    #[arg(long, value_name = "LEVEL", value_parser = level)]
    pub max_level: Option<f64>,

    /// Weight of loss against latency in the plan: 1 loss only, 0 latency only; 0.5
    /// unless given
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub balance: Option<f64>,

    /// Let the plan prune the first layer
    #[arg(long)]
    pub prune_first: bool,

    /// Let the plan prune convolutions with groups
    #[arg(long)]
    pub prune_grouped: bool,

    /// Let the plan spread the budget by what `onnxray loss` measured of this model
    #[arg(long, value_name = "FILE.json", requires = "budget")]
    pub loss: Option<PathBuf>,

    /// Fix the level of one layer in the plan; 0 leaves it dense
    #[arg(long = "plan-op", value_name = "NAME=LEVEL", value_parser = named_level)]
    pub plan_operators: Vec<(String, f64)>,

    /// Write a page to look at and try settings on, or the workbook with live formulas; with
    /// --format csv, a file for each table into a folder
    #[arg(short, long, value_name = "FILE.html|FILE.xlsx|FOLDER")]
    pub output: Option<PathBuf>,

    /// Write the settings, to be used again with --ratios
    #[arg(long, value_name = "FILE.json|csv")]
    pub save_settings: Option<PathBuf>,

    #[command(flatten)]
    pub force: ForceArguments,

    #[command(flatten)]
    pub rows: RowArguments,

    #[command(flatten)]
    pub shown: FormatArguments,
}

pub(super) fn level(text: &str) -> Result<f64, String> {
    Quantity::SparseRatio.parse(text)
}

fn share(text: &str) -> Result<f64, String> {
    Quantity::Share.parse(text)
}

fn named_level(text: &str) -> Result<(String, f64), String> {
    // A name may hold `=` itself; a level cannot.
    let (name, target) = text.rsplit_once('=').ok_or("expected NAME=LEVEL, such as MatMul=0.9")?;
    Ok((name.to_string(), level(target)?))
}

fn ratio(text: &str) -> Result<(WeightShape, f64, Estimate), String> {
    let form = "expected SHAPE@LEVEL=VALUE, such as 256x1024@0.9=4.5";
    let (shape, rest) = text.split_once('@').ok_or(form)?;
    let (sparse_ratio, value) = rest.split_once('=').ok_or(form)?;
    let perf_ratio = |text: &str| Quantity::PerfRatio.parse(text);
    let ratio = match value.split_once("..") {
        None => Estimate::exact(perf_ratio(value)?),
        Some((low, high)) => {
            let (low, high) = (perf_ratio(low)?, perf_ratio(high)?);
            if low > high {
                return Err(format!("the low end {low} is above the high end {high}"));
            }
            Estimate { value: (low + high) / 2.0, low, high }
        }
    };
    Ok((shape.parse()?, level(sparse_ratio)?, ratio))
}

fn block(text: &str) -> Result<Block, String> {
    let block = Block::try_from(text.to_string())?;
    if Block::ALL.contains(&block) {
        return Ok(block);
    }
    let shapes = Block::ALL.map(|block| block.to_string()).join(", ");
    Err(format!("sparse ratios are known for blocks of {shapes}"))
}

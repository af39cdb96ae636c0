//! The arguments of `onnxray project`.

use super::files::ForceArguments;
use super::heading;
use super::input::InputArguments;
use super::numbers::{sparsity, weight, whole};
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
    onnxray project engine_profiling --ratios projection.xlsx --sparsity-table --format json\n  \
    onnxray project engine_profiling --budget 0.85\n  \
    onnxray project engine_profiling --budget --sensitivity loss.json --save-settings plan.json\n  \
    onnxray project engine_profiling --max-loss 1% --sensitivity loss.json\n  \
    onnxray project encoder:baseline --budget 0.85 --keep-plan\n  \
    onnxray project engine_profiling --budget --apply model.onnx -o pruned.onnx\n  \
    onnxray project engine_profiling --ratios loss.json --verify engine_profiling/pruned\n  \
    onnxray project engine_profiling --max-loss 1% --sensitivity loss.json --run model.onnx \
    -o pruned.onnx\n\n\
    Perf ratio = dense latency / sparse latency. `onnxray sensitivity` measures them; until then\n\
    placeholders are used, and the report says so. Open the workbook, edit its yellow cells, save\n\
    it, and read it back with --ratios.")]
pub(crate) struct ProjectArguments {
    #[command(flatten)]
    pub input: InputArguments,

    /// Target sparsity of all operators, from 0 to 1 or in percent [default: 0.9]
    #[arg(long, value_name = "SPARSITY", value_parser = sparsity, help_heading = heading::TARGETS)]
    pub target: Option<f64>,

    /// Target sparsity of an operator type
    #[arg(long = "target-type", value_name = "TYPE=SPARSITY", value_parser = named_sparsity,
          help_heading = heading::TARGETS)]
    pub target_types: Vec<(String, f64)>,

    /// Target sparsity of an operator; 0 leaves it dense
    #[arg(long = "target-op", value_name = "NAME=SPARSITY", value_parser = named_sparsity,
          help_heading = heading::TARGETS)]
    pub target_operators: Vec<(String, f64)>,

    /// Perf ratio of a weight shape (outputs x inputs) at a sparsity, or its range; `*` is every
    /// shape, as in '*@0.9=4.5'
    #[arg(long = "ratio", value_name = "SHAPE@SPARSITY=VALUE|LOW..HIGH", value_parser = ratio,
          help_heading = heading::RATIOS)]
    pub ratios: Vec<GivenRatio>,

    /// Perf ratios that `onnxray sensitivity` measured, or settings from a workbook that -o wrote and you
    /// edited, a Neural Engine profile, or a file of --save-settings; later files override earlier ones
    #[arg(long = "ratios", value_name = "FILE.xlsx|csv|json", help_heading = heading::RATIOS)]
    pub files: Vec<PathBuf>,

    /// Further sparsities to tabulate
    #[arg(long, value_name = "SPARSITY", value_delimiter = ',', value_parser = sparsity,
          help_heading = heading::DISPLAY, hide_short_help = true)]
    pub sparsities: Vec<f64>,

    /// Shape of the zero blocks that sparsity counts and perf ratios are for [default: 4x1]
    #[arg(long, value_name = "OUTPUTSxINPUTS", value_parser = block,
          help_heading = heading::RATIOS)]
    pub block: Option<Block>,

    /// Show the whole model at each sparsity
    #[arg(long, help_heading = heading::DISPLAY)]
    pub sparsity_table: bool,

    /// Distribute this share of the prunable parameters over the layers, and aim at the sparsities
    /// that result
    #[arg(long, value_name = "SHARE", num_args = 0..=1, default_missing_value = "0.85",
          value_parser = sparsity, help_heading = heading::PLANNING)]
    pub budget: Option<f64>,

    /// Find the sparsities that make the model fastest while the losses of its layers, as --sensitivity
    /// has them, add up to no more than this, and aim at them
    #[arg(long, value_name = "LOSS", value_parser = loss, conflicts_with = "budget",
          help_heading = heading::PLANNING)]
    pub max_loss: Option<f64>,

    /// Keep the plan's estimate with the profile that DIR:PROFILE names
    #[arg(long, requires = "budget", help_heading = heading::PLANNING, hide_short_help = true)]
    pub keep_plan: bool,

    /// Prune a layer at least to this sparsity, or leave it dense [default: 0.4]
    #[arg(long, value_name = "SPARSITY", value_parser = sparsity, help_heading = heading::PLANNING,
          hide_short_help = true)]
    pub min_sparsity: Option<f64>,

    /// Prune no layer further [default: 0.95, or where --sensitivity ends]
    #[arg(long, value_name = "SPARSITY", value_parser = sparsity, help_heading = heading::PLANNING,
          hide_short_help = true)]
    pub max_sparsity: Option<f64>,

    /// Weight of loss against latency: 1 is loss only, 0 latency only [default: 0.5]
    #[arg(long, value_name = "SHARE", value_parser = weight, help_heading = heading::PLANNING,
          hide_short_help = true)]
    pub balance: Option<f64>,

    /// Also prune the first layer
    #[arg(long, help_heading = heading::PLANNING, hide_short_help = true)]
    pub prune_first: bool,

    /// Also prune grouped convolutions
    #[arg(long, help_heading = heading::PLANNING, hide_short_help = true)]
    pub prune_grouped: bool,

    /// Plan by the losses that `onnxray sensitivity` measured, and by its perf ratios, unless --ratios has
    /// measured ones
    #[arg(long, value_name = "FILE.json", help_heading = heading::PLANNING)]
    pub sensitivity: Option<PathBuf>,

    /// Fix the sparsity of a layer; 0 leaves it dense
    #[arg(long = "plan-op", value_name = "NAME=SPARSITY", value_parser = named_sparsity,
          help_heading = heading::PLANNING, hide_short_help = true)]
    pub plan_operators: Vec<(String, f64)>,

    /// Check the projection against a recording of the pruned model that skips its zeros, which `record
    /// --sparse` makes: each operator at the sparsity that its weight has there
    #[arg(long, value_name = "SPARSE", help_heading = heading::TARGETS, conflicts_with_all = [
        "target", "target_types", "target_operators", "budget", "max_loss", "keep_plan",
        "sparsity_table", "sparsities", "apply", "save_settings", "sensitivity", "min_sparsity",
        "max_sparsity", "balance", "prune_first", "prune_grouped", "plan_operators"])]
    pub verify: Option<PathBuf>,

    /// Prune this model to the targets, into the file that -o names: of each weight, the blocks with
    /// the smallest elements become zero. Retrain it, or measure what it lost, before you use it
    #[arg(long, value_name = "MODEL.onnx", requires = "output", conflicts_with = "sparsity_table",
          help_heading = heading::OUTPUT)]
    pub apply: Option<PathBuf>,

    /// Prune this model as --apply does, record both in turns (the pruned one skips its zeros) with the
    /// sizes and threads of RECORDING, and check the projection. -o PRUNED.onnx puts the recordings into
    /// PRUNED-recordings
    #[arg(long, value_name = "MODEL.onnx", requires = "output", help_heading = heading::OUTPUT,
          conflicts_with_all = ["apply", "sparsity_table", "verify"])]
    pub run: Option<PathBuf>,

    /// Launches of each side of --run
    #[arg(long, value_name = "K", value_parser = whole::<u32>(1..=1000), default_value_t = 3,
          requires = "run", help_heading = heading::OUTPUT, hide_short_help = true)]
    pub launches: u32,

    /// Write a page to try settings on, or a workbook with live formulas; with --format csv, one
    /// file
    /// per table into a folder; with --apply and --run, the pruned model
    #[arg(short, long, alias = "report", value_name = "FILE.html|FILE.xlsx|FOLDER|FILE.onnx",
          help_heading = heading::OUTPUT)]
    pub output: Option<PathBuf>,

    /// Write the settings, for --ratios
    #[arg(long, value_name = "FILE.json", help_heading = heading::OUTPUT,
          hide_short_help = true)]
    pub save_settings: Option<PathBuf>,

    #[command(flatten)]
    pub force: ForceArguments,

    #[command(flatten)]
    pub rows: RowArguments,

    #[command(flatten)]
    pub shown: FormatArguments,
}

impl ProjectArguments {
    /// Whether levels are to be planned.
    pub(crate) fn plans(&self) -> bool {
        self.budget.is_some() || self.max_loss.is_some()
    }

    /// The first option that is given about a plan.
    pub(crate) fn of_plan(&self) -> Option<&'static str> {
        let given = [
            ("--sensitivity", self.sensitivity.is_some()),
            ("--min-sparsity", self.min_sparsity.is_some()),
            ("--max-sparsity", self.max_sparsity.is_some()),
            ("--balance", self.balance.is_some()),
            ("--prune-first", self.prune_first),
            ("--prune-grouped", self.prune_grouped),
            ("--plan-op", !self.plan_operators.is_empty()),
        ];
        given.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option)
    }
}

fn loss(text: &str) -> Result<f64, String> {
    match Quantity::Loss.parse(text) {
        Ok(loss) if loss >= 0.0 => Ok(loss),
        _ => Err("expected a loss of 0 or more, such as 1% or 0.01".to_string()),
    }
}

fn named_sparsity(text: &str) -> Result<(String, f64), String> {
    // A name may hold `=` itself; a sparsity cannot.
    let (name, target) =
        text.rsplit_once('=').ok_or("expected NAME=SPARSITY, such as MatMul=0.9")?;
    Ok((name.to_string(), sparsity(target)?))
}

/// A perf ratio at a sparsity, of a weight shape or of all.
pub(crate) type GivenRatio = (Option<WeightShape>, f64, Estimate);

fn ratio(text: &str) -> Result<GivenRatio, String> {
    let form = "expected SHAPE@SPARSITY=VALUE, such as 256x1024@0.9=4.5";
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
            // The middle stands for a range.
            Estimate { value: (low + high) / 2.0, low, high }
        }
    };
    let shape = match shape.trim() {
        "*" => None,
        shape => Some(shape.parse()?),
    };
    Ok((shape, sparsity(sparse_ratio)?, ratio))
}

fn block(text: &str) -> Result<Block, String> {
    let block = Block::try_from(text.to_string())?;
    // Recordings count zero blocks of these shapes only.
    if Block::ALL.contains(&block) {
        return Ok(block);
    }
    let shapes = Block::ALL.map(|block| block.to_string()).join(", ");
    Err(format!("sparsity is known for blocks of {shapes}"))
}

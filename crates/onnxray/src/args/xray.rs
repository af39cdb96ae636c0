//! The arguments of `onnxray xray`.

use super::blocks::Xray;
use super::heading;
use super::numbers::{milliseconds, whole};
use super::record::RecordArguments;
use clap::Args;
use onnxray_format::Nanoseconds;
use onnxray_recorder::XrayAim;
use onnxray_recorder::engine::EngineSpec;
use onnxray_recorder::engine::onnxruntime::OnnxRuntimeOptions;
use std::path::PathBuf;
use std::time::Duration;

/// Launches, so that a comparison has enough of them.
const LAUNCHES: u32 = 5;
const WARMUP: u32 = 1;
/// How long all launches take.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Options of [`RecordArguments`] that make no sense here.
const NOT_HERE: [&str; 9] = [
    "sensitivity",
    "data",
    "labels",
    "generate",
    "prompt",
    "feeds",
    "unprofiled_iterations",
    "instances",
    "cores_per_instance",
];

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    onnxray xray model.onnx\n  \
    onnxray xray model.onnx --blocks 24 -o blocks.html\n  \
    onnxray xray model.onnx --min-block 0.5ms --time-limit 5m --out fine\n  \
    onnxray xray model.onnx --cuts fine --provider NAME --out other\n  \
    onnxray xray model.onnx --engine tract --threads 2\n  \
    onnxray xray model.onnx --against-options '--threads 2'\n\n\
    Cuts the model, runs both sides of each cut in turns with the whole, without a profiler, and\n\
    writes a recording whose operators are the blocks between two cuts: summary, report, compare\n\
    and convert take it as it is. Blocks add up to the latency.",
    mut_args(|argument| match NOT_HERE.contains(&argument.get_id().as_str()) {
        true => argument.hide(true),
        false => argument,
    }),
    mut_arg("engine", |argument| argument.help("Engine that runs the model [default: onnxruntime]")),
    mut_arg("iterations", |argument| argument.help("Iterations to measure; each runs every part several times [default: up to 10, within --time-limit]")),
    mut_arg("warmup", |argument| argument.help("Warm-up iterations [default: 1]")),
    mut_arg("time_limit", |argument| argument.hide_short_help(false).help_heading(heading::LENGTH)
        .help("Choose blocks and iterations that take about 60s, 5m, 1h [default: 60s]; with --until, start no launch later [default: 10m]")),
    mut_arg("launches", |argument| argument.help("Repeat in K fresh processes, one after the other [default: 5; with --against: 10]")))]
pub(crate) struct XrayArguments {
    #[command(flatten)]
    record: RecordArguments,

    /// Cut the model into at most N blocks [default: 12, or what --min-block and --time-limit have room
    /// for, 4 to 50]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(2..=1000),
          help_heading = heading::LENGTH)]
    blocks: Option<u32>,

    /// Cut further what takes longer, such as 0.5ms [default: 0.2ms or 2 % of the latency, whichever
    /// is longer]
    #[arg(long, value_name = "TIME", value_parser = block_time, conflicts_with = "blocks",
          help_heading = heading::LENGTH)]
    min_block: Option<Nanoseconds>,

    /// Cut where this x-ray is cut, so that `onnxray compare` finds the same blocks in both
    #[arg(long, value_name = "RECORDING", conflicts_with_all = ["blocks", "min_block"],
          help_heading = heading::LENGTH)]
    cuts: Option<PathBuf>,
}

fn block_time(text: &str) -> Result<Nanoseconds, String> {
    milliseconds(text).map(|time| Nanoseconds((time.0 * 1e6) as u64))
}

impl XrayArguments {
    /// What is recorded, blocks in place of operators.
    ///
    /// # Errors
    ///
    /// If options are given that blocks cannot have.
    pub(crate) fn record(self) -> Result<RecordArguments, String> {
        let XrayArguments { mut record, blocks, min_block, cuts } = self;
        let has_generation = record.generate.options().is_some();
        if has_generation || record.sensitivity || record.instances > 1 {
            return Err("xray times one inference at a time: leave --generate, --sensitivity and \
                        --instances out, or use `onnxray record`"
                .to_string());
        }
        if record.engine.options.engine_profiles.is_some() || record.unprofiled_iterations.is_some()
        {
            return Err("no profiler is at work: leave --engine-profiles and \
                        --unprofiled-iterations out"
                .to_string());
        }
        let usual = || EngineSpec::OnnxRuntime(OnnxRuntimeOptions::default());
        record.engine.engine.get_or_insert_with(usual);
        record.warmup.get_or_insert(WARMUP);
        // A run without a profiler is what is measured: there are no others.
        record.unprofiled_iterations = Some(0);
        if !record.against.is_given() {
            record.launches.get_or_insert(LAUNCHES);
        }
        // Of what is added until a ratio is known, the limit is another.
        let limit = match record.against.until {
            Some(_) => None,
            None => record.against.time_limit.take(),
        };
        let time_limit = limit.unwrap_or(TIME_LIMIT);
        record.xray = Some(Xray {
            aim: XrayAim {
                blocks,
                min_block,
                warmup: record.warmup.unwrap_or(WARMUP),
                iterations: record.iterations,
                time_limit,
            },
            cuts,
            chooses_iterations: record.iterations.is_none() && record.duration.is_none(),
        });
        Ok(record)
    }
}

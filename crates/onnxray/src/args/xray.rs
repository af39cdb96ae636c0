//! The arguments of `onnxray xray`.

use super::heading;
use super::numbers::whole;
use super::record::RecordArguments;
use clap::Args;
use onnxray_recorder::Blocks;
use onnxray_recorder::engine::EngineSpec;
use onnxray_recorder::engine::onnxruntime::OnnxRuntimeOptions;

/// Launches, so that a comparison has enough of them.
const LAUNCHES: u32 = 5;
/// Iterations, each of five turns.
const ITERATIONS: u32 = 20;
const WARMUP: u32 = 2;

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
    onnxray xray model.onnx --engine tract --threads 2\n  \
    onnxray xray model.onnx --against-options '--threads 2'\n\n\
    Cuts the model, runs what is before each cut in turns with the whole, without a profiler, and\n\
    writes a recording whose operators are the blocks between two cuts: summary, report, compare\n\
    and convert take it as it is. Blocks add up to the latency.",
    mut_args(|argument| match NOT_HERE.contains(&argument.get_id().as_str()) {
        true => argument.hide(true),
        false => argument,
    }),
    mut_arg("engine", |argument| argument.help("Engine that runs the model [default: onnxruntime]")),
    mut_arg("iterations", |argument| argument.help("Iterations to measure, each of five turns [default: 20]")),
    mut_arg("warmup", |argument| argument.help("Warm-up iterations [default: 2]")),
    mut_arg("launches", |argument| argument.help("Repeat in K fresh processes, one after the other [default: 5; with --against: 10]")))]
pub(crate) struct XrayArguments {
    #[command(flatten)]
    record: RecordArguments,

    /// Cut the model into at most N blocks
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = whole::<u32>(2..=1000),
          help_heading = heading::LENGTH)]
    blocks: u32,
}

impl XrayArguments {
    /// What is recorded, blocks in place of operators.
    ///
    /// # Errors
    ///
    /// If options are given that blocks cannot have.
    pub(crate) fn record(self) -> Result<RecordArguments, String> {
        let XrayArguments { mut record, blocks } = self;
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
        record.iterations = record.iterations.or(record.duration.is_none().then_some(ITERATIONS));
        record.warmup.get_or_insert(WARMUP);
        // A run without a profiler is what is measured: there are no others.
        record.unprofiled_iterations = Some(0);
        if !record.against.is_given() {
            record.launches.get_or_insert(LAUNCHES);
        }
        record.blocks = Some(Blocks { most: blocks, measured: Vec::new() });
        Ok(record)
    }
}

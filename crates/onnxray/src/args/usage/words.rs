//! Words that other tools have for what this one calls otherwise.

use super::meant::command;
use clap::Command;
use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Commands of perf, trtexec, benchmark_app and others, and what to write instead.
const COMMANDS: [(&[&str], &str); 5] = [
    (
        &["profile", "benchmark", "bench", "run", "measure", "time"],
        "write onnxray record MODEL.onnx",
    ),
    (&["diff"], "write onnxray compare A B"),
    (&["stat", "stats", "show", "top"], "write onnxray summary RECORDING"),
    (&["optimize", "optimise", "autotune"], "write onnxray tune MODEL.onnx"),
    (
        &["quantize", "quantise", "quant"],
        "onnxray measures models that are quantized: judge A.onnx B.onnx compares with one, mix \
         A.onnx B.onnx takes the layers of it that pay",
    ),
];

/// Values of other tools, the option that they are for, and the one of this.
const VALUES: [(&[&str], &str, &str); 5] = [
    (&["speed", "time", "throughput", "performance", "perf", "fast"], "--for", "latency"),
    (&["power", "energy", "cores"], "--for", "cpu"),
    (&["ram", "rss", "size", "mem"], "--for", "memory"),
    (&["startup", "load", "init", "cold-start"], "--for", "start"),
    (
        &["tensorrt", "trt", "cuda", "openvino", "coreml", "directml", "dml", "qnn", "rocm"],
        "--engine",
        "onnxruntime, with --provider NAME",
    ),
];

/// Options of other tools; the argument of this one that a command must have for the word to mean
/// it; and what to write instead.
const OPTIONS: [(&[&str], &str, &str); 20] = [
    (
        &[
            "-n",
            "--iter",
            "--iters",
            "--niter",
            "--runs",
            "--num-runs",
            "--num_runs",
            "--avgRuns",
            "--repetitions",
            "--repeat",
        ],
        "iterations",
        "write --iterations N",
    ),
    // A recording's model is `--model`, and the model of a command that runs one is not an option.
    (&["-m", "--onnx", "--model"], "model", "the model has no option: onnxray COMMAND MODEL.onnx"),
    (
        &["-m", "--onnx", "--model"],
        "models",
        "the models have no option: onnxray COMMAND MODEL.onnx",
    ),
    (
        &["-d", "--device", "--ep", "--execution-provider"],
        "provider",
        "write --engine onnxruntime --provider NAME; without them, the CPU runs the model",
    ),
    (&["--shape", "--shapes", "--input-shape", "--input-shapes"], "dim", "write --dim NAME=SIZE"),
    (&["--sparsity"], "target", "write --target SPARSITY"),
    (
        &["--perf-ratio", "--perf-ratios"],
        "ratio",
        "write --ratio SHAPE@SPARSITY=VALUE, as in '*@0.9=4.5'",
    ),
    (
        &["--open", "--show", "--browser"],
        "output",
        "-o FILE.html writes a page: open it in a browser",
    ),
    (&["-w", "--warmUp", "--warmup-runs"], "warmup", "write --warmup N"),
    (
        &["--export-json", "--export-csv", "--export-markdown", "--export", "--json", "--csv"],
        "format",
        "write --format json, csv or markdown; -o FILE.html or .xlsx is a page or a workbook",
    ),
    (&["-b"], "batch-size", "write --batch-size N"),
    (
        &[
            "-t",
            "--num-threads",
            "--num_threads",
            "--nthreads",
            "--num-thread",
            "--intra-op-threads",
            "--intra_op_num_threads",
        ],
        "threads",
        "write --threads N",
    ),
    (
        &["--gpu", "--cuda", "--tensorrt", "--openvino"],
        "provider",
        "write --engine onnxruntime --provider NAME, such as cuda",
    ),
    (
        &["--candidate-options", "--options", "--b-options"],
        "against-options",
        "write --against-options 'OPTIONS', such as '--threads 2'",
    ),
    (
        &["--json", "--csv", "--export-json", "--export-csv"],
        "launches",
        "the recording is JSON and CSV already; onnxray summary --format json prints its figures",
    ),
    (
        &["--sequence", "--seq-len", "--sequence-length", "--seq", "--height", "--width"],
        "dim",
        "write --dim NAME=SIZE, as in --dim sequence=64",
    ),
    (
        &["--graph-optimization", "--graph-optimization-level", "--optimization-level"],
        "optimization",
        "write --optimization LEVEL",
    ),
    (
        &["-F"],
        "iterations",
        "nothing is sampled: every operator is timed in every iteration; write --iterations N",
    ),
    (
        &["--op", "--op-type", "--operator", "--layer", "--node"],
        "group",
        "tables have all operators: --level operator --all; --group 'PART/*' adds up those of a module",
    ),
    (
        &["--to", "--format"],
        "table",
        "the name of -o decides: -o FILE.csv, .parquet, .arrow or .json",
    ),
];

/// What to write instead of a word that other tools have.
pub(super) fn of_other_tools(all: &Command, error: &Error) -> Option<String> {
    let word = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.as_str()),
        _ => None,
    };
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let word = word(ContextKind::InvalidSubcommand)?;
            let own = COMMANDS.iter().find(|(words, _)| words.contains(&word));
            own.map(|(_, step)| step.to_string())
        }
        ErrorKind::InvalidValue => {
            let (value, option) =
                (word(ContextKind::InvalidValue)?, word(ContextKind::InvalidArg)?);
            let value = value.to_lowercase();
            let of_option = |(words, own, _): &&(&[&str], &str, &str)| {
                option.split(' ').next() == Some(*own) && words.contains(&value.as_str())
            };
            VALUES.iter().find(of_option).map(|(_, own, other)| format!("write {own} {other}"))
        }
        ErrorKind::UnknownArgument => {
            let word = word(ContextKind::InvalidArg)?;
            let command = command(all.clone());
            let has = |name: &str| {
                command.get_arguments().any(|own| match own.is_positional() {
                    true => own.get_id() == name,
                    // That of a recording is `--model`.
                    false => name != "model" && own.get_long() == Some(name),
                })
            };
            let own = OPTIONS.iter().find(|(words, own, _)| words.contains(&word) && has(own));
            own.map(|(_, _, step)| step.replace("COMMAND", command.get_name()))
        }
        _ => None,
    }
}

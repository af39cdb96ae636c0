//! A pruned model, recorded next to the one that it was made of, interleaved.

use crate::destination::Destination;
use crate::engine_process::program;
use crate::message;
use anyhow::{anyhow, bail};
use onnxray_analyzer::Summary;
use onnxray_analyzer::projection::{DEFAULT_BLOCK, Settings};
use onnxray_text::printable;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Refuses what would fail only after the recordings.
pub(super) fn check(
    summary: &Summary,
    settings: &Settings,
    output: &Destination,
) -> anyhow::Result<()> {
    output.check_columns("project")?;
    if output.is_csv() {
        bail!("--run prints several tables, which CSV has no room for: --format json has all");
    }
    if !settings.block.outputs.is_multiple_of(DEFAULT_BLOCK.outputs) {
        bail!(
            "kernels skip blocks of {} outputs, or of a multiple, and these are of {}",
            DEFAULT_BLOCK.outputs,
            settings.block
        );
    }
    match summary.run.engine.as_str() {
        "tract" | "" => Ok(()),
        other => bail!(
            "the recording is of {}, and only tract skips zeros\n\
             hint: record the model without --engine first",
            printable(other)
        ),
    }
}

/// Time of a turn. Its first run finds the caches as the other model left them, which a model that runs
/// alone never does, so that a turn has many runs.
const TURN_MS: f64 = 200.0;
/// Iterations of a turn, at most.
const LONGEST_TURN: f64 = 100.0;
/// Turns of each in a launch.
const TURNS: u32 = 8;

/// Iterations of a turn; 1 of a model that is slower than that, or of unknown latency.
fn iterations_per_turn(summary: &Summary) -> u32 {
    let latency = summary.model.latency().map(|latency| latency.times.median.0);
    let fitting = latency.filter(|latency| *latency > 0.0).map(|latency| TURN_MS / latency);
    fitting.map_or(1, |fitting| fitting.clamp(1.0, LONGEST_TURN) as u32)
}

/// Records both with the sizes and threads of a recording, into folders beside the pruned model:
/// dense, and skipping zeros.
pub(super) fn record(
    (model, pruned): (&Path, &Path),
    summary: &Summary,
    launches: u32,
) -> anyhow::Result<[PathBuf; 2]> {
    let stem = pruned.file_stem().unwrap_or(pruned.as_os_str()).to_string_lossy();
    let folder = pruned.with_file_name(format!("{stem}-recordings"));
    let mut command = Command::new(program()?);
    command.arg("record").arg(model).arg("--against").arg(pruned);
    command.args(["--against-options=--sparse=0.1", "--launches", &launches.to_string()]);
    let turn = iterations_per_turn(summary);
    if turn > 1 {
        let (turn, all) = (turn.to_string(), (turn * TURNS).to_string());
        command.args(["--iterations-per-turn", &turn, "--iterations", &all]);
    }
    command.arg("--out").arg(&folder);
    for own in &summary.run.dimensions {
        command.arg("--dim").arg(format!("{}={}", own.name, own.size));
    }
    if let Some(threads) = summary.run.threads {
        command.args(["--threads", &threads.to_string()]);
    }
    // Only what is verified goes to standard output.
    command.stdin(Stdio::null()).stdout(Stdio::from(io::stderr()));
    message::detail(format_args!("runs {command:?}"));
    let status = command.status().map_err(|error| anyhow!("cannot record: {error}"))?;
    if !status.success() {
        bail!("the recording failed: {status}");
    }
    // As `record --against` names them.
    let own = [model, pruned].map(|file| file.file_stem().unwrap_or(file.as_os_str()));
    let ends = if own[0] == own[1] { ["-a", "-b"] } else { ["", ""] };
    let folder_of = |side: usize| {
        let mut name = own[side].to_os_string();
        name.push(ends[side]);
        folder.join(name)
    };
    Ok([folder_of(0), folder_of(1)])
}

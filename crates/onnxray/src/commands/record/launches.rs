//! Launches in processes of their own, one after the other.

use super::Recording;
use crate::args::RecordArguments;
use crate::exit::Ended;
use anyhow::{anyhow, bail};
use onnxray_format::layout;
use onnxray_recorder::file_time;
use std::io;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Records all launches of one model.
pub fn run(
    arguments: &RecordArguments,
    recording: &Recording,
    stop: &AtomicBool,
) -> anyhow::Result<(Vec<PathBuf>, Ended)> {
    // No recording has it, so all numbers are free.
    let time = unused_time(recording)?;
    let mut files = Vec::new();
    for launch in 0..arguments.launches {
        let status = run_process(&place(launch, &time), stop)?;
        let trace = layout::trace_path(&recording.folder, &time, launch);
        if trace.exists() {
            files.push(trace);
        }
        if stop.load(Ordering::Relaxed) {
            return Ok((files, Ended::Interrupted));
        }
        if !status.success() {
            bail!("launch {} of {} failed: {status}", launch + 1, arguments.launches);
        }
    }
    Ok((files, Ended::Done))
}

/// A time that no recording in the folder has.
pub fn unused_time(recording: &Recording) -> io::Result<String> {
    layout::unused_time(&recording.folder.join(layout::TRACE_FOLDER), file_time)
}

/// The arguments that say which launch a process is.
pub fn place(launch: u32, time: &str) -> Vec<String> {
    ["--launch", &launch.to_string(), "--launch-time", time].map(String::from).to_vec()
}

/// Starts this program once more, as the launch that `place` says, and waits for
/// it: a process of its own is what makes a launch independent of the others.
pub fn run_process(place: &[String], stop: &AtomicBool) -> anyhow::Result<ExitStatus> {
    let program = std::env::current_exe()
        .map_err(|error| anyhow!("cannot find the program itself: {error}"))?;
    Command::new(&program)
        .args(std::env::args_os().skip(1).take(1)) // the subcommand
        .args(place)
        .args(std::env::args_os().skip(2))
        .spawn()
        .and_then(|child| wait(child, stop))
        .map_err(|error| anyhow!("cannot run a launch: {error}"))
}

/// Waits for a launch, and hands a signal to stop on to it: Ctrl-C reaches it by
/// itself, SIGTERM does not.
fn wait(mut launch: Child, stop: &AtomicBool) -> io::Result<ExitStatus> {
    let mut told = false;
    loop {
        if let Some(status) = launch.try_wait()? {
            return Ok(status);
        }
        if stop.load(Ordering::Relaxed) && !told {
            told = true;
            let _ = Command::new("kill").arg(launch.id().to_string()).status(); // it may be gone
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

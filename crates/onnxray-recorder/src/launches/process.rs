//! A launch in a process of its own, which makes it independent of the others.

use super::spec::ProcessSpec;
use crate::xray::ask_for_huge_pages;
use std::io;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Exit code of a process that has done what it was started for. Not 0, which an engine leaves
/// that ends the process by itself.
pub const SERVED: u8 = 86;

/// Whether a process ended with [`SERVED`].
pub fn has_served(status: ExitStatus) -> bool {
    status.code() == Some(SERVED.into())
}

/// Text for the status of a process that has not served.
pub fn ended(status: ExitStatus) -> String {
    match status.success() {
        true => "the engine ended its process".to_string(),
        false => status.to_string(),
    }
}

/// Starts `command`, which reads what it runs from its standard input, and waits for it.
pub(super) fn run(
    mut command: Command,
    spec: &ProcessSpec,
    stop: &AtomicBool,
) -> io::Result<ExitStatus> {
    let blocks = spec.launches.first().and_then(|launch| launch.options.blocks.as_ref());
    ask_for_huge_pages(&mut command, blocks);
    let mut process = command.stdin(Stdio::piped()).spawn()?;
    let mut input = process.stdin.take();
    if let Some(input) = &mut input {
        // It fails if the process ended before it read; then its status tells why.
        let _ = spec.write(input);
    }
    wait(process, input, stop)
}

/// Waits for a launch, and hands a request to stop on to it: it ends when its standard
/// input does, also where this process is killed. A signal would need a library or a
/// program for every system.
fn wait(
    mut process: Child,
    mut input: Option<ChildStdin>,
    stop: &AtomicBool,
) -> io::Result<ExitStatus> {
    loop {
        if let Some(status) = process.try_wait()? {
            return Ok(status);
        }
        if stop.load(Ordering::Relaxed) {
            drop(input.take());
        }
        // Polled, since the standard library cannot wait for a process and a flag at once.
        thread::sleep(Duration::from_millis(20));
    }
}

//! A launch in a process of its own, which makes it independent of the others.

use super::spec::LaunchSpec;
use std::io;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Starts `command`, which reads the launch from its standard input, and waits for it.
pub(super) fn run(
    mut command: Command,
    launch: &LaunchSpec,
    stop: &AtomicBool,
) -> io::Result<ExitStatus> {
    let mut process = command.stdin(Stdio::piped()).spawn()?;
    if let Some(input) = process.stdin.take() {
        // It fails if the process ended before it read; then its status tells why.
        let _ = launch.write(input);
    }
    wait(process, stop)
}

/// Waits for a launch, and hands a signal to stop on to it: Ctrl-C reaches it by
/// itself, SIGTERM does not.
fn wait(mut process: Child, stop: &AtomicBool) -> io::Result<ExitStatus> {
    let mut signalled = false;
    loop {
        if let Some(status) = process.try_wait()? {
            return Ok(status);
        }
        if stop.load(Ordering::Relaxed) && !signalled {
            signalled = true;
            let _ = Command::new("kill").arg(process.id().to_string()).status(); // it may be gone
        }
        thread::sleep(Duration::from_millis(20));
    }
}

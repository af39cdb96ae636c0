//! Launches in processes of this program.

use super::messages::label;
use crate::exit::Ended;
use anyhow::anyhow;
use onnxray_recorder::{LaunchError, Launches};
use std::process::Command;
use std::sync::atomic::AtomicBool;

/// Runs launches in processes of this program, as many as planned or until `enough`.
pub(super) fn start(
    launches: &Launches,
    stop: &AtomicBool,
    enough: impl FnMut(u32) -> bool,
) -> anyhow::Result<Ended> {
    let program = std::env::current_exe()
        .map_err(|error| anyhow!("cannot find the program itself: {error}"))?;
    let command = || {
        let mut command = Command::new(&program);
        command.arg("launch");
        command
    };
    match launches.run(command, stop, enough) {
        Ok(interrupted) => Ok(Ended::of_recording(interrupted)),
        Err(error @ LaunchError::Failed { recording: Some(recording), .. }) => {
            Err(anyhow!("{}{error}", label(&launches.specs()[recording])))
        }
        Err(error) => Err(error.into()),
    }
}

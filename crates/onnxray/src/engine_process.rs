//! The process in which an engine from elsewhere runs.

use anyhow::anyhow;
use onnxray_recorder::engine::EngineSpec;
use std::env;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// What keeps ONNX Runtime, from version 1.29 on, from sending what it is used for over the
/// network, and from files of its own. It looks when it is loaded.
const NO_TELEMETRY: &str = "ORT_DISABLE_TELEMETRY";

/// Begins this program anew, with an environment in which none of the engines reports to
/// anybody, unless the user has decided on that. Nothing must have been done before.
///
/// # Errors
///
/// If it cannot be begun.
pub(crate) fn without_telemetry(engines: &[&EngineSpec]) -> anyhow::Result<()> {
    if env::var_os(NO_TELEMETRY).is_some() || !engines.iter().any(|engine| engine.is_foreign()) {
        return Ok(());
    }
    let program =
        env::current_exe().map_err(|error| anyhow!("cannot find the program itself: {error}"))?;
    let mut arguments = env::args_os();
    let mut command = Command::new(program);
    if let Some(name) = arguments.next() {
        command.arg0(name);
    }
    let error = command.args(arguments).env(NO_TELEMETRY, "1").exec();
    Err(anyhow!("cannot begin anew: {error}"))
}

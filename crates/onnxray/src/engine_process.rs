//! The process in which an engine from elsewhere runs.

use crate::exit::{Ended, INTERRUPTED};
use anstream::ColorChoice;
use anyhow::{anyhow, bail};
use onnxray_failsafe::remove_unfinished;
use onnxray_recorder::engine::EngineSpec;
use onnxray_recorder::{bound_folding, ended, has_served};
use onnxray_text::shown;
use std::env;
use std::os::unix::process::{CommandExt, parent_id};
use std::path::{Path, PathBuf};
use std::process::{self, Command, ExitStatus};
use std::thread;
use std::time::Duration;

/// Keeps ONNX Runtime, from version 1.29 on, from reporting its use over the network and in files.
/// It is read when the library is loaded.
const NO_TELEMETRY: &str = "ORT_DISABLE_TELEMETRY";

/// Begins this program anew, with an environment in which none of the engines reports to
/// anybody, unless the user has decided on that. Nothing must have been done before.
///
/// # Errors
///
/// If it cannot be begun.
pub(crate) fn without_telemetry(engines: &[&EngineSpec]) -> anyhow::Result<()> {
    if env::var_os(NO_TELEMETRY).is_some()
        || !engines.iter().any(|engine| engine.capabilities().is_foreign)
    {
        return Ok(());
    }
    let mut arguments = env::args_os();
    let mut command = Command::new(program()?);
    if let Some(name) = arguments.next() {
        command.arg0(name);
    }
    let error = command.args(arguments).env(NO_TELEMETRY, "1").exec();
    Err(anyhow!("cannot begin anew: {error}"))
}

/// Set in a process that was begun for a command alone.
const APART: &str = "ONNXRAY_ENGINE_PROCESS";

/// Does the work of a command in a process of its own, if it loads an engine that may end it.
///
/// # Errors
///
/// If the engine ended it, or as the work.
pub(crate) fn apart(
    engine: Option<&EngineSpec>,
    work: impl FnOnce() -> anyhow::Result<Ended>,
) -> anyhow::Result<Ended> {
    match engine.is_some_and(|engine| engine.capabilities().is_foreign) {
        true => in_own_process(|| {}, work, ended),
        false => work(),
    }
}

/// Does the work of a command that reads a model and does not run it, in a process of its own that
/// takes no more memory than a model of that size needs: what an engine folds of it may have any
/// size. An engine from elsewhere has no such limit.
///
/// # Errors
///
/// If the process ended before it said why, or as the work.
pub(crate) fn apart_for_reading(
    engine: &EngineSpec,
    model: &Path,
    work: impl FnOnce() -> anyhow::Result<Ended>,
) -> anyhow::Result<Ended> {
    if engine.capabilities().is_foreign {
        return apart(Some(engine), work);
    }
    in_own_process(bound_folding, work, |_| {
        let what = "its constants take more memory to fold than a model of its size needs";
        format!("{}: {what}", shown(model))
    })
}

/// `begin` is called in that process; `why` it ended before the work did.
fn in_own_process(
    begin: impl FnOnce(),
    work: impl FnOnce() -> anyhow::Result<Ended>,
    why: impl FnOnce(ExitStatus) -> String,
) -> anyhow::Result<Ended> {
    if env::var_os(APART).is_some() {
        begin();
        end_with_parent()?;
        // The parent tells success from an engine that called `exit(0)` by this code.
        return Ok(work()?.of_service());
    }
    let mut command = Command::new(program()?);
    command.args(env::args_os().skip(1)).env(APART, "1");
    // The user's own choice stays.
    if env::var_os(NO_TELEMETRY).is_none() {
        command.env(NO_TELEMETRY, "1");
    }
    let status = command.status().map_err(|error| anyhow!("cannot begin anew: {error}"))?;
    match status.code() {
        _ if has_served(status) => Ok(Ended::Done),
        // It has said why.
        Some(1) => Ok(Ended::Told),
        // Ctrl-C reaches both; this process may notice it later.
        Some(code) if code == i32::from(INTERRUPTED) => Ok(Ended::Interrupted),
        _ => bail!("{}", why(status)),
    }
}

/// Lets this process end with the one that started it, whatever its engine does: a run may never
/// return.
///
/// # Errors
///
/// If the system makes no further thread.
pub(crate) fn end_with_parent() -> anyhow::Result<()> {
    let parent = parent_id();
    let follows = thread::Builder::new().spawn(move || follow(parent, Duration::ZERO));
    follows
        .map(drop)
        .map_err(|error| anyhow!("cannot wait for the end of another process: {error}"))
}

/// Waits for the end of the process that started this one, and ends this one if it does not do
/// so itself within `grace`.
pub(crate) fn follow(parent: u32, grace: Duration) -> ! {
    // A process whose parent ends gets another one: its number changes.
    while parent_id() == parent {
        thread::sleep(Duration::from_secs(1));
    }
    thread::sleep(grace);
    remove_unfinished();
    // What an engine does at an orderly end may wait for its runs.
    process::abort();
}

/// This program, for a part of a command that a process of its own does.
///
/// # Errors
///
/// If it cannot be found.
pub(crate) fn part(name: &'static str) -> anyhow::Result<impl Fn() -> Command> {
    let program = program()?;
    Ok(move || {
        let mut command = Command::new(&program);
        command.arg(name);
        // The option is known to this process only: its parts learn of it by their environment.
        if ColorChoice::global() == ColorChoice::Never {
            command.env("NO_COLOR", "1");
        }
        command
    })
}

/// This program, for a job: `commands::work`.
///
/// # Errors
///
/// If it cannot be found.
pub(crate) fn worker() -> anyhow::Result<impl Fn() -> Command> {
    part("work")
}

/// This program.
pub(crate) fn program() -> anyhow::Result<PathBuf> {
    env::current_exe().map_err(|error| anyhow!("cannot find the program itself: {error}"))
}

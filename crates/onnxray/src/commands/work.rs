//! `onnxray work`: does a job for the process that started this one, since an engine may end that.

use super::record::name_model;
use super::signals::serve_parent;
use crate::engine_process::part;
use crate::exit::Ended;
use anyhow::anyhow;
use onnxray_recorder::engine::Engines;
use onnxray_recorder::study::work;
use onnxray_recorder::{GivenDimensions, OnnxNodes};
use std::io;
use std::path::Path;
use std::process::Command;

/// Does the job that its parent describes on standard input.
pub(crate) fn run(engines: &dyn Engines) -> anyhow::Result<Ended> {
    serve_parent()?;
    let refused = |spec: &_, error| name_model(spec, error).to_string();
    match work(engines, io::stdin().lock(), io::stdout(), refused) {
        // Nobody waits for the answer.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Ended::Done),
        Err(error) => Err(anyhow!("standard input describes no job: {error}")),
        Ok(()) => Ok(Ended::Done),
    }
}

/// Makes processes that do jobs.
pub(super) fn worker() -> anyhow::Result<impl Fn() -> Command> {
    part("work")
}

/// Reads the nodes of a model, in a process of its own.
pub(super) fn nodes(model: &Path, given: &GivenDimensions) -> anyhow::Result<OnnxNodes> {
    Ok(OnnxNodes::read_apart(model, given, worker()?())?)
}

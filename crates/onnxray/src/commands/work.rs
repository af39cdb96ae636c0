//! `onnxray work`: does a job for the process that started this one, since an engine may end that.

use super::record::name_model;
use super::signals::serve_parent;
use crate::engine_process::worker;
use crate::exit::Ended;
use anyhow::anyhow;
use onnxray_recorder::engine::Engines;
use onnxray_recorder::study::work;
use std::io;

/// Does the job that its parent describes on standard input.
pub(crate) fn run(engines: &dyn Engines) -> anyhow::Result<Ended> {
    serve_parent()?;
    let refused = |spec: &_, error| name_model(spec, error).to_string();
    let command = worker()?;
    match work(engines, io::stdin().lock(), io::stdout(), refused, &command) {
        // Nobody waits for the answer.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Ended::Done),
        Err(error) => Err(anyhow!("standard input describes no job: {error}")),
        Ok(()) => Ok(Ended::Done),
    }
}

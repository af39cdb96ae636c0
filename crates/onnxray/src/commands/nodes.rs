//! What a model says of its nodes, read in a process of its own, since what an engine folds of it
//! may end that.

use crate::engine_process::worker;
use onnxray_recorder::{GivenDimensions, OnnxNodes};
use std::path::Path;

/// Reads the nodes of a model.
pub(super) fn nodes(model: &Path, given: &GivenDimensions) -> anyhow::Result<OnnxNodes> {
    Ok(OnnxNodes::read_apart(model, given, worker()?())?)
}

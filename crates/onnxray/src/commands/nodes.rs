//! `onnxray nodes`: what a model says of its nodes, read in a process of its own, since what an
//! engine folds of it may end that.

use super::signals::serve_parent;
use crate::engine_process::part;
use crate::exit::Ended;
use anyhow::anyhow;
use onnxray_recorder::{GivenDimensions, OnnxNodes, serve_nodes};
use std::io;
use std::path::Path;

/// Reads the nodes that standard input asks for, for the process that started this one.
pub(crate) fn serve_described() -> anyhow::Result<Ended> {
    serve_parent()?;
    let served = serve_nodes(io::stdin().lock(), io::stdout());
    served.map_err(|error| anyhow!("standard input describes no model: {error}"))?;
    Ok(Ended::Done)
}

/// Reads the nodes of a model, in a process of its own.
pub(super) fn nodes(model: &Path, given: &GivenDimensions) -> anyhow::Result<OnnxNodes> {
    Ok(OnnxNodes::read_apart(model, given, part("nodes")?())?)
}

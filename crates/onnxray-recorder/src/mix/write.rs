//! A mix as a file.

use super::opened::pair;
use super::spec::{ElementTypes, MixSpec};
use crate::error::RecordError;
use crate::model::file::OnnxFile;
use std::path::Path;

/// A mix as a file.
pub struct Mixed {
    /// The ONNX file.
    pub bytes: Vec<u8>,
}

/// The mix of two models that takes these changes from B, by their numbers.
///
/// # Errors
///
/// If a model cannot be read, or if there is no such mix.
pub fn mixed(spec: &MixSpec, types: &ElementTypes, from_b: &[u32]) -> Result<Mixed, RecordError> {
    let [a, b] = [&spec.a.model, &spec.b].map(Path::new);
    let mut pair = pair(&OnnxFile::read(a)?, &OnnxFile::read(b)?)?;
    pair.learn_types(types.clone());
    let bytes = pair.mixed(from_b).map_err(|reason| RecordError::NoMix {
        a: a.to_path_buf(),
        b: b.to_path_buf(),
        reason,
    })?;
    Ok(Mixed { bytes })
}

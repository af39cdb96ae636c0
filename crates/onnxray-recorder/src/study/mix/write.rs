//! A mix as a file.

use super::opened::pair;
use super::spec::MixSpec;
use crate::error::RecordError;
use crate::model::file::OnnxFile;
use crate::study::written::for_folder;
use std::path::Path;

/// The ONNX file, for this folder, of the mix of two models that takes these changes from B, by
/// their numbers. In A's folder it refers to A's external data; elsewhere it holds them.
///
/// # Errors
///
/// If a model or its data cannot be read, if there is no such mix, or if it is too large for a
/// file.
pub fn mixed(spec: &MixSpec, from_b: &[u32], folder: &Path) -> Result<Vec<u8>, RecordError> {
    let [a, b] = [&spec.a.model, &spec.b].map(Path::new);
    let refused = |reason| RecordError::NoMix { a: a.to_path_buf(), b: b.to_path_buf(), reason };
    let (of_a, of_b) = (OnnxFile::read(a)?, OnnxFile::read(b)?);
    let mut pair = pair(&of_a, &of_b)?;
    pair.learn_types(spec.types.clone());
    let bytes = pair.mixed(from_b).map_err(refused)?;
    for_folder(bytes, &of_a, folder).map_err(refused)
}

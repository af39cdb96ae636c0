//! A mix as a file.

use super::opened::{is_same_folder, pair};
use super::spec::MixSpec;
use crate::error::RecordError;
use crate::model::file::OnnxFile;
use crate::model::mix::inlined;
use std::path::Path;

/// Largest size of a protobuf message.
const LARGEST: usize = i32::MAX as usize;

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
    let mut bytes = pair.mixed(from_b).map_err(refused)?;
    let own = a.parent().unwrap_or(Path::new(""));
    if !of_a.protobuf.external_data().is_empty() && !is_same_folder(own, folder) {
        let unread = || refused("external data of A cannot be read".to_string());
        bytes = inlined(&bytes, own).ok_or_else(unread)?;
    }
    match bytes.len() {
        // Checked in the end: only inlined data makes a mix larger than its models.
        ..=LARGEST => Ok(bytes),
        _ => Err(refused(
            "with its external data the mix is larger than 2 GB\n\
             hint: write it into the folder of A"
                .to_string(),
        )),
    }
}

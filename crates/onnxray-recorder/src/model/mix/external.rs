//! External data brought into the file, for a model in another folder.

use super::content::external_elements;
use crate::model::bytes::field_numbers::{
    GRAPH_INITIALIZER, MODEL_GRAPH, TENSOR_EXTERNAL, TENSOR_LOCATION, TENSOR_RAW_DATA,
};
use crate::model::bytes::wire::{Field, Fields, put, rewritten};
use std::path::Path;

/// The model with the elements of its constants in the file itself; those that lie elsewhere are
/// read from `folder`. `None` if they cannot be read, or if it is not a model.
pub(crate) fn inlined(model: &[u8], folder: &Path) -> Option<Vec<u8>> {
    rewritten(model, MODEL_GRAPH, |graph| {
        rewritten(graph, GRAPH_INITIALIZER, |tensor| with_elements(tensor, folder))
    })
}

fn with_elements(tensor: &[u8], folder: &Path) -> Option<Vec<u8>> {
    let (mut own, mut is_external) = (Vec::new(), false);
    for field in Fields(tensor) {
        let Field { number, value, integer, whole } = field?;
        match (number, value) {
            (TENSOR_EXTERNAL, Some(_)) => {}
            (TENSOR_LOCATION, _) => is_external = integer? == 1,
            _ => own.extend_from_slice(whole),
        }
    }
    if !is_external {
        return Some(tensor.to_vec());
    }
    put(&mut own, TENSOR_RAW_DATA, &external_elements(tensor, folder)?);
    Some(own)
}

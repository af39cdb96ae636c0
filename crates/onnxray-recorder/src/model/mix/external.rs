//! External data brought into the file, for a model in another folder.

use super::content::external_elements;
use super::parts::{GRAPH_INITIALIZER, MODEL_GRAPH};
use crate::model::wire::{Field, Fields, put, rewritten};
use std::path::Path;

const RAW: u64 = 9;
const EXTERNAL: u64 = 13;
const PLACE: u64 = 14;

/// The model with the elements of its constants in the file itself; those that lie elsewhere are
/// read from `folder`. `None` if they cannot be read, or if it is not a model.
pub(crate) fn inlined(model: &[u8], folder: &Path) -> Option<Vec<u8>> {
    rewritten(model, MODEL_GRAPH, |graph| {
        rewritten(graph, GRAPH_INITIALIZER, |tensor| with_elements(tensor, folder))
    })
}

fn with_elements(tensor: &[u8], folder: &Path) -> Option<Vec<u8>> {
    let (mut own, mut entries, mut is_external) = (Vec::new(), Vec::new(), false);
    for field in Fields(tensor) {
        let Field { number, value, integer, whole } = field?;
        match (number, value) {
            (EXTERNAL, Some(entry)) => entries.push(entry),
            (PLACE, _) => is_external = integer? == 1,
            _ => own.extend_from_slice(whole),
        }
    }
    if !is_external {
        return Some(tensor.to_vec());
    }
    put(&mut own, RAW, &external_elements(&entries, folder)?);
    Some(own)
}

//! What a constant or a node is, apart from names: two with the same key compute the same.

use crate::model::bytes::field_numbers::{
    ATTRIBUTE_NAME, NODE_ATTRIBUTE, NODE_INPUT, NODE_OUTPUT, SPARSE_VALUES, TENSOR_DATA_TYPE,
    TENSOR_DIMENSIONS, TENSOR_DOCUMENTATION, TENSOR_DOUBLES, TENSOR_EXTERNAL, TENSOR_FLOATS,
    TENSOR_INTEGERS, TENSOR_LOCATION, TENSOR_LONG_INTEGERS, TENSOR_METADATA, TENSOR_NAME,
    TENSOR_RAW_DATA,
};
use crate::model::bytes::wire::{Field, Fields, varint};
use crate::model::constants::stored_tensors::External;
use crate::model::parts::{Node, Parts, Stored, is_remark, message_of};
use onnxray_failsafe::open_regular;
use sha2::{Digest, Sha256};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

pub(super) type Key = [u8; 32];

/// Hashes fields and texts with their lengths, so that no two lists have one hash.
#[derive(Default)]
pub(super) struct Hash(Sha256);

impl Hash {
    pub(super) fn add(&mut self, bytes: &[u8]) -> &mut Hash {
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
        self
    }

    pub(super) fn key(self) -> Key {
        self.0.finalize().into()
    }
}

/// Hashes of a constant: of type and shape, and of all with its elements.
#[derive(Clone, Copy)]
pub(super) struct Content {
    pub(super) form: Key,
    pub(super) whole: Key,
}

/// Content of a stored constant; external data is read from `folder`.
pub(super) fn of_stored(parts: &Parts, constant: &Stored, folder: &Path) -> Option<Content> {
    let bytes = parts.stored(constant);
    if constant.is_sparse {
        let values = of_tensor(message_of(bytes, SPARSE_VALUES)?, folder)?;
        let mut hash = Hash::default();
        hash.add(&values.whole);
        for field in Fields(bytes) {
            let field = field?;
            if field.number != SPARSE_VALUES {
                hash.add(field.whole);
            }
        }
        return Some(Content { form: values.form, whole: hash.key() });
    }
    of_tensor(bytes, folder)
}

/// Content of a tensor: elements in typed fields have the hash of raw ones.
pub(super) fn of_tensor(tensor: &[u8], folder: &Path) -> Option<Content> {
    let (mut form, mut elements) = (Hash::default(), Hash::default());
    let (mut element_type, mut is_external) = (0, false);
    for field in Fields(tensor) {
        let Field { number, integer, .. } = field?;
        match number {
            TENSOR_DATA_TYPE => element_type = integer?,
            TENSOR_LOCATION => is_external = integer? == 1,
            _ => {}
        }
    }
    form.add(&element_type.to_le_bytes());
    for field in Fields(tensor) {
        let Field { number, value, integer, whole } = field?;
        match (number, value) {
            (TENSOR_DIMENSIONS, None) => {
                form.add(&integer?.to_le_bytes());
            }
            (TENSOR_DIMENSIONS, Some(mut packed)) => {
                while !packed.is_empty() {
                    form.add(&varint(&mut packed)?.to_le_bytes());
                }
            }
            (TENSOR_RAW_DATA, Some(raw)) if !is_external => {
                elements.add(raw);
            }
            (TENSOR_FLOATS | TENSOR_DOUBLES, Some(packed)) => {
                elements.add(packed);
            }
            (TENSOR_INTEGERS | TENSOR_LONG_INTEGERS, Some(packed)) => {
                elements.add(&integers(packed, element_type)?);
            }
            (
                TENSOR_DATA_TYPE | TENSOR_NAME | TENSOR_RAW_DATA | TENSOR_DOCUMENTATION
                | TENSOR_METADATA | TENSOR_EXTERNAL | TENSOR_LOCATION,
                _,
            ) => {}
            _ => {
                elements.add(whole);
            }
        }
    }
    if is_external {
        elements.add(&external_elements(tensor, folder)?);
    }
    let form = form.key();
    let mut whole = Hash::default();
    whole.add(&form).add(&elements.key());
    Some(Content { form, whole: whole.key() })
}

/// Integers as elements of their type are stored raw.
fn integers(mut packed: &[u8], element_type: u64) -> Option<Vec<u8>> {
    // ONNX keeps integers of 8 and 16 bits, bool and both floats of 16 bits in `int32_data`: raw,
    // they take their own width.
    let width = match element_type {
        2 | 3 | 9 => 1,
        4 | 5 | 10 | 16 => 2,
        7 => 8,
        _ => 4,
    };
    let mut raw = Vec::new();
    while !packed.is_empty() {
        raw.extend_from_slice(&varint(&mut packed)?.to_le_bytes()[..width]);
    }
    Some(raw)
}

/// Elements of a tensor in another file; `None` if that file cannot hold them.
pub(super) fn external_elements(tensor: &[u8], folder: &Path) -> Option<Vec<u8>> {
    let external = External::of_bytes(tensor)?;
    if external.fault(folder).is_some() {
        return None;
    }
    let mut file = open_regular(&folder.join(&external.place)).ok()?;
    let (offset, length) = external.extent()?;
    file.seek(SeekFrom::Start(offset)).ok()?;
    let mut elements = Vec::new();
    file.take(length).read_to_end(&mut elements).ok()?;
    (elements.len() as u64 == length).then_some(elements)
}

/// Hash of a node's type, domain and attributes, without names and inputs.
pub(super) fn of_node(node: &Node) -> Option<Key> {
    let mut hash = Hash::default();
    hash.add(node.operator_type.as_bytes()).add(node.domain.as_bytes());
    let mut attributes: Vec<(&[u8], &[u8])> = Vec::new();
    for field in Fields(&node.bytes) {
        let field = field?;
        match (field.number, field.value) {
            (NODE_ATTRIBUTE, Some(value)) => {
                attributes.push((message_of(value, ATTRIBUTE_NAME)?, value));
            }
            (NODE_INPUT | NODE_OUTPUT, _) => {}
            (number, _) if is_remark(number) => {}
            _ => {
                hash.add(field.whole);
            }
        }
    }
    // Their order means nothing, and tools write them in any.
    attributes.sort_unstable();
    for (_, attribute) in attributes {
        hash.add(attribute);
    }
    Some(hash.key())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::bytes::wire::{put, put_integer};

    fn tensor(element_type: u64, number: u64, elements: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        put_integer(&mut bytes, TENSOR_DIMENSIONS, 2);
        put_integer(&mut bytes, TENSOR_DATA_TYPE, element_type);
        put(&mut bytes, number, elements);
        put(&mut bytes, TENSOR_NAME, b"any");
        bytes
    }

    #[test]
    fn elements_count_and_not_how_they_are_stored() {
        let whole = |bytes: Vec<u8>| of_tensor(&bytes, Path::new("")).unwrap().whole;
        let floats: Vec<u8> = [1.5f32, -2.0].iter().flat_map(|own| own.to_le_bytes()).collect();
        assert_eq!(
            whole(tensor(1, TENSOR_RAW_DATA, &floats)),
            whole(tensor(1, TENSOR_FLOATS, &floats))
        );
        let long: Vec<u8> = [3u64, 300].iter().flat_map(|own| own.to_le_bytes()).collect();
        assert_eq!(
            whole(tensor(7, TENSOR_RAW_DATA, &long)),
            whole(tensor(7, TENSOR_LONG_INTEGERS, &[3, 0xac, 2]))
        );
        assert_eq!(
            whole(tensor(3, TENSOR_RAW_DATA, &[3, 7])),
            whole(tensor(3, TENSOR_INTEGERS, &[3, 7]))
        );
        assert_ne!(
            whole(tensor(3, TENSOR_RAW_DATA, &[3, 7])),
            whole(tensor(3, TENSOR_RAW_DATA, &[3, 8]))
        );
        assert_ne!(
            whole(tensor(3, TENSOR_RAW_DATA, &[3, 7])),
            whole(tensor(2, TENSOR_RAW_DATA, &[3, 7]))
        );
    }
}

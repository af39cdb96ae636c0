//! An ONNX file with other elements in one of its constants.
//!
//! The bytes are changed there and nowhere else. Elements that lay in typed fields, or in
//! another file, lie in the model afterwards.

use super::field_numbers::{
    ATTRIBUTE_GRAPH, ATTRIBUTE_TENSOR, GRAPH_INITIALIZER, GRAPH_NODE, MODEL_GRAPH, NODE_ATTRIBUTE,
    NODE_OPERATOR_TYPE, NODE_OUTPUT, TENSOR_DATA_TYPE, TENSOR_DIMENSIONS, TENSOR_DOCUMENTATION,
    TENSOR_NAME, TENSOR_RAW_DATA,
};
use super::wire::{Field, Fields, put, rewritten};

/// The model in `bytes` with `raw` as the elements of the constant `name`, in the order in
/// which they are stored, lowest byte first. `None` if the bytes are not a model with exactly one
/// constant of that name.
pub(in crate::model) fn replaced(bytes: &[u8], name: &str, raw: &[u8]) -> Option<Vec<u8>> {
    let mut constant = Replacement { name: name.as_bytes(), raw, found: 0 };
    let model = rewritten(bytes, MODEL_GRAPH, |value| constant.graph(value))?;
    // Bodies may have constants of the same name: nobody knows which of two was meant.
    (constant.found == 1).then_some(model)
}

struct Replacement<'a> {
    name: &'a [u8],
    raw: &'a [u8],
    found: usize,
}

impl Replacement<'_> {
    fn graph(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        let nodes = rewritten(bytes, GRAPH_NODE, |value| self.node(value))?;
        rewritten(&nodes, GRAPH_INITIALIZER, |value| match text(value, TENSOR_NAME)? {
            name if name == Some(self.name) => self.tensor(value),
            _ => Some(value.to_vec()),
        })
    }

    fn node(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        let holds_it = text(bytes, NODE_OPERATOR_TYPE)? == Some(b"Constant")
            && text(bytes, NODE_OUTPUT)? == Some(self.name);
        rewritten(bytes, NODE_ATTRIBUTE, |value| {
            let value = match holds_it {
                true => rewritten(value, ATTRIBUTE_TENSOR, |tensor| self.tensor(tensor))?,
                false => value.to_vec(),
            };
            rewritten(&value, ATTRIBUTE_GRAPH, |body| self.graph(body))
        })
    }

    /// A tensor of the same type, shape and name with these elements.
    fn tensor(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        self.found += 1;
        let mut tensor = Vec::with_capacity(self.raw.len() + 64);
        for field in Fields(bytes) {
            let Field { number, whole, .. } = field?;
            // Typed fields and references to other files go: a tensor may hold its elements in one
            // place only.
            let stays = [TENSOR_DIMENSIONS, TENSOR_DATA_TYPE, TENSOR_NAME, TENSOR_DOCUMENTATION];
            if stays.contains(&number) {
                tensor.extend_from_slice(whole);
            }
        }
        put(&mut tensor, TENSOR_RAW_DATA, self.raw);
        Some(tensor)
    }
}

/// First text of that field, if there is one; `None` if the bytes are not a message.
fn text(bytes: &[u8], number: u64) -> Option<Option<&[u8]>> {
    for field in Fields(bytes) {
        let field = field?;
        if field.number == number && field.value.is_some() {
            return Some(field.value);
        }
    }
    Some(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::protobuf::Protobuf;
    use std::path::Path;

    #[test]
    fn one_constant_changes_and_nothing_else() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/models");
        for name in ["cnn.onnx", "cnn-int8.onnx", "scan.onnx", "lstm.onnx"] {
            let bytes = std::fs::read(folder.join(name)).unwrap();
            let before = Protobuf::decode(&bytes).unwrap();
            let graph = before.model.graph.as_ref().unwrap();
            for tensor in graph.initializer.iter().filter(|t| !t.raw_data.is_empty()) {
                let raw = vec![7; tensor.raw_data.len()];
                let Some(changed) = replaced(&bytes, &tensor.name, &raw) else {
                    panic!("{name}: {} is not replaced", tensor.name)
                };
                let mut after = Protobuf::decode(&changed).unwrap().model;
                let initializers = &mut after.graph.as_mut().unwrap().initializer;
                let own = initializers.iter_mut().find(|t| t.name == tensor.name).unwrap();
                assert_eq!(own.raw_data, raw);
                own.raw_data = tensor.raw_data.clone();
                assert!(after == before.model, "{name}: something else than {}", tensor.name);
            }
            assert!(replaced(&bytes, "no such constant", b"").is_none());
            assert!(replaced(&bytes[..bytes.len() - 1], "", b"").is_none(), "cut");
        }
    }
}

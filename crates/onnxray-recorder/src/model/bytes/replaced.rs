//! An ONNX file with other elements in some of its constants.
//!
//! The bytes are changed there and nowhere else. Elements that lay in typed fields, or in
//! another file, lie in the model afterwards.

use super::field_numbers::{
    ATTRIBUTE_GRAPH, ATTRIBUTE_TENSOR, GRAPH_INITIALIZER, GRAPH_NODE, MODEL_GRAPH, NODE_ATTRIBUTE,
    NODE_OPERATOR_TYPE, NODE_OUTPUT, TENSOR_DATA_TYPE, TENSOR_DIMENSIONS, TENSOR_DOCUMENTATION,
    TENSOR_NAME, TENSOR_RAW_DATA,
};
use super::wire::{Field, Fields, put, rewritten};
use std::collections::BTreeMap;

/// The model in `bytes` with other elements in the constants of these names: in the order in which
/// they are stored, lowest byte first.
///
/// # Errors
///
/// If the bytes are not a model with exactly one constant of each name.
pub(in crate::model) fn replaced(
    bytes: &[u8],
    constants: &[(&str, Vec<u8>)],
) -> Result<Vec<u8>, String> {
    let found = constants.iter().map(|(name, raw)| (name.as_bytes(), (raw.as_slice(), 0)));
    let mut constants = Replacement(found.collect());
    let model = rewritten(bytes, MODEL_GRAPH, |value| constants.graph(value));
    let model = model.ok_or("it is not a whole model")?;
    // Bodies may have constants of the same name: nobody knows which of two was meant.
    match constants.0.iter().find(|(_, (_, found))| *found != 1) {
        Some((name, _)) => {
            Err(format!("it has not one constant `{}`", String::from_utf8_lossy(name)))
        }
        None => Ok(model),
    }
}

/// By name: the elements, and how many constants have them now.
struct Replacement<'a>(BTreeMap<&'a [u8], (&'a [u8], usize)>);

impl Replacement<'_> {
    fn graph(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        let nodes = rewritten(bytes, GRAPH_NODE, |value| self.node(value))?;
        rewritten(&nodes, GRAPH_INITIALIZER, |value| {
            let name = text(value, TENSOR_NAME)?.unwrap_or_default();
            self.tensor(name, value)
        })
    }

    fn node(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        let is_constant = text(bytes, NODE_OPERATOR_TYPE)? == Some(b"Constant");
        let name = text(bytes, NODE_OUTPUT)?.filter(|_| is_constant);
        rewritten(bytes, NODE_ATTRIBUTE, |value| {
            let value = match name {
                Some(name) => rewritten(value, ATTRIBUTE_TENSOR, |own| self.tensor(name, own))?,
                None => value.to_vec(),
            };
            rewritten(&value, ATTRIBUTE_GRAPH, |body| self.graph(body))
        })
    }

    /// The tensor of a constant: of the same type, shape and name, with other elements if it is to
    /// have some.
    fn tensor(&mut self, name: &[u8], bytes: &[u8]) -> Option<Vec<u8>> {
        let Some((raw, found)) = self.0.get_mut(name) else { return Some(bytes.to_vec()) };
        *found += 1;
        let mut tensor = Vec::with_capacity(raw.len() + 64);
        for field in Fields(bytes) {
            let Field { number, whole, .. } = field?;
            // Typed fields and references to other files go: a tensor may hold its elements in one
            // place only.
            let stays = [TENSOR_DIMENSIONS, TENSOR_DATA_TYPE, TENSOR_NAME, TENSOR_DOCUMENTATION];
            if stays.contains(&number) {
                tensor.extend_from_slice(whole);
            }
        }
        put(&mut tensor, TENSOR_RAW_DATA, raw);
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
    fn constants_change_and_nothing_else() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/models");
        for name in ["cnn.onnx", "cnn-int8.onnx", "scan.onnx", "lstm.onnx"] {
            let bytes = std::fs::read(folder.join(name)).unwrap();
            let before = Protobuf::decode(&bytes).unwrap();
            let graph = before.model.graph.as_ref().unwrap();
            let tensors: Vec<_> =
                graph.initializer.iter().filter(|t| !t.raw_data.is_empty()).collect();
            let other = |t: &&tract_onnx::pb::TensorProto| vec![7; t.raw_data.len()];
            let each = tensors.iter().map(|t| vec![(t.name.as_str(), other(t))]);
            let all = tensors.iter().map(|t| (t.name.as_str(), other(t))).collect();
            for constants in each.chain([all]) {
                let changed = replaced(&bytes, &constants).unwrap();
                let mut after = Protobuf::decode(&changed).unwrap().model;
                let initializers = &mut after.graph.as_mut().unwrap().initializer;
                for (name, raw) in &constants {
                    let own = initializers.iter_mut().find(|t| t.name == *name).unwrap();
                    assert_eq!(own.raw_data, *raw);
                    let dense = tensors.iter().find(|t| t.name == *name).unwrap();
                    own.raw_data = dense.raw_data.clone();
                }
                assert!(after == before.model, "{name}: something else changed");
            }
            let refused = |bytes: &[u8], name| replaced(bytes, &[(name, Vec::new())]).unwrap_err();
            assert!(refused(&bytes, "none such").ends_with("not one constant `none such`"));
            assert!(refused(&bytes[..bytes.len() - 1], "").ends_with("not a whole model"), "cut");
        }
    }
}

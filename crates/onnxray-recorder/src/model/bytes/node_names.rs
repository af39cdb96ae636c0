//! An ONNX file whose nodes have the names that they were given here, for engines that know
//! nodes by their names only.
//!
//! The bytes are changed where the names are and nowhere else: what a newer ONNX may have
//! put into them, which nobody here decodes, stays.

use super::field_numbers::{
    ATTRIBUTE_GRAPH, FUNCTION_NODE, GRAPH_NODE, MODEL_FUNCTION, MODEL_GRAPH, NODE_ATTRIBUTE,
    NODE_NAME,
};
use super::wire::{Field, Fields, put, rewritten};

/// The model in `bytes` with these `names` for its nodes: in file order, nodes of bodies after the
/// one that holds them, nodes of functions after all others. `None` if the bytes are not a model
/// with that many nodes.
pub(in crate::model) fn renamed<'a>(
    bytes: &[u8],
    names: impl IntoIterator<Item = &'a str>,
) -> Option<Vec<u8>> {
    let mut names = names.into_iter();
    let model = rewritten(bytes, MODEL_GRAPH, |value| graph(value, &mut names))?;
    let model = rewritten(&model, MODEL_FUNCTION, |value| {
        rewritten(value, FUNCTION_NODE, |value| node(value, &mut names))
    })?;
    // Names that are left over mean that the file has changed since they were made.
    names.next().is_none().then_some(model)
}

fn graph(bytes: &[u8], names: &mut dyn Iterator<Item = &str>) -> Option<Vec<u8>> {
    rewritten(bytes, GRAPH_NODE, |value| node(value, names))
}

fn node(bytes: &[u8], names: &mut dyn Iterator<Item = &str>) -> Option<Vec<u8>> {
    // Taken before the attributes: names of bodies follow that of the node which holds them
    // (`Protobuf::node_names`).
    let name = names.next()?;
    let mut node = Vec::with_capacity(bytes.len() + name.len());
    put(&mut node, NODE_NAME, name.as_bytes());
    for field in Fields(bytes) {
        match field? {
            // Written above: a second one would be the last, which holds.
            Field { number: NODE_NAME, .. } => {}
            Field { number: NODE_ATTRIBUTE, value: Some(value), .. } => {
                put(&mut node, NODE_ATTRIBUTE, &attribute(value, names)?);
            }
            Field { whole, .. } => node.extend_from_slice(whole),
        }
    }
    Some(node)
}

fn attribute(bytes: &[u8], names: &mut dyn Iterator<Item = &str>) -> Option<Vec<u8>> {
    rewritten(bytes, ATTRIBUTE_GRAPH, |value| graph(value, names))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::protobuf::Protobuf;
    use std::path::Path;

    fn fixture(name: &str) -> Vec<u8> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/models");
        std::fs::read(folder.join(name)).unwrap()
    }

    #[test]
    fn only_names_change_and_all_of_them() {
        for name in ["scan.onnx", "cnn-int8.onnx", "lstm.onnx"] {
            let bytes = fixture(name);
            let before = Protobuf::decode(&bytes).unwrap();
            let names: Vec<String> =
                (0..before.node_names().len()).map(|n| format!("new {n}")).collect();
            let changed = renamed(&bytes, names.iter().map(String::as_str)).unwrap();
            let mut after = Protobuf::decode(&changed).unwrap();
            assert_eq!(after.node_names(), names, "{name}");
            let own = before.node_names();
            let back = renamed(&changed, own.iter().copied()).unwrap();
            after = Protobuf::decode(&back).unwrap();
            assert!(after.model == before.model, "{name}: something else changed");
        }
    }

    #[test]
    fn what_is_no_model_of_these_nodes_is_refused() {
        let bytes = fixture("scan.onnx");
        let count = Protobuf::decode(&bytes).unwrap().node_names().len();
        let of = |bytes: &[u8], count: usize| renamed(bytes, vec!["n"; count]);
        assert!(of(&bytes, count).is_some());
        assert!(of(&bytes, count - 1).is_none() && of(&bytes, count + 1).is_none());
        assert!(of(&bytes[..bytes.len() - 1], count).is_none(), "cut");
        assert!(of(&[0x3a, 0xff, 0xff, 0xff, 0xff, 0x0f], 0).is_none(), "a length beyond the end");
        assert!(of(&[0x80; 11], 0).is_none(), "a number without an end");
    }
}

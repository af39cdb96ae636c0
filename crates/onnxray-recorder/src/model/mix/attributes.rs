//! An attribute of all nodes of a type, changed.

use crate::model::bytes::field_numbers::{
    ATTRIBUTE_GRAPH, ATTRIBUTE_GRAPHS, ATTRIBUTE_INTEGER, ATTRIBUTE_NAME, ATTRIBUTE_TYPE,
    FUNCTION_NODE, GRAPH_NODE, MODEL_FUNCTION, MODEL_GRAPH, NODE_ATTRIBUTE, NODE_OPERATOR_TYPE,
};
use crate::model::bytes::wire::{Field, Fields, put, put_integer, rewritten, values};

/// ONNX's number for an attribute that is an integer.
const INTEGER: u64 = 2;

/// The model whose nodes of this type all have this integer as an attribute, those of bodies and of
/// functions included. `None` if it is not a model.
pub(crate) fn with_integer(
    model: &[u8],
    (operator_type, name): (&str, &str),
    value: u64,
) -> Option<Vec<u8>> {
    let node = |node: &[u8]| of_node(node, (operator_type, name), value);
    let model = rewritten(model, MODEL_GRAPH, |graph| rewritten(graph, GRAPH_NODE, node))?;
    rewritten(&model, MODEL_FUNCTION, |function| rewritten(function, FUNCTION_NODE, node))
}

fn of_node(bytes: &[u8], what: (&str, &str), value: u64) -> Option<Vec<u8>> {
    let (operator_type, name) = what;
    // Of several fields, the last holds.
    let is_own = values(bytes, NODE_OPERATOR_TYPE).last() == Some(operator_type.as_bytes());
    let body = |graph: &[u8]| rewritten(graph, GRAPH_NODE, |node| of_node(node, what, value));
    let mut node = Vec::with_capacity(bytes.len());
    for field in Fields(bytes) {
        match field? {
            Field { number: NODE_ATTRIBUTE, value: Some(own), .. } => {
                if is_own && values(own, ATTRIBUTE_NAME).last() == Some(name.as_bytes()) {
                    continue;
                }
                let own = rewritten(own, ATTRIBUTE_GRAPH, body)?;
                put(&mut node, NODE_ATTRIBUTE, &rewritten(&own, ATTRIBUTE_GRAPHS, body)?);
            }
            Field { whole, .. } => node.extend_from_slice(whole),
        }
    }
    if is_own {
        let mut attribute = Vec::new();
        put(&mut attribute, ATTRIBUTE_NAME, name.as_bytes());
        put_integer(&mut attribute, ATTRIBUTE_INTEGER, value);
        put_integer(&mut attribute, ATTRIBUTE_TYPE, INTEGER);
        put(&mut node, NODE_ATTRIBUTE, &attribute);
    }
    Some(node)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::graph::Graph;
    use crate::model::protobuf::Protobuf;
    use std::path::Path;
    use std::rc::Rc;

    fn fixture(name: &str) -> Vec<u8> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/models");
        std::fs::read(folder.join(name)).unwrap()
    }

    fn integers(graph: &Graph, operator_type: &str, name: &str, found: &mut Vec<Option<i64>>) {
        for node in &graph.nodes {
            if node.operator_type == operator_type {
                found.push(node.int(name));
            }
            node.bodies.iter().for_each(|(_, body)| integers(body, operator_type, name, found));
        }
    }

    #[test]
    fn all_nodes_of_a_type_have_it_and_nothing_else_changes() {
        // One with a body, and one whose nodes have the attribute already.
        for (model, operator_type, name) in
            [("scan.onnx", "MatMul", "level"), ("cnn.onnx", "Conv", "group")]
        {
            let bytes = fixture(model);
            let of = |bytes: &[u8]| {
                let graph = Rc::new(Protobuf::decode(bytes).unwrap().graph());
                let mut found = Vec::new();
                integers(&graph, operator_type, name, &mut found);
                (found, graph.nodes.len())
            };
            let (before, nodes) = of(&bytes);
            let changed = with_integer(&bytes, (operator_type, name), 4).unwrap();
            assert!(!before.is_empty(), "{model} has no {operator_type}");
            assert_eq!(of(&changed), (vec![Some(4); before.len()], nodes), "{model}");
            let again = with_integer(&changed, (operator_type, name), 4).unwrap();
            assert_eq!(again, changed, "{model}");
            let none = with_integer(&bytes, ("NoSuch", name), 4).unwrap();
            assert!(
                Protobuf::decode(&none).unwrap().model == Protobuf::decode(&bytes).unwrap().model
            );
        }
        assert!(with_integer(&[0x80; 11], ("MatMul", "level"), 4).is_none());
    }
}

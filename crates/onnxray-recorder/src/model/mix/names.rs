//! Tensors under other names, wherever a model names them.

use crate::model::bytes::field_numbers::{
    ATTRIBUTE_GRAPH, ATTRIBUTE_GRAPHS, GRAPH_INITIALIZER, GRAPH_INPUT, GRAPH_NODE, GRAPH_OUTPUT,
    GRAPH_QUANTIZATION, GRAPH_SPARSE_INITIALIZER, GRAPH_VALUE, MODEL_GRAPH, NODE_ATTRIBUTE,
    NODE_INPUT, NODE_OUTPUT, SPARSE_VALUES, TENSOR_NAME, VALUE_NAME,
};
use crate::model::bytes::wire::{Field, Fields, rewritten};
use crate::model::parts::{bodies, defined, message_of};
use std::collections::{HashMap, HashSet};

/// A model whose graph has these names in place of others, in its bodies as well. `None` if it is
/// not a model. What is said of the quantization of tensors goes: nodes say it, too.
pub(crate) fn renamed(model: &[u8], names: &HashMap<String, String>) -> Option<Vec<u8>> {
    let new = |name: &[u8]| Some(named(name, names));
    let value = |value: &[u8]| rewritten(value, VALUE_NAME, new);
    let tensor = |tensor: &[u8]| rewritten(tensor, TENSOR_NAME, new);
    rewritten(model, MODEL_GRAPH, |graph| {
        let graph = rewritten(graph, GRAPH_NODE, |node| {
            let node = rewritten(node, NODE_INPUT, new)?;
            let node = rewritten(&node, NODE_OUTPUT, new)?;
            rewritten(&node, NODE_ATTRIBUTE, |own| attribute(own, names))
        })?;
        let graph = rewritten(&graph, GRAPH_INITIALIZER, tensor)?;
        let graph = rewritten(&graph, GRAPH_SPARSE_INITIALIZER, |sparse| {
            rewritten(sparse, SPARSE_VALUES, tensor)
        })?;
        let graph = rewritten(&graph, GRAPH_INPUT, value)?;
        let graph = rewritten(&graph, GRAPH_OUTPUT, value)?;
        let graph = rewritten(&graph, GRAPH_VALUE, value)?;
        let mut own = Vec::with_capacity(graph.len());
        for field in Fields(&graph) {
            let field = field?;
            if field.number != GRAPH_QUANTIZATION {
                own.extend_from_slice(field.whole);
            }
        }
        Some(own)
    })
}

/// All names of tensors that a model defines, in its bodies as well.
pub(crate) fn names(model: &[u8]) -> Option<HashSet<String>> {
    names_of(message_of(model, MODEL_GRAPH)?)
}

fn names_of(graph: &[u8]) -> Option<HashSet<String>> {
    let mut names = defined(graph)?;
    let part =
        |message, number| Fields(message).flatten().filter(move |f: &Field| f.number == number);
    for node in part(graph, GRAPH_NODE).filter_map(|field| field.value) {
        for attribute in part(node, NODE_ATTRIBUTE).filter_map(|field| field.value) {
            for body in bodies(attribute)? {
                names.extend(names_of(body)?);
            }
        }
    }
    Some(names)
}

fn named(name: &[u8], names: &HashMap<String, String>) -> Vec<u8> {
    match str::from_utf8(name).ok().and_then(|own| names.get(own)) {
        Some(other) => other.clone().into_bytes(),
        None => name.to_vec(),
    }
}

/// An attribute whose bodies read what the graph around them has under other names.
pub(super) fn attribute(bytes: &[u8], reads: &HashMap<String, String>) -> Option<Vec<u8>> {
    let bytes = rewritten(bytes, ATTRIBUTE_GRAPH, |graph| renamed_body(graph, reads))?;
    rewritten(&bytes, ATTRIBUTE_GRAPHS, |graph| renamed_body(graph, reads))
}

fn renamed_body(body: &[u8], reads: &HashMap<String, String>) -> Option<Vec<u8>> {
    let own = defined(body)?;
    let reads: HashMap<String, String> = reads
        .iter()
        // A name that the body defines itself hides the one around it.
        .filter(|(name, other)| !own.contains(*name) && name != other)
        .map(|(name, other)| (name.clone(), other.clone()))
        .collect();
    if reads.is_empty() {
        return Some(body.to_vec());
    }
    let renamed = |name: &[u8]| named(name, &reads);
    let body = rewritten(body, GRAPH_NODE, |node| {
        let node = rewritten(node, NODE_INPUT, |name| Some(renamed(name)))?;
        rewritten(&node, NODE_ATTRIBUTE, |own| attribute(own, &reads))
    })?;
    // A body may hand on what it captures.
    rewritten(&body, GRAPH_OUTPUT, |value| rewritten(value, VALUE_NAME, |name| Some(renamed(name))))
}

//! The part of a model before a cut, as a model of its own.

use super::places::Cut;
use crate::model::bytes::field_numbers::{
    GRAPH_INITIALIZER, GRAPH_INPUT, GRAPH_NODE, GRAPH_OUTPUT, GRAPH_SPARSE_INITIALIZER,
    GRAPH_VALUE, MODEL_FUNCTION, MODEL_GRAPH, MODEL_IR_VERSION, MODEL_OPERATOR_SET,
    OPERATOR_SET_DOMAIN, OPERATOR_SET_VERSION, VALUE_NAME,
};
use crate::model::bytes::wire::{put, put_integer};
use crate::model::file::OnnxFile;
use crate::model::parts::{Parts, Source};
use std::collections::{BTreeSet, HashSet};

/// A model in parts, of which prefixes are made.
pub(crate) struct Prefixes(Parts);

impl Prefixes {
    /// `None` if the file cannot be read as parts.
    pub(crate) fn of(file: &OnnxFile) -> Option<Prefixes> {
        Some(Prefixes(Parts::read(file.bytes().ok()?.into_owned())?))
    }

    /// Bytes of the file.
    pub(crate) fn bytes(&self) -> u64 {
        self.0.bytes.len() as u64
    }

    /// A model that has the tensors across the cut as outputs, and the inputs of the whole one: both
    /// run on the same tensors. `None` if the file has no such tensors: they may be inside a
    /// function.
    pub(crate) fn before(&self, cut: &Cut) -> Option<Vec<u8>> {
        let Prefixes(parts) = self;
        let (nodes, constants) = self.needed(&cut.tensors)?;
        let mut graph = Vec::new();
        let mut computed: HashSet<&str> = HashSet::new();
        for &number in &nodes {
            let node = &parts.nodes[number];
            computed.extend(node.outputs.iter().map(String::as_str));
            put(&mut graph, GRAPH_NODE, &node.bytes);
        }
        graph.extend_from_slice(&parts.graph_rest);
        for &place in &constants {
            let constant = &parts.constants[place];
            let number = match constant.is_sparse {
                true => GRAPH_SPARSE_INITIALIZER,
                false => GRAPH_INITIALIZER,
            };
            put(&mut graph, number, parts.stored(constant));
        }
        let kept: HashSet<&str> =
            constants.iter().map(|&place| parts.constants[place].name.as_str()).collect();
        for (name, stated) in &parts.stated_inputs {
            if parts.inputs.contains(name) || kept.contains(name.as_str()) {
                put(&mut graph, GRAPH_INPUT, stated);
            }
        }
        for tensor in &cut.tensors {
            put(&mut graph, GRAPH_OUTPUT, &self.stated(tensor));
        }
        for (name, stated) in &parts.values {
            if computed.contains(name.as_str()) && !cut.tensors.contains(name) {
                put(&mut graph, GRAPH_VALUE, stated);
            }
        }
        Some(self.model(&graph))
    }

    /// Nodes and constants that these tensors are computed from, in the order of the file.
    fn needed(&self, tensors: &[String]) -> Option<(BTreeSet<usize>, BTreeSet<usize>)> {
        let Prefixes(parts) = self;
        let (nodes, behind) = parts.behind(tensors.iter().map(String::as_str));
        let mut constants = BTreeSet::new();
        for name in behind {
            if let Source::Constant(place) = parts.source(name)? {
                constants.insert(place);
            }
        }
        Some((nodes.into_iter().collect(), constants))
    }

    /// What the file says of a tensor: engines infer the type of one that it says nothing of.
    fn stated(&self, tensor: &str) -> Vec<u8> {
        let Prefixes(parts) = self;
        let of_output = parts.outputs.iter().find(|(name, _)| name == tensor);
        let stated = of_output.map(|(_, stated)| stated).or_else(|| parts.values.get(tensor));
        stated.cloned().unwrap_or_else(|| {
            let mut named = Vec::new();
            put(&mut named, VALUE_NAME, tensor.as_bytes());
            named
        })
    }

    fn model(&self, graph: &[u8]) -> Vec<u8> {
        let Prefixes(parts) = self;
        let mut model = Vec::new();
        put_integer(&mut model, MODEL_IR_VERSION, parts.ir_version);
        model.extend_from_slice(&parts.model_rest);
        for (domain, version) in &parts.operator_sets {
            let mut set = Vec::new();
            put(&mut set, OPERATOR_SET_DOMAIN, domain.as_bytes());
            put_integer(&mut set, OPERATOR_SET_VERSION, *version);
            put(&mut model, MODEL_OPERATOR_SET, &set);
        }
        put(&mut model, MODEL_GRAPH, graph);
        for function in parts.functions.values() {
            put(&mut model, MODEL_FUNCTION, function);
        }
        model
    }
}

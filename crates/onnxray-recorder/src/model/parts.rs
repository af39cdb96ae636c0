//! A model file in parts, as bytes: nodes, constants, and what the file says of tensors.

use crate::model::bytes::field_numbers::{
    ATTRIBUTE_GRAPH, ATTRIBUTE_GRAPHS, FUNCTION_DOMAIN, FUNCTION_NAME, FUNCTION_OVERLOAD,
    GRAPH_INITIALIZER, GRAPH_INPUT, GRAPH_NODE, GRAPH_OUTPUT, GRAPH_QUANTIZATION,
    GRAPH_SPARSE_INITIALIZER, GRAPH_VALUE, MODEL_FUNCTION, MODEL_GRAPH, MODEL_IR_VERSION,
    MODEL_OPERATOR_SET, NODE_ATTRIBUTE, NODE_DOCUMENTATION, NODE_DOMAIN, NODE_INPUT, NODE_METADATA,
    NODE_NAME, NODE_OPERATOR_TYPE, NODE_OUTPUT, OPERATOR_SET_DOMAIN, OPERATOR_SET_VERSION,
    SPARSE_VALUES, TENSOR_NAME, VALUE_NAME,
};
use crate::model::bytes::wire::{Field, Fields};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

pub(in crate::model) struct Parts {
    pub(in crate::model) bytes: Vec<u8>,
    pub(in crate::model) ir_version: u64,
    /// Version of each domain of operators, the empty one for ONNX's own.
    pub(in crate::model) operator_sets: BTreeMap<String, u64>,
    /// Functions by domain, name and overload.
    pub(in crate::model) functions: BTreeMap<[String; 3], Vec<u8>>,
    /// In the order of the file, Constant nodes as well.
    pub(in crate::model) nodes: Vec<Node>,
    /// In the order of the file.
    pub(in crate::model) constants: Vec<Stored>,
    /// Inputs without a constant of the same name.
    pub(in crate::model) inputs: Vec<String>,
    /// All inputs with their statements.
    pub(in crate::model) stated_inputs: Vec<(String, Vec<u8>)>,
    pub(in crate::model) outputs: Vec<(String, Vec<u8>)>,
    /// Statements about other tensors, by name.
    pub(in crate::model) values: BTreeMap<String, Vec<u8>>,
    /// Other fields of the model and of its graph, whole.
    pub(in crate::model) model_rest: Vec<u8>,
    pub(in crate::model) graph_rest: Vec<u8>,
    /// Node that computes a tensor, by the tensor's name; `places` has the constants.
    producers: HashMap<String, usize>,
    places: HashMap<String, usize>,
}

pub(in crate::model) struct Node {
    /// As the file has it; nodes without one are called after their first output.
    pub(in crate::model) name: String,
    pub(in crate::model) operator_type: String,
    pub(in crate::model) domain: String,
    /// Empty names stand for inputs left out.
    pub(in crate::model) inputs: Vec<String>,
    pub(in crate::model) outputs: Vec<String>,
    /// Tensors that its bodies read from the graphs around them, each once.
    pub(in crate::model) captured: Vec<String>,
    pub(in crate::model) bytes: Vec<u8>,
}

/// A constant that no node holds.
pub(in crate::model) struct Stored {
    pub(in crate::model) name: String,
    pub(in crate::model) is_sparse: bool,
    /// Range of its message in `Parts::bytes`.
    pub(in crate::model) place: Range<usize>,
}

/// Source of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::model) enum Source {
    Node(usize),
    Constant(usize),
    Input,
}

impl Node {
    pub(in crate::model) fn is_constant(&self) -> bool {
        self.operator_type == "Constant" && self.domain.is_empty()
    }

    /// Tensors that it reads, itself or in its bodies.
    pub(in crate::model) fn reads(&self) -> impl Iterator<Item = &str> {
        let all = self.inputs.iter().chain(&self.captured).map(String::as_str);
        all.filter(|name| !name.is_empty())
    }

    /// Name in reports: its own, its first output's, or else its type.
    pub(in crate::model) fn shown_name(&self) -> &str {
        let output = self.outputs.iter().find(|name| !name.is_empty());
        match self.name.is_empty() {
            true => output.map_or(self.operator_type.as_str(), String::as_str),
            false => &self.name,
        }
    }

    fn read(bytes: &[u8]) -> Option<Node> {
        let mut node = Node {
            name: String::new(),
            operator_type: String::new(),
            domain: String::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            captured: Vec::new(),
            bytes: bytes.to_vec(),
        };
        let mut seen = HashSet::new();
        for field in Fields(bytes) {
            let Field { number, value, .. } = field?;
            let Some(value) = value else { continue };
            match number {
                NODE_INPUT => node.inputs.push(text(value)?),
                NODE_OUTPUT => node.outputs.push(text(value)?),
                NODE_NAME => node.name = text(value)?,
                NODE_OPERATOR_TYPE => node.operator_type = text(value)?,
                NODE_DOMAIN => node.domain = domain(text(value)?),
                NODE_ATTRIBUTE => {
                    for body in bodies(value)? {
                        let names = captured(body)?.into_iter();
                        node.captured.extend(names.filter(|name| seen.insert(name.clone())));
                    }
                }
                _ => {}
            }
        }
        Some(node)
    }
}

/// Fields of a node that decide what it computes are all but these.
pub(in crate::model) fn is_remark(number: u64) -> bool {
    matches!(number, NODE_NAME | NODE_DOCUMENTATION | NODE_METADATA)
}

/// ONNX's own domain has two names.
fn domain(name: String) -> String {
    if name == "ai.onnx" { String::new() } else { name }
}

impl Parts {
    /// Reads a model file; `None` if it is malformed.
    pub(in crate::model) fn read(bytes: Vec<u8>) -> Option<Parts> {
        let mut parts = Parts {
            bytes: Vec::new(),
            ir_version: 0,
            operator_sets: BTreeMap::new(),
            functions: BTreeMap::new(),
            nodes: Vec::new(),
            constants: Vec::new(),
            inputs: Vec::new(),
            stated_inputs: Vec::new(),
            outputs: Vec::new(),
            values: BTreeMap::new(),
            model_rest: Vec::new(),
            graph_rest: Vec::new(),
            producers: HashMap::new(),
            places: HashMap::new(),
        };
        for field in Fields(&bytes) {
            let field = field?;
            match (field.number, field.value) {
                (MODEL_IR_VERSION, _) => parts.ir_version = field.integer?,
                (MODEL_GRAPH, Some(graph)) => parts.read_graph(&bytes, graph)?,
                (MODEL_OPERATOR_SET, Some(set)) => {
                    let name = domain(text_of(set, OPERATOR_SET_DOMAIN)?);
                    let version = Fields(set).flatten();
                    let mut version = version.filter(|own| own.number == OPERATOR_SET_VERSION);
                    let version = version.next().and_then(|own| own.integer).unwrap_or(0);
                    parts.operator_sets.insert(name, version);
                }
                (MODEL_FUNCTION, Some(function)) => {
                    let numbers = [FUNCTION_DOMAIN, FUNCTION_NAME, FUNCTION_OVERLOAD];
                    let [domain, name, overload] = numbers.map(|number| text_of(function, number));
                    parts.functions.insert([domain?, name?, overload?], function.to_vec());
                }
                _ => parts.model_rest.extend_from_slice(field.whole),
            }
        }
        let stored: HashSet<&str> = parts.constants.iter().map(|own| own.name.as_str()).collect();
        let inputs = parts.stated_inputs.iter().map(|(name, _)| name);
        parts.inputs = inputs.filter(|name| !stored.contains(name.as_str())).cloned().collect();
        for (number, node) in parts.nodes.iter().enumerate() {
            let outputs = node.outputs.iter().filter(|name| !name.is_empty());
            parts.producers.extend(outputs.map(|output| (output.clone(), number)));
        }
        let places = parts.constants.iter().enumerate();
        parts.places = places.map(|(place, own)| (own.name.clone(), place)).collect();
        // Last: the graph was read from slices of it.
        parts.bytes = bytes;
        Some(parts)
    }

    fn read_graph(&mut self, bytes: &[u8], graph: &[u8]) -> Option<()> {
        let place = |part: &[u8]| {
            // The slice lies in `bytes`: its place is kept instead of a copy, since weights may be
            // gigabytes.
            let start = part.as_ptr() as usize - bytes.as_ptr() as usize;
            start..start + part.len()
        };
        for field in Fields(graph) {
            let field = field?;
            let named = |value: &[u8]| Some((text_of(value, VALUE_NAME)?, value.to_vec()));
            match (field.number, field.value) {
                (GRAPH_NODE, Some(node)) => self.nodes.push(Node::read(node)?),
                (GRAPH_INITIALIZER, Some(tensor)) => self.constants.push(Stored {
                    name: text_of(tensor, TENSOR_NAME)?,
                    is_sparse: false,
                    place: place(tensor),
                }),
                (GRAPH_SPARSE_INITIALIZER, Some(sparse)) => {
                    let values = message_of(sparse, SPARSE_VALUES)?;
                    self.constants.push(Stored {
                        name: text_of(values, TENSOR_NAME)?,
                        is_sparse: true,
                        place: place(sparse),
                    });
                }
                (GRAPH_INPUT, Some(value)) => self.stated_inputs.push(named(value)?),
                (GRAPH_OUTPUT, Some(value)) => self.outputs.push(named(value)?),
                (GRAPH_VALUE, Some(value)) => self.values.extend([named(value)?]),
                // It says of tensors what quantizing nodes say as well.
                (GRAPH_QUANTIZATION, _) => {}
                _ => self.graph_rest.extend_from_slice(field.whole),
            }
        }
        Some(())
    }

    /// Source of a tensor; `None` if nothing computes it.
    pub(in crate::model) fn source(&self, name: &str) -> Option<Source> {
        if let Some(&node) = self.producers.get(name) {
            return Some(Source::Node(node));
        }
        if let Some(&place) = self.places.get(name) {
            return Some(Source::Constant(place));
        }
        self.inputs.iter().any(|input| input == name).then_some(Source::Input)
    }

    pub(in crate::model) fn stored(&self, constant: &Stored) -> &[u8] {
        &self.bytes[constant.place.clone()]
    }

    /// All that the outputs are computed from: nodes by number, and names of tensors.
    pub(in crate::model) fn live(&self) -> (HashSet<usize>, HashSet<&str>) {
        self.behind(self.outputs.iter().map(|(name, _)| name.as_str()))
    }

    /// The same of these tensors.
    pub(in crate::model) fn behind<'a>(
        &'a self,
        tensors: impl Iterator<Item = &'a str>,
    ) -> (HashSet<usize>, HashSet<&'a str>) {
        self.between(&HashSet::new(), tensors)
    }

    /// The same, where some tensors are given, and what these are computed from is not needed.
    pub(in crate::model) fn between<'a>(
        &'a self,
        given: &HashSet<&str>,
        tensors: impl Iterator<Item = &'a str>,
    ) -> (HashSet<usize>, HashSet<&'a str>) {
        let mut open: Vec<&str> = tensors.collect();
        let (mut nodes, mut tensors) = (HashSet::new(), HashSet::new());
        while let Some(name) = open.pop() {
            if !tensors.insert(name) || given.contains(name) {
                continue;
            }
            if let Some(Source::Node(number)) = self.source(name)
                && nodes.insert(number)
            {
                open.extend(self.nodes[number].reads());
            }
        }
        (nodes, tensors)
    }
}

pub(in crate::model) fn text(bytes: &[u8]) -> Option<String> {
    String::from_utf8(bytes.to_vec()).ok()
}

/// The last text of a message with that number, which is what holds; empty without one.
fn text_of(message: &[u8], number: u64) -> Option<String> {
    text(message_of(message, number)?)
}

/// The last message of a message with that number; empty without one.
pub(in crate::model) fn message_of(message: &[u8], number: u64) -> Option<&[u8]> {
    let mut found: &[u8] = &[];
    for field in Fields(message) {
        let field = field?;
        if let Some(value) = field.value.filter(|_| field.number == number) {
            found = value;
        }
    }
    Some(found)
}

/// Bodies of an attribute; `None` if it is malformed.
pub(in crate::model) fn bodies(attribute: &[u8]) -> Option<Vec<&[u8]>> {
    let mut bodies = Vec::new();
    for field in Fields(attribute) {
        let field = field?;
        if matches!(field.number, ATTRIBUTE_GRAPH | ATTRIBUTE_GRAPHS) {
            bodies.extend(field.value);
        }
    }
    Some(bodies)
}

/// Tensors that a body defines itself.
pub(in crate::model) fn defined(body: &[u8]) -> Option<HashSet<String>> {
    let mut names = HashSet::new();
    for field in Fields(body) {
        let field = field?;
        let Some(value) = field.value else { continue };
        match field.number {
            GRAPH_NODE => names.extend(Node::read(value)?.outputs),
            GRAPH_INITIALIZER => names.extend([text_of(value, TENSOR_NAME)?]),
            GRAPH_INPUT => names.extend([text_of(value, VALUE_NAME)?]),
            GRAPH_SPARSE_INITIALIZER => {
                names.extend([text_of(message_of(value, SPARSE_VALUES)?, TENSOR_NAME)?]);
            }
            _ => {}
        }
    }
    Some(names)
}

/// Tensors that a body reads from the graphs around it.
fn captured(body: &[u8]) -> Option<Vec<String>> {
    let own = defined(body)?;
    let mut names = Vec::new();
    for field in Fields(body) {
        let field = field?;
        match (field.number, field.value) {
            (GRAPH_NODE, Some(value)) => {
                let Node { inputs, captured, .. } = Node::read(value)?;
                names.extend(inputs.into_iter().chain(captured));
            }
            (GRAPH_OUTPUT, Some(value)) => names.push(text_of(value, VALUE_NAME)?),
            _ => {}
        }
    }
    names.retain(|name| !name.is_empty() && !own.contains(name));
    Some(names)
}

//! The ONNX file as protobuf: what is decoded from it.
//!
//! The crate tract-onnx brings ONNX's protobuf types, generated from ONNX's own
//! schema. This file, `few_numbers`, `functions`, `initializers` and `stored_tensors` are the only
//! ones of `model` that name them, or anything else of that crate.

use super::bytes::sequences::sequences;
use super::constants::element_types::data_type;
use super::constants::few_numbers::{few_numbers, listed};
use super::constants::initializers::Initializers;
use super::constants::stored_tensors::{External, complete_lengths, each, each_of_graph};
use super::functions::{unfold, with_overloads};
use super::graph::{
    Attribute, Constant, Constants, Graph, GraphInput, InputDimension, InputKind, Node,
};
use onnxray_import::Call;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;
use tract_onnx::pb;
use tract_onnx::pb::attribute_proto::AttributeType;
use tract_onnx::pb::tensor_shape_proto::dimension::Value as DimensionValue;
use tract_onnx::prelude::Framework;

/// A decoded file, with a unique name for every node and functions unfolded where they are called.
pub(crate) struct Protobuf {
    pub(crate) model: pb::ModelProto,
    /// Nodes have other names than in the file.
    pub(crate) is_renamed: bool,
    /// Names of the file's nodes, in the order of [`Protobuf::node_names`].
    names: Vec<String>,
    /// Tensors whose elements lie in other files.
    external: Vec<External>,
    made: Made,
}

/// Facts beyond tract's types, kept from decoding.
#[derive(Default)]
struct Made {
    /// The functions that were called, by the node that did.
    calls: HashMap<String, String>,
    /// Names that nodes of the graph were given, since the file has none.
    given: HashSet<String>,
    /// Element types of inputs that are sequences.
    sequences: HashMap<String, i32>,
}

impl Protobuf {
    /// Decodes a file's bytes.
    ///
    /// # Errors
    ///
    /// Why they are not an ONNX model.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Protobuf, String> {
        let bytes = with_overloads(bytes).ok_or("one of its functions is cut")?;
        let decoded = tract_onnx::onnx().proto_model_for_read(&mut &*bytes);
        let mut model = decoded.map_err(|error| error.to_string())?;
        let graph = model.graph.as_mut().ok_or("it holds no graph")?;
        let Names { mut is_changed, given, .. } = name_all_nodes(&mut graph.node);
        let (mut names, mut external) = (Vec::new(), Vec::new());
        node_names(&graph.node, &mut names);
        for function in &mut model.functions {
            // The runtime puts another prefix before the names of each call.
            is_changed |= name_all_nodes(&mut function.node).is_changed;
            node_names(&function.node, &mut names);
            // Nothing else sees what a function holds that nobody calls.
            each(&function.node, &mut |tensor| external.extend(External::of(tensor)));
        }
        // Names first: a call's nodes are named after it, and the file's names are needed as they
        // are.
        let calls = unfold(&mut model, &bytes)?;
        if let Some(graph) = &mut model.graph {
            if !calls.is_empty() {
                name_all_nodes(&mut graph.node);
            }
            // Before external data are listed, so that both say the same length.
            complete_lengths(graph);
            each_of_graph(graph, &mut |tensor| external.extend(External::of(tensor)));
        }
        let made = Made { calls, given, sequences: sequences(&bytes) };
        Ok(Protobuf { model, is_renamed: is_changed, names, external, made })
    }

    /// Names of all nodes of the file: nodes of bodies after the one that holds them, nodes of
    /// functions after all others.
    pub(crate) fn node_names(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }

    /// Version of ONNX's own operators; `None` if the file does not say so.
    pub(crate) fn operator_set(&self) -> Option<i64> {
        let sets = &self.model.opset_import;
        let own = sets.iter().find(|set| matches!(set.domain.as_str(), "" | "ai.onnx"));
        own.map(|set| set.version)
    }

    /// The model's graph in types of our own.
    pub(crate) fn graph(&self) -> Graph {
        let graph = |proto| graph(proto, None, &self.made);
        self.model.graph.as_ref().map_or_else(Graph::default, graph)
    }

    /// References of all tensors whose elements are in other files.
    pub(crate) fn external_data(&self) -> &[External] {
        &self.external
    }

    /// The tensors of the file whose elements never change, for reading them. External
    /// data lies in `folder`.
    pub(crate) fn initializers<'a>(&'a self, folder: Option<&'a str>) -> Initializers<'a> {
        Initializers::of(self.model.graph.as_ref(), folder)
    }
}

fn node_names(nodes: &[pb::NodeProto], names: &mut Vec<String>) {
    for node in nodes {
        names.push(node.name.clone());
        let bodies = node.attribute.iter().filter_map(|attribute| attribute.g.as_ref());
        bodies.for_each(|body| node_names(&body.node, names));
    }
}

/// Gives every node a name of its own: ONNX lets names be absent or repeated,
/// engines may not. An unnamed node is named after its first output.
fn name_all_nodes(nodes: &mut [pb::NodeProto]) -> Names {
    let mut names = Names::default();
    names.give(nodes);
    names
}

/// Names given so far.
#[derive(Default)]
struct Names {
    taken: HashSet<String>,
    /// Number of nodes that asked for a name, so that no suffix is tried twice.
    copies: HashMap<String, u32>,
    /// A name differs from the file's.
    is_changed: bool,
    /// Names of nodes that had none.
    given: HashSet<String>,
}

impl Names {
    fn give(&mut self, nodes: &mut [pb::NodeProto]) {
        for node in nodes {
            let is_unnamed = node.name.is_empty();
            if is_unnamed {
                let output = node.output.iter().find(|name| !name.is_empty());
                node.name = output.unwrap_or(&node.op_type).clone();
                self.is_changed = true;
            }
            self.make_unique(&mut node.name);
            if is_unnamed {
                self.given.insert(node.name.clone());
            }
            for attribute in &mut node.attribute {
                if let Some(body) = &mut attribute.g {
                    self.give(&mut body.node);
                }
            }
        }
    }

    fn make_unique(&mut self, name: &mut String) {
        let wanted = name.clone();
        while !self.taken.insert(name.clone()) {
            // Counting on from the last copy: trying all numbers anew is quadratic in nodes of one
            // name (`no_name_is_tried_twice`).
            let copy = self.copies.entry(wanted.clone()).or_insert(1);
            *copy += 1;
            *name = format!("{wanted}~{copy}");
            self.is_changed = true;
        }
    }
}

/// `outer` are the constants of the graphs around it.
fn graph(proto: &pb::GraphProto, outer: Option<&Rc<Constants>>, made: &Made) -> Graph {
    let mut constants: HashMap<String, Constant> = proto
        .initializer
        .iter()
        .map(|tensor| (tensor.name.clone(), constant(tensor, true)))
        .collect();
    constants.extend(proto.sparse_initializer.iter().filter_map(|tensor| {
        let name = tensor.values.as_ref()?.name.clone();
        Some((name, sparse_constant(tensor, true)))
    }));
    for node in proto.node.iter().filter(|node| node.op_type == "Constant") {
        let held = node.attribute.iter().find_map(constant_attribute);
        let constant = held.unwrap_or_else(Constant::unknown);
        for output in &node.output {
            constants.insert(output.clone(), constant.clone());
        }
    }
    let constants = Rc::new(Constants { own: constants, outer: outer.cloned() });
    let nodes = proto.node.iter().filter(|node| node.op_type != "Constant");
    // Old files list initializers as inputs, which are defaults that nobody has to give.
    let inputs = proto.input.iter().filter(|input| !constants.own.contains_key(&input.name));
    Graph {
        calls: calls_in(&proto.node, &made.calls),
        nodes: nodes.map(|proto| node(proto, &constants, made)).collect(),
        inputs: inputs.map(|proto| input(proto, &made.sequences)).collect(),
        outputs: proto.output.iter().map(|output| output.name.clone()).collect(),
        output_dimensions: proto.output.iter().map(dimensions).collect(),
        constants,
        ..Graph::default()
    }
    .linked()
}

/// The calls that have nodes in a graph, in the order of their first one.
fn calls_in(nodes: &[pb::NodeProto], calls: &HashMap<String, String>) -> Vec<Call> {
    if calls.is_empty() {
        return Vec::new();
    }
    let mut seen = HashSet::new();
    let names = nodes.iter().map(|node| node.name.as_str());
    let paths = names.flat_map(|name| name.match_indices('/').map(|(at, _)| &name[..at]));
    let known =
        paths.filter(|path| seen.insert(*path)).filter_map(|path| calls.get_key_value(path));
    known.map(|(path, function)| Call { path: path.clone(), function: function.clone() }).collect()
}

fn node(proto: &pb::NodeProto, visible: &Rc<Constants>, made: &Made) -> Node {
    let body = |attribute: &pb::AttributeProto| {
        let body = graph(attribute.g.as_ref()?, Some(visible), made);
        Some((attribute.name.clone(), Rc::new(body)))
    };
    let attributes: BTreeMap<String, Attribute> =
        proto.attribute.iter().map(|proto| (proto.name.clone(), attribute(proto))).collect();
    Node {
        name: proto.name.clone(),
        is_named: !made.given.contains(&proto.name),
        operator_type: proto.op_type.clone(),
        inputs: proto.input.clone(),
        outputs: proto.output.clone(),
        attributes,
        bodies: proto.attribute.iter().filter_map(body).collect(),
    }
}

fn attribute(proto: &pb::AttributeProto) -> Attribute {
    let text = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).into_owned();
    match AttributeType::try_from(proto.r#type) {
        Ok(AttributeType::Float) => Attribute::Float(proto.f),
        Ok(AttributeType::Int) => Attribute::Int(proto.i),
        Ok(AttributeType::String) => Attribute::Text(text(&proto.s)),
        Ok(AttributeType::Floats) => Attribute::Floats(proto.floats.clone()),
        Ok(AttributeType::Ints) => Attribute::Ints(proto.ints.clone()),
        Ok(AttributeType::Strings) => Attribute::Texts(proto.strings.iter().map(text).collect()),
        Ok(AttributeType::Tensor) => Attribute::Other("tensor"),
        Ok(AttributeType::Graph) => Attribute::Other("graph"),
        _ => Attribute::Other("other"),
    }
}

fn constant(tensor: &pb::TensorProto, initializer: bool) -> Constant {
    let (shape, data_type) = (shape(&tensor.dims), data_type(tensor.data_type));
    let numbers = few_numbers(tensor);
    Constant { shape, data_type, initializer, numbers, is_sparse: false }
}

/// Has the shape of the dense tensor that it stands for.
fn sparse_constant(tensor: &pb::SparseTensorProto, initializer: bool) -> Constant {
    let data_type = data_type(tensor.values.as_ref().map_or(0, |values| values.data_type));
    let shape = shape(&tensor.dims);
    Constant { shape, data_type, initializer, numbers: None, is_sparse: true }
}

fn shape(dims: &[i64]) -> Vec<u64> {
    dims.iter().map(|&dimension| dimension.max(0) as u64).collect()
}

fn constant_attribute(attribute: &pb::AttributeProto) -> Option<Constant> {
    if let Some(tensor) = &attribute.t {
        return Some(constant(tensor, false));
    }
    if let Some(tensor) = &attribute.sparse_tensor {
        return Some(sparse_constant(tensor, false));
    }
    listed(attribute)
}

fn tensor_of(proto: &pb::ValueInfoProto) -> Option<&pb::type_proto::Tensor> {
    let value = proto.r#type.as_ref()?.value.as_ref()?;
    let pb::type_proto::Value::TensorType(tensor) = value;
    Some(tensor)
}

/// `None` if the file does not say how many there are.
fn dimensions(proto: &pb::ValueInfoProto) -> Option<Vec<InputDimension>> {
    let size = |dimension: &Option<DimensionValue>| match dimension {
        // A negative size, such as -1, is one that the file leaves open.
        Some(DimensionValue::DimValue(size)) if *size >= 0 => InputDimension::Fixed(*size as u64),
        Some(DimensionValue::DimParam(name)) if is_name(name) => {
            InputDimension::Named(name.clone())
        }
        _ => InputDimension::Unnamed,
    };
    let shape = tensor_of(proto)?.shape.as_ref()?;
    Some(shape.dim.iter().map(|d| size(&d.value)).collect())
}

/// `sequences` are the element types of those that are sequences.
fn input(proto: &pb::ValueInfoProto, sequences: &HashMap<String, i32>) -> GraphInput {
    // Types that are not tensors are not decoded at all.
    let (kind, element_type) = match (tensor_of(proto), sequences.get(&proto.name)) {
        (Some(tensor), _) => (InputKind::Tensor, tensor.elem_type),
        (None, Some(&element_type)) => (InputKind::Sequence, element_type),
        (None, None) if proto.r#type.is_none() => (InputKind::Tensor, 0),
        (None, None) => (InputKind::Other, 0),
    };
    GraphInput {
        name: proto.name.clone(),
        kind,
        dimensions: dimensions(proto),
        element_type,
        data_type: data_type(element_type),
        roles: Vec::new(),
    }
}

/// A name, and not a placeholder of exporters, which would make two dimensions of one input the
/// same.
fn is_name(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let is_placeholder =
        matches!(lower.as_str(), "none" | "null" | "unknown" | "unk" | "dynamic" | "-1");
    text.contains(char::is_alphanumeric) && !is_placeholder
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_tried_twice() {
        let mut names = Names::default();
        for number in 1..=1000 {
            let mut name = "same".to_string();
            names.make_unique(&mut name);
            let expected = if number == 1 { "same".to_string() } else { format!("same~{number}") };
            assert_eq!(name, expected);
        }
        assert_eq!(names.copies["same"], 1000, "one try each");
        let mut name = "same~7".to_string();
        names.make_unique(&mut name);
        assert_eq!(name, "same~7~2");
    }

    #[test]
    fn bodies_share_the_constants_around_them() {
        let constant =
            |name: &str| pb::TensorProto { name: name.to_string(), ..Default::default() };
        let body = pb::GraphProto { initializer: vec![constant("inner")], ..Default::default() };
        let attribute = pb::AttributeProto {
            name: "then_branch".to_string(),
            g: Some(body),
            ..Default::default()
        };
        let branch = pb::NodeProto { attribute: vec![attribute; 2], ..Default::default() };
        let outer = pb::GraphProto {
            initializer: vec![constant("outer")],
            node: vec![branch; 3],
            ..Default::default()
        };
        let graph = graph(&outer, None, &Made::default());
        for (_, body) in graph.nodes.iter().flat_map(|node| &node.bodies) {
            assert!(Rc::ptr_eq(body.constants.outer.as_ref().unwrap(), &graph.constants));
            assert!(body.constant("inner").is_some() && body.constant("outer").is_some());
        }
        assert!(graph.constant("inner").is_none());
    }
}

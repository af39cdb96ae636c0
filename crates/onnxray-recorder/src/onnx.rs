//! The ONNX file as its author wrote it: nodes, constants, inputs.
//!
//! The engine renames, folds and fuses; this module keeps the original, so that
//! what ran can be named after it.

use crate::error::RecordError;
use onnxray_format::{DataType, elements};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::rc::Rc;
use tract_onnx::pb;
use tract_onnx::pb::attribute_proto::AttributeType;
use tract_onnx::pb::tensor_shape_proto::dimension::Value as DimensionValue;
use tract_onnx::prelude::Framework;

/// A model file, decoded but not yet understood by an engine.
pub struct OnnxModel {
    pub proto: pb::ModelProto,
    pub graph: Rc<Graph>,
}

/// A graph: the model's, or the body of a Scan, Loop or If.
#[derive(Debug, Default)]
pub struct Graph {
    /// In file order, which ONNX requires to be a topological one.
    pub nodes: Vec<Node>,
    pub inputs: Vec<GraphInput>,
    pub outputs: Vec<String>,
    /// Initializers and outputs of Constant nodes.
    pub constants: HashMap<String, Constant>,
    /// Nodes by name.
    pub names: HashMap<String, usize>,
    /// The node that computes a tensor.
    pub producers: HashMap<String, usize>,
    /// The nodes that read a tensor, themselves or in their bodies.
    pub consumers: HashMap<String, Vec<usize>>,
    /// Whether a node's result is the same for every input of the graph, given
    /// their shapes: engines compute it once, when they load the model.
    pub folded: Vec<bool>,
    /// Constants of the graphs around a body, which it may read.
    pub outer_constants: HashMap<String, Constant>,
}

#[derive(Debug)]
pub struct Node {
    /// Unique in the model; an unnamed node goes by its first output.
    pub name: String,
    pub operator_type: String,
    /// Empty names stand for inputs left out.
    pub inputs: Vec<String>,
    pub outputs: Vec<String>,
    pub attributes: BTreeMap<String, Attribute>,
    /// Bodies by attribute name.
    pub bodies: Vec<(String, Rc<Graph>)>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Attribute {
    Float(f32),
    Int(i64),
    Text(String),
    Floats(Vec<f32>),
    Ints(Vec<i64>),
    Texts(Vec<String>),
    /// A tensor, a graph or something newer; shown by kind only.
    Other(&'static str),
}

/// A tensor that does not change from run to run.
#[derive(Clone, Debug)]
pub struct Constant {
    pub shape: Vec<u64>,
    pub data_type: DataType,
    /// Whether it is an initializer; otherwise a Constant node holds it.
    pub initializer: bool,
}

#[derive(Debug)]
pub struct GraphInput {
    pub name: String,
    /// `None` if the file does not say how many there are.
    pub dimensions: Option<Vec<InputDimension>>,
    /// The number of its element type in ONNX' `TensorProto.DataType`.
    pub element_type: i32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputDimension {
    Fixed(u64),
    Named(String),
    Unnamed,
}

impl OnnxModel {
    /// Reads and decodes a model file.
    pub fn read(path: &Path) -> Result<OnnxModel, RecordError> {
        let bytes = fs::read(path)
            .map_err(|source| RecordError::ReadModel { path: path.to_path_buf(), source })?;
        let not_onnx = |reason: String| RecordError::NotOnnx {
            path: path.to_path_buf(),
            bytes: bytes.len() as u64,
            reason,
        };
        let mut proto = tract_onnx::onnx()
            .proto_model_for_read(&mut bytes.as_slice())
            .map_err(|error| not_onnx(error.to_string()))?;
        let graph =
            proto.graph.as_mut().ok_or_else(|| not_onnx("it holds no graph".to_string()))?;
        if graph.node.is_empty() {
            return Err(not_onnx("its graph holds no nodes".to_string()));
        }
        name_all_nodes(graph, &mut HashSet::new());
        let graph = Graph::new(graph, &HashMap::new());
        if let Some(output) = graph.outputs.iter().find(|output| !graph.provides(output)) {
            return Err(not_onnx(format!("nothing computes its output `{output}`")));
        }
        Ok(OnnxModel { graph: Rc::new(graph), proto })
    }
}

/// SHA-256 of a file in hexadecimal.
pub fn sha256(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            count => hash.update(&buffer[..count]),
        }
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Gives every node a name of its own: ONNX lets names be absent or repeated,
/// the engine does not. An unnamed node goes by its first output.
fn name_all_nodes(graph: &mut pb::GraphProto, taken: &mut HashSet<String>) {
    for node in &mut graph.node {
        if node.name.is_empty() {
            let output = node.output.iter().find(|name| !name.is_empty());
            node.name = output.unwrap_or(&node.op_type).clone();
        }
        let wanted = node.name.clone();
        let mut copy = 1;
        while !taken.insert(node.name.clone()) {
            copy += 1;
            node.name = format!("{wanted}~{copy}");
        }
        for attribute in &mut node.attribute {
            if let Some(body) = &mut attribute.g {
                name_all_nodes(body, taken);
            }
        }
    }
}

impl Graph {
    fn new(proto: &pb::GraphProto, outer: &HashMap<String, Constant>) -> Graph {
        let mut constants: HashMap<String, Constant> = proto
            .initializer
            .iter()
            .map(|tensor| (tensor.name.clone(), Constant::new(tensor, true)))
            .collect();
        for node in proto.node.iter().filter(|node| node.op_type == "Constant") {
            let tensor = node.attribute.iter().find_map(|attribute| attribute.t.as_ref());
            let constant = tensor.map_or_else(Constant::unknown, |t| Constant::new(t, false));
            for output in &node.output {
                constants.insert(output.clone(), constant.clone());
            }
        }
        let mut visible = outer.clone();
        visible.extend(constants.iter().map(|(name, constant)| (name.clone(), constant.clone())));
        let nodes: Vec<Node> = proto
            .node
            .iter()
            .filter(|node| node.op_type != "Constant")
            .map(|node| Node::new(node, &visible))
            .collect();
        let producers = nodes
            .iter()
            .enumerate()
            .flat_map(|(index, node)| node.outputs.iter().map(move |name| (name.clone(), index)))
            .filter(|(name, _)| !name.is_empty())
            .collect();
        let mut names = HashMap::new();
        let mut consumers: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, node) in nodes.iter().enumerate() {
            names.insert(node.name.clone(), index);
            for input in node.inputs.iter().chain(&node.captured()) {
                consumers.entry(input.clone()).or_default().push(index);
            }
        }
        let inputs = proto
            .input
            .iter()
            .filter(|input| !constants.contains_key(&input.name))
            .map(GraphInput::new)
            .collect();
        let outputs = proto.output.iter().map(|output| output.name.clone()).collect();
        let folded = folded(&nodes, &visible);
        Graph {
            nodes,
            inputs,
            outputs,
            constants,
            names,
            producers,
            consumers,
            folded,
            outer_constants: outer.clone(),
        }
    }

    /// The constant of that name, here or in a graph around this one.
    pub fn constant(&self, name: &str) -> Option<&Constant> {
        self.constants.get(name).or_else(|| self.outer_constants.get(name))
    }

    /// Whether the tensor exists in the graph.
    fn provides(&self, name: &str) -> bool {
        self.producers.contains_key(name)
            || self.constant(name).is_some()
            || self.inputs.iter().any(|input| input.name == name)
    }

    /// Whether the tensor is computed once, when the model is loaded.
    pub fn is_folded(&self, name: &str) -> bool {
        self.producers.get(name).is_some_and(|&node| self.folded[node])
    }

    /// Elements of all constants that are parameters, those of bodies included.
    pub fn parameters(&self) -> Option<u64> {
        let own = self.constants.values().filter(|constant| constant.is_parameter());
        let own: Option<u64> = own.map(|constant| elements(&constant.shape)).sum();
        let bodies = self.nodes.iter().flat_map(|node| &node.bodies);
        let inner: Option<u64> = bodies.map(|(_, body)| body.parameters()).sum();
        own?.checked_add(inner?)
    }

    /// All nodes, those of bodies included.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Node)) {
        for node in &self.nodes {
            visit(node);
            for (_, body) in &node.bodies {
                body.walk(visit);
            }
        }
    }
}

/// A node is folded if it reads constants, folded results and shapes only.
fn folded(nodes: &[Node], constants: &HashMap<String, Constant>) -> Vec<bool> {
    let mut known: HashSet<&str> = HashSet::new();
    let mut folded = Vec::with_capacity(nodes.len());
    for node in nodes {
        let mut inputs = node.inputs.iter().filter(|name| !name.is_empty());
        let all_known =
            inputs.all(|name| constants.contains_key(name) || known.contains(name.as_str()));
        let fold = node.bodies.is_empty() && (all_known || node.reads_shape_only());
        if fold {
            known.extend(node.outputs.iter().map(String::as_str));
        }
        folded.push(fold);
    }
    folded
}

impl Node {
    /// Tensors from around it that its bodies read.
    fn captured(&self) -> Vec<String> {
        let bodies = self.bodies.iter().map(|(_, body)| body);
        bodies
            .flat_map(|body| {
                let read =
                    body.nodes.iter().flat_map(|n| n.inputs.iter().cloned().chain(n.captured()));
                read.chain(body.outputs.iter().cloned())
                    .filter(|name| !body.provides(name))
                    .collect::<Vec<_>>()
            })
            .collect()
    }

    /// Whether only the shape of its input matters to it.
    pub fn reads_shape_only(&self) -> bool {
        matches!(self.operator_type.as_str(), "Shape" | "Size")
    }

    fn new(proto: &pb::NodeProto, visible: &HashMap<String, Constant>) -> Node {
        let bodies = proto
            .attribute
            .iter()
            .filter_map(|attribute| {
                let graph = attribute.g.as_ref()?;
                Some((attribute.name.clone(), Rc::new(Graph::new(graph, visible))))
            })
            .collect();
        Node {
            name: proto.name.clone(),
            operator_type: proto.op_type.clone(),
            inputs: proto.input.clone(),
            outputs: proto.output.clone(),
            attributes: proto
                .attribute
                .iter()
                .map(|a| (a.name.clone(), Attribute::new(a)))
                .collect(),
            bodies,
        }
    }

    pub fn int(&self, name: &str) -> Option<i64> {
        match self.attributes.get(name) {
            Some(Attribute::Int(value)) => Some(*value),
            _ => None,
        }
    }

    pub fn ints(&self, name: &str) -> Option<&[i64]> {
        match self.attributes.get(name) {
            Some(Attribute::Ints(values)) => Some(values),
            _ => None,
        }
    }

    /// The name of input `index`, unless it was left out.
    pub fn input(&self, index: usize) -> Option<&str> {
        self.inputs.get(index).map(String::as_str).filter(|name| !name.is_empty())
    }

    pub fn output(&self, index: usize) -> Option<&str> {
        self.outputs.get(index).map(String::as_str).filter(|name| !name.is_empty())
    }
}

impl Attribute {
    fn new(proto: &pb::AttributeProto) -> Attribute {
        let text = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).into_owned();
        match AttributeType::try_from(proto.r#type) {
            Ok(AttributeType::Float) => Attribute::Float(proto.f),
            Ok(AttributeType::Int) => Attribute::Int(proto.i),
            Ok(AttributeType::String) => Attribute::Text(text(&proto.s)),
            Ok(AttributeType::Floats) => Attribute::Floats(proto.floats.clone()),
            Ok(AttributeType::Ints) => Attribute::Ints(proto.ints.clone()),
            Ok(AttributeType::Strings) => {
                Attribute::Texts(proto.strings.iter().map(text).collect())
            }
            Ok(AttributeType::Tensor) => Attribute::Other("tensor"),
            Ok(AttributeType::Graph) => Attribute::Other("graph"),
            _ => Attribute::Other("other"),
        }
    }
}

impl std::fmt::Display for Attribute {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        fn list<T: std::fmt::Display>(values: &[T]) -> String {
            values.iter().map(T::to_string).collect::<Vec<_>>().join(",")
        }
        match self {
            Attribute::Float(value) => write!(out, "{value}"),
            Attribute::Int(value) => write!(out, "{value}"),
            Attribute::Text(value) => out.write_str(value),
            Attribute::Floats(values) => out.write_str(&list(values)),
            Attribute::Ints(values) => out.write_str(&list(values)),
            Attribute::Texts(values) => out.write_str(&list(values)),
            Attribute::Other(kind) => out.write_str(kind),
        }
    }
}

impl Constant {
    fn new(tensor: &pb::TensorProto, initializer: bool) -> Constant {
        let shape = tensor.dims.iter().map(|&dimension| dimension.max(0) as u64).collect();
        Constant { shape, data_type: data_type(tensor.data_type), initializer }
    }

    fn unknown() -> Constant {
        Constant { shape: Vec::new(), data_type: DataType::Other, initializer: false }
    }

    /// Whether its elements count as parameters of the model: without the integers
    /// that hold shapes, axes and indices, and without lone numbers in the graph.
    pub fn is_parameter(&self) -> bool {
        use DataType::*;
        (self.initializer || !self.shape.is_empty())
            && !matches!(self.data_type, S64 | Bool | String | Other)
    }
}

/// The element type behind a number of ONNX' `TensorProto.DataType`.
fn data_type(number: i32) -> DataType {
    match number {
        1 => DataType::Fp32,
        2 => DataType::U8,
        3 => DataType::S8,
        4 => DataType::U16,
        5 => DataType::S16,
        6 => DataType::S32,
        7 => DataType::S64,
        8 => DataType::String,
        9 => DataType::Bool,
        10 => DataType::Fp16,
        11 => DataType::Fp64,
        12 => DataType::U32,
        13 => DataType::U64,
        16 => DataType::Bf16,
        _ => DataType::Other,
    }
}

impl GraphInput {
    fn new(proto: &pb::ValueInfoProto) -> GraphInput {
        let tensor = proto.r#type.as_ref().and_then(|t| t.value.as_ref()).map(|value| {
            let pb::type_proto::Value::TensorType(tensor) = value;
            tensor
        });
        let dimensions = tensor.and_then(|tensor| tensor.shape.as_ref()).map(|shape| {
            shape
                .dim
                .iter()
                .map(|dimension| match &dimension.value {
                    Some(DimensionValue::DimValue(size)) if *size >= 0 => {
                        InputDimension::Fixed(*size as u64)
                    }
                    Some(DimensionValue::DimParam(name)) if !name.is_empty() => {
                        InputDimension::Named(name.clone())
                    }
                    _ => InputDimension::Unnamed,
                })
                .collect()
        });
        let element_type = tensor.map_or(0, |tensor| tensor.elem_type);
        GraphInput { name: proto.name.clone(), dimensions, element_type }
    }
}

//! The ONNX file as protobuf: what is decoded from it, and the elements of its tensors.
//!
//! The crate tract-onnx brings ONNX's protobuf types, generated from ONNX's own
//! schema. This is the only file of `model` that names them, or anything else of
//! that crate.

use super::graph::{Attribute, Constant, Graph, GraphInput, InputDimension, Node};
use onnxray_format::DataType;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;
use tract_onnx::data_resolver::MmapDataResolver;
use tract_onnx::pb;
use tract_onnx::pb::attribute_proto::AttributeType;
use tract_onnx::pb::tensor_shape_proto::dimension::Value as DimensionValue;
use tract_onnx::prelude::Framework;

/// A decoded file, in which every node has a name of its own.
pub(crate) struct Protobuf {
    pub(crate) model: pb::ModelProto,
}

impl Protobuf {
    /// Decodes a file's bytes.
    ///
    /// # Errors
    ///
    /// Why they are not an ONNX model.
    pub(crate) fn decode(mut bytes: &[u8]) -> Result<Protobuf, String> {
        let decoded = tract_onnx::onnx().proto_model_for_read(&mut bytes);
        let mut model = decoded.map_err(|error| error.to_string())?;
        let graph = model.graph.as_mut().ok_or("it holds no graph")?;
        if graph.node.is_empty() {
            return Err("its graph holds no nodes".to_string());
        }
        name_all_nodes(graph, &mut HashSet::new());
        Ok(Protobuf { model })
    }

    /// The model's graph in types of our own.
    pub(crate) fn graph(&self) -> Graph {
        self.model.graph.as_ref().map_or_else(Graph::default, |proto| graph(proto, HashMap::new()))
    }

    /// The tensors of the file whose elements never change, for reading them. External
    /// data lies in `folder`.
    pub(crate) fn initializers<'a>(&'a self, folder: Option<&'a str>) -> Initializers<'a> {
        let mut tensors = HashMap::new();
        if let Some(graph) = &self.model.graph {
            collect(graph, &mut tensors);
        }
        Initializers { tensors, folder }
    }
}

/// Contents of the model's initializers, loaded when asked for.
pub(crate) struct Initializers<'a> {
    tensors: HashMap<&'a str, &'a pb::TensorProto>,
    folder: Option<&'a str>,
}

impl Initializers<'_> {
    /// Elements as numbers, in the order in which they are stored; 32-bit integers and
    /// all shorter types are exact. `None` if they cannot be read.
    pub(crate) fn numbers(&self, name: &str) -> Option<Vec<f64>> {
        let tensor = self.tensors.get(name)?;
        let loaded = tract_onnx::tensor::load_tensor(&MmapDataResolver, tensor, self.folder);
        let tensor = loaded.ok()?.cast_to::<f64>().ok()?.into_owned();
        let values = tensor.to_plain_array_view::<f64>().ok()?;
        Some(values.iter().copied().collect())
    }
}

fn collect<'a>(graph: &'a pb::GraphProto, tensors: &mut HashMap<&'a str, &'a pb::TensorProto>) {
    for node in &graph.node {
        for attribute in &node.attribute {
            if let Some(body) = &attribute.g {
                collect(body, tensors);
            }
            if let (Some(tensor), Some(output)) = (&attribute.t, node.output.first())
                && node.op_type == "Constant"
            {
                tensors.insert(output, tensor);
            }
        }
    }
    tensors.extend(graph.initializer.iter().map(|tensor| (tensor.name.as_str(), tensor)));
}

/// Gives every node a name of its own: ONNX lets names be absent or repeated,
/// engines may not. An unnamed node goes by its first output.
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

/// `outer` are the constants of the graphs around it.
fn graph(proto: &pb::GraphProto, outer: HashMap<String, Constant>) -> Graph {
    let mut constants: HashMap<String, Constant> = proto
        .initializer
        .iter()
        .map(|tensor| (tensor.name.clone(), constant(tensor, true)))
        .collect();
    for node in proto.node.iter().filter(|node| node.op_type == "Constant") {
        let tensor = node.attribute.iter().find_map(|attribute| attribute.t.as_ref());
        let constant = tensor.map_or_else(Constant::unknown, |tensor| constant(tensor, false));
        for output in &node.output {
            constants.insert(output.clone(), constant.clone());
        }
    }
    let mut visible = outer.clone();
    visible.extend(constants.iter().map(|(name, constant)| (name.clone(), constant.clone())));
    let nodes = proto.node.iter().filter(|node| node.op_type != "Constant");
    let inputs = proto.input.iter().filter(|input| !constants.contains_key(&input.name));
    Graph {
        nodes: nodes.map(|proto| node(proto, &visible)).collect(),
        inputs: inputs.map(input).collect(),
        outputs: proto.output.iter().map(|output| output.name.clone()).collect(),
        constants,
        outer_constants: outer,
        ..Graph::default()
    }
    .linked()
}

fn node(proto: &pb::NodeProto, visible: &HashMap<String, Constant>) -> Node {
    let body = |attribute: &pb::AttributeProto| {
        let body = graph(attribute.g.as_ref()?, visible.clone());
        Some((attribute.name.clone(), Rc::new(body)))
    };
    let attributes: BTreeMap<String, Attribute> =
        proto.attribute.iter().map(|proto| (proto.name.clone(), attribute(proto))).collect();
    Node {
        name: proto.name.clone(),
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
    let shape = tensor.dims.iter().map(|&dimension| dimension.max(0) as u64).collect();
    Constant { shape, data_type: data_type(tensor.data_type), initializer }
}

fn input(proto: &pb::ValueInfoProto) -> GraphInput {
    let tensor = proto.r#type.as_ref().and_then(|t| t.value.as_ref()).map(|value| {
        let pb::type_proto::Value::TensorType(tensor) = value;
        tensor
    });
    let size = |dimension: &Option<DimensionValue>| match dimension {
        Some(DimensionValue::DimValue(size)) if *size >= 0 => InputDimension::Fixed(*size as u64),
        Some(DimensionValue::DimParam(name)) if !name.is_empty() => {
            InputDimension::Named(name.clone())
        }
        _ => InputDimension::Unnamed,
    };
    let shape = tensor.and_then(|tensor| tensor.shape.as_ref());
    let element_type = tensor.map_or(0, |tensor| tensor.elem_type);
    GraphInput {
        name: proto.name.clone(),
        dimensions: shape.map(|shape| shape.dim.iter().map(|d| size(&d.value)).collect()),
        element_type,
        data_type: data_type(element_type),
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

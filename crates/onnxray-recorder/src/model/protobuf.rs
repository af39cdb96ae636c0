//! The ONNX file as protobuf: what is decoded from it, and the elements of its tensors.
//!
//! The crate tract-onnx brings ONNX's protobuf types, generated from ONNX's own
//! schema. This file and `few_numbers` are the only ones of `model` that name them, or
//! anything else of that crate.

use super::few_numbers::{few_numbers, listed};
use super::graph::{Attribute, Constant, Constants, Graph, GraphInput, InputDimension, Node};
use half::bf16;
use onnxray_failsafe::catch_panic;
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
    /// Whether nodes have other names than in the file.
    pub(crate) is_renamed: bool,
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
        let mut names = Names::default();
        name_all_nodes(graph, &mut names);
        Ok(Protobuf { model, is_renamed: names.is_changed })
    }

    /// Names of all nodes, those of bodies behind the one that holds them.
    pub(crate) fn node_names(&self) -> Vec<&str> {
        let mut names = Vec::new();
        if let Some(graph) = &self.model.graph {
            node_names(graph, &mut names);
        }
        names
    }

    /// Version of ONNX's own operators; `None` if the file does not say so.
    pub(crate) fn operator_set(&self) -> Option<i64> {
        let sets = &self.model.opset_import;
        let own = sets.iter().find(|set| matches!(set.domain.as_str(), "" | "ai.onnx"));
        own.map(|set| set.version)
    }

    /// The model's graph in types of our own.
    pub(crate) fn graph(&self) -> Graph {
        self.model.graph.as_ref().map_or_else(Graph::default, |proto| graph(proto, None))
    }

    /// Name and place of each tensor whose elements lie in another file.
    pub(crate) fn external_data(&self) -> Vec<(&str, &str)> {
        let mut found = Vec::new();
        if let Some(graph) = &self.model.graph {
            external_data(graph, &mut found);
        }
        found
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
        if data_type(tensor.data_type) == DataType::Bf16 {
            return self.bfloat16(tensor);
        }
        let load = || {
            let loaded = tract_onnx::tensor::load_tensor(&MmapDataResolver, tensor, self.folder);
            let tensor = loaded.ok()?.cast_to::<f64>().ok()?.into_owned();
            let values = tensor.to_plain_array_view::<f64>().ok()?;
            Some(values.iter().copied().collect())
        };
        // tract asserts that there are as many elements as the shape says.
        catch_panic(load).ok().flatten()
    }

    /// tract knows no such type, but its bits.
    fn bfloat16(&self, tensor: &pb::TensorProto) -> Option<Vec<f64>> {
        let bits = pb::TensorProto { data_type: 4, ..tensor.clone() };
        let load = || {
            let loaded = tract_onnx::tensor::load_tensor(&MmapDataResolver, &bits, self.folder);
            let tensor = loaded.ok()?;
            let values = tensor.to_plain_array_view::<u16>().ok()?;
            Some(values.iter().map(|&bits| bf16::from_bits(bits).to_f64()).collect())
        };
        catch_panic(load).ok().flatten()
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

fn external_data<'a>(graph: &'a pb::GraphProto, found: &mut Vec<(&'a str, &'a str)>) {
    let attributes = graph.node.iter().flat_map(|node| &node.attribute);
    let (mut tensors, mut bodies) = (Vec::new(), Vec::new());
    for attribute in attributes {
        tensors.extend(attribute.t.iter().chain(&attribute.tensors));
        bodies.extend(attribute.g.iter().chain(&attribute.graphs));
    }
    for tensor in graph.initializer.iter().chain(tensors) {
        let places = tensor.external_data.iter().filter(|entry| entry.key == "location");
        found.extend(places.map(|entry| (tensor.name.as_str(), entry.value.as_str())));
    }
    for body in bodies {
        external_data(body, found);
    }
}

fn node_names<'a>(graph: &'a pb::GraphProto, names: &mut Vec<&'a str>) {
    for node in &graph.node {
        names.push(&node.name);
        let bodies = node.attribute.iter().filter_map(|attribute| attribute.g.as_ref());
        bodies.for_each(|body| node_names(body, names));
    }
}

/// Gives every node a name of its own: ONNX lets names be absent or repeated,
/// engines may not. An unnamed node is named after its first output.
fn name_all_nodes(graph: &mut pb::GraphProto, names: &mut Names) {
    for node in &mut graph.node {
        if node.name.is_empty() {
            let output = node.output.iter().find(|name| !name.is_empty());
            node.name = output.unwrap_or(&node.op_type).clone();
            names.is_changed = true;
        }
        names.make_unique(&mut node.name);
        for attribute in &mut node.attribute {
            if let Some(body) = &mut attribute.g {
                name_all_nodes(body, names);
            }
        }
    }
}

/// The names that nodes have by now.
#[derive(Default)]
struct Names {
    taken: HashSet<String>,
    /// How many nodes asked for a name, so that none is tried twice.
    copies: HashMap<String, u32>,
    /// Whether any of them is another than in the file.
    is_changed: bool,
}

impl Names {
    fn make_unique(&mut self, name: &mut String) {
        let wanted = name.clone();
        while !self.taken.insert(name.clone()) {
            let copy = self.copies.entry(wanted.clone()).or_insert(1);
            *copy += 1;
            *name = format!("{wanted}~{copy}");
            self.is_changed = true;
        }
    }
}

/// `outer` are the constants of the graphs around it.
fn graph(proto: &pb::GraphProto, outer: Option<&Rc<Constants>>) -> Graph {
    let mut constants: HashMap<String, Constant> = proto
        .initializer
        .iter()
        .map(|tensor| (tensor.name.clone(), constant(tensor, true)))
        .collect();
    for node in proto.node.iter().filter(|node| node.op_type == "Constant") {
        let tensor = node.attribute.iter().find_map(|attribute| attribute.t.as_ref());
        let listed = || node.attribute.iter().find_map(listed);
        let constant = tensor.map(|tensor| constant(tensor, false)).or_else(listed);
        let constant = constant.unwrap_or_else(Constant::unknown);
        for output in &node.output {
            constants.insert(output.clone(), constant.clone());
        }
    }
    let constants = Rc::new(Constants { own: constants, outer: outer.cloned() });
    let nodes = proto.node.iter().filter(|node| node.op_type != "Constant");
    let inputs = proto.input.iter().filter(|input| !constants.own.contains_key(&input.name));
    Graph {
        nodes: nodes.map(|proto| node(proto, &constants)).collect(),
        inputs: inputs.map(input).collect(),
        outputs: proto.output.iter().map(|output| output.name.clone()).collect(),
        output_dimensions: proto.output.iter().map(|output| input(output).dimensions).collect(),
        constants,
        ..Graph::default()
    }
    .linked()
}

fn node(proto: &pb::NodeProto, visible: &Rc<Constants>) -> Node {
    let body = |attribute: &pb::AttributeProto| {
        let body = graph(attribute.g.as_ref()?, Some(visible));
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
    let shape: Vec<u64> = tensor.dims.iter().map(|&dimension| dimension.max(0) as u64).collect();
    let data_type = data_type(tensor.data_type);
    Constant { shape, data_type, initializer, numbers: few_numbers(tensor, data_type) }
}

fn input(proto: &pb::ValueInfoProto) -> GraphInput {
    let tensor = proto.r#type.as_ref().and_then(|t| t.value.as_ref()).map(|value| {
        let pb::type_proto::Value::TensorType(tensor) = value;
        tensor
    });
    let size = |dimension: &Option<DimensionValue>| match dimension {
        Some(DimensionValue::DimValue(size)) if *size >= 0 => InputDimension::Fixed(*size as u64),
        Some(DimensionValue::DimParam(name)) if is_name(name) => {
            InputDimension::Named(name.clone())
        }
        _ => InputDimension::Unnamed,
    };
    let shape = tensor.and_then(|tensor| tensor.shape.as_ref());
    let element_type = tensor.map_or(0, |tensor| tensor.elem_type);
    GraphInput {
        name: proto.name.clone(),
        // Types that are not tensors are not decoded at all.
        is_tensor: tensor.is_some() || proto.r#type.is_none(),
        dimensions: shape.map(|shape| shape.dim.iter().map(|d| size(&d.value)).collect()),
        element_type,
        data_type: data_type(element_type),
        roles: Vec::new(),
    }
}

/// Whether it is a name, and not what exporters write where they know none: then two dimensions
/// of one input would be the same.
fn is_name(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let is_placeholder =
        matches!(lower.as_str(), "none" | "null" | "unknown" | "unk" | "dynamic" | "-1");
    text.contains(char::is_alphanumeric) && !is_placeholder
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

/// The number of an element type, the other way round; `None` for what is not numbers.
pub(crate) fn element_type(data_type: DataType) -> Option<i32> {
    Some(match data_type {
        DataType::Fp32 => 1,
        DataType::U8 => 2,
        DataType::S8 => 3,
        DataType::U16 => 4,
        DataType::S16 => 5,
        DataType::S32 => 6,
        DataType::S64 => 7,
        DataType::Bool => 9,
        DataType::Fp16 => 10,
        DataType::Fp64 => 11,
        DataType::U32 => 12,
        DataType::U64 => 13,
        DataType::Bf16 => 16,
        DataType::String | DataType::Other => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn element_types_have_one_number_each() {
        let types: Vec<DataType> = (0..20).map(data_type).collect();
        for (number, data_type) in types.into_iter().enumerate() {
            assert!(element_type(data_type).is_none_or(|own| own == number as i32), "{number}");
        }
        assert_eq!(element_type(DataType::Fp16), Some(10));
    }

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
        let graph = graph(&outer, None);
        for (_, body) in graph.nodes.iter().flat_map(|node| &node.bodies) {
            assert!(Rc::ptr_eq(body.constants.outer.as_ref().unwrap(), &graph.constants));
            assert!(body.constant("inner").is_some() && body.constant("outer").is_some());
        }
        assert!(graph.constant("inner").is_none());
    }
}

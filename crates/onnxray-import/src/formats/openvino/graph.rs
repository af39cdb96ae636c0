//! The execution graph (`-exec_graph_path`): an XML document of the layers as
//! they were compiled, and of the edges between them.
//!
//! Each layer is read by itself, so that a damaged one costs only itself. The rest of the
//! document is read as one, and edge by edge where that fails.

use crate::ImportError;
use crate::damage::{Damage, DamageKind, MOST_RECORDS};
use crate::formats::together::Document;
use crate::presence::Presence;
use crate::text::number::number;
use memchr::memmem;
use onnxray_format::{DataType, Operator, Tensor, elements};
use quick_xml::de::{self, Deserializer};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

pub(crate) struct Graph {
    /// Layers that are not constants, named as OpenVINO names them.
    pub(crate) layers: Vec<GraphLayer>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct GraphLayer {
    pub(crate) operator: Operator,
    /// `None` for a layer that was not executed.
    pub(crate) mean_ns: Option<f64>,
}

/// A layer, and what decides whether it is one of the model's.
struct Compiled {
    id: String,
    layer: GraphLayer,
    is_constant: bool,
}

/// Members that a version tells of all layers or of none.
const DATA: [&str; 5] =
    ["@layerType", "@primitiveType", "@originalLayersNames", "@runtimePrecision", "@outputLayouts"];

#[derive(Deserialize)]
struct Layer {
    #[serde(rename = "@id", default)]
    id: String,
    #[serde(rename = "@name")]
    name: String,
    #[serde(rename = "@type", default)]
    layer_type: String,
    /// A map, since an attribute that is empty and one that is missing are different.
    data: BTreeMap<String, String>,
    #[serde(default)]
    input: Ports,
    #[serde(default)]
    output: Ports,
    #[serde(rename = "rt_info")]
    _rt_info: Option<IgnoredAny>,
    #[serde(rename = "$value", default)]
    others: Vec<IgnoredAny>,
}

#[derive(Default, Deserialize)]
struct Ports {
    #[serde(default)]
    port: Vec<Port>,
    #[serde(rename = "$value", default)]
    others: Vec<IgnoredAny>,
}

#[derive(Deserialize)]
struct Port {
    #[serde(rename = "@precision")]
    precision: Option<String>,
    #[serde(default)]
    dim: Vec<Size>,
    #[serde(rename = "$value", default)]
    others: Vec<IgnoredAny>,
}

/// Not the text that it is read from: a file may have millions of them in one layer.
#[derive(Deserialize)]
#[serde(from = "String")]
enum Size {
    Known(u64),
    /// Chosen when the model runs: -1 or ?.
    Open,
    Damaged,
}

impl From<String> for Size {
    fn from(text: String) -> Size {
        match (text.trim(), number(text.trim())) {
            (_, Some(size)) => Size::Known(size),
            ("-1" | "?", None) => Size::Open,
            _ => Size::Damaged,
        }
    }
}

/// The document without its layers. What it does not name here is said to be damage.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Net {
    #[serde(rename = "@name")]
    _name: IgnoredAny,
    #[serde(rename = "@version")]
    _version: Option<IgnoredAny>,
    #[serde(rename = "layers")]
    _layers: Blank,
    #[serde(default)]
    edges: Edges,
    #[serde(rename = "rt_info")]
    _rt_info: Option<IgnoredAny>,
    #[serde(rename = "meta_data")]
    _meta_data: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Blank {}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Edges {
    #[serde(default)]
    edge: Vec<Edge>,
}

/// By the layers' ids.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Edge {
    #[serde(rename = "@from-layer")]
    from: String,
    #[serde(rename = "@from-port")]
    _from_port: Option<IgnoredAny>,
    #[serde(rename = "@to-layer")]
    to: String,
    #[serde(rename = "@to-port")]
    _to_port: Option<IgnoredAny>,
}

pub(crate) fn read(document: &mut Document) -> Result<Graph, ImportError> {
    let text = String::from_utf8_lossy(&document.bytes).into_owned();
    let (bytes, damage) = (text.as_bytes(), &mut document.damage);
    let mut compiled: Vec<Compiled> = Vec::new();
    let mut understood: Vec<Range<usize>> = Vec::new();
    let mut presence = Presence::new();
    for (number, range) in ranges(&text, "<layer").enumerate() {
        let start = range.start;
        if number >= MOST_RECORDS {
            damage.add_at(DamageKind::TooMany, bytes, start, "");
            continue;
        }
        // A layer in a layer is damage, too: what closes the inner one never closes the outer.
        let is_last = range.end == text.len();
        let Some(length) = text[range.clone()].find("</layer>") else {
            match is_last {
                true => damage.add_at(DamageKind::EndsEarly, bytes, start, "within a layer"),
                false => damage.add_at(DamageKind::Unreadable, bytes, start, "it does not end"),
            }
            continue;
        };
        // Up to its end: what is behind it belongs to the document around.
        let range = start..start + length + "</layer>".len();
        match de::from_str::<Layer>(&text[range.clone()]) {
            Ok(layer) if !layer.name.is_empty() => {
                let has = DATA.map(|key| (&key[1..], layer.data.contains_key(key)));
                presence.see("", &layer.name, start, has);
                for (kind, ports) in [("input", &layer.input), ("output", &layer.output)] {
                    let has = ports.port.iter().map(|port| ("precision", port.precision.is_some()));
                    presence.see(kind, &layer.name, start, has);
                }
                compiled.push(compile(layer, |kind, reason| {
                    damage.add_at(kind, bytes, start, reason);
                }));
            }
            Ok(_) => damage.add_at(DamageKind::Unreadable, bytes, start, "no name"),
            Err(error) => damage.add_at(DamageKind::Unreadable, bytes, start, error.to_string()),
        }
        understood.push(range);
    }
    presence.count_in(bytes, damage);
    if compiled.is_empty() {
        return Err(document.unexpected(0, "a layer"));
    }
    // Without `</net>`, edges may be missing, and constants with them.
    let is_cut = !text.trim_end().ends_with("</net>");
    if is_cut && damage.count(DamageKind::EndsEarly) == 0 {
        damage.add_at(DamageKind::EndsEarly, bytes, bytes.len(), "within the graph");
    }
    mark_constants(&mut compiled, &edges(&without(text, &understood), damage));
    let layers = compiled.into_iter().filter(|layer| !layer.is_constant).map(|layer| layer.layer);
    Ok(Graph { layers: layers.collect() })
}

/// From each beginning of an element to the next.
fn ranges(text: &str, element: &str) -> impl Iterator<Item = Range<usize>> {
    let is_whole_name = |&start: &usize| {
        text.as_bytes().get(start + element.len()).is_some_and(u8::is_ascii_whitespace)
    };
    let mut starts: Vec<usize> =
        memmem::find_iter(text.as_bytes(), element).filter(is_whole_name).collect();
    starts.push(text.len());
    (1..starts.len()).map(move |next| starts[next - 1]..starts[next])
}

/// Blanks in place of these parts, so that the places of others stay what they are.
fn without(text: String, parts: &[Range<usize>]) -> String {
    let mut bytes = text.into_bytes();
    for part in parts {
        bytes[part.clone()].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    }
    // Elements begin and end with one-byte letters: no other letter is cut.
    String::from_utf8(bytes).unwrap_or_default()
}

fn edges(text: &str, damage: &mut Damage) -> Vec<Edge> {
    let mut deserializer = Deserializer::from_str(text.trim_end());
    let net = Net::deserialize(&mut deserializer);
    let reason = match net {
        Ok(net) if deserializer.is_empty() => return net.edges.edge,
        Ok(_) => "more after the graph".to_string(),
        Err(error) => error.to_string(),
    };
    // A damaged layer, or a cut, leaves the rest damaged as well: that is said already.
    if damage.is_empty() {
        let offset = deserializer.get_ref().get_ref().buffer_position() as usize;
        damage.add_at(DamageKind::Repaired, text.as_bytes(), offset, reason);
    }
    let edge = |range: Range<usize>| {
        let tag = text[range].split('>').next()?;
        de::from_str(&format!("{}/>", tag.trim_end_matches('/'))).ok()
    };
    ranges(text, "<edge").filter_map(edge).collect()
}

/// Numbers of elements of constants go to the layers that read them, and layers
/// that read nothing else are constants themselves.
fn mark_constants(layers: &mut [Compiled], edges: &[Edge]) {
    let mut readers: HashMap<&str, Vec<&str>> = HashMap::new();
    for Edge { from, to, .. } in edges {
        readers.entry(to).or_default().push(from);
    }
    let mut constants: HashMap<String, Option<u64>> = HashMap::new();
    for compiled in layers {
        let sources = readers.get(compiled.id.as_str()).map(Vec::as_slice).unwrap_or_default();
        let read: Vec<_> = sources.iter().filter_map(|source| constants.get(*source)).collect();
        // Of inputs whose edge is damaged nothing is known: the layer stays, and what reads it.
        let inputs = sources.len().max(compiled.layer.operator.inputs.len());
        compiled.is_constant |= !read.is_empty() && read.len() == inputs;
        if compiled.is_constant {
            let shape =
                compiled.layer.operator.outputs.first().and_then(|tensor| tensor.shape.as_ref());
            constants.insert(compiled.id.clone(), shape.and_then(|shape| elements(shape)));
        } else if !read.is_empty() {
            let sum = |sum: u64, count: &Option<u64>| sum.checked_add((*count)?);
            compiled.layer.operator.parameters = read.into_iter().try_fold(0, sum);
        }
    }
}

/// What an element says; `damaged` hears what of it cannot be understood.
fn compile(layer: Layer, mut damaged: impl FnMut(DamageKind, &'static str)) -> Compiled {
    let Layer { id, name, layer_type, mut data, input, output, others, .. } = layer;
    let ports = || input.port.iter().chain(&output.port);
    let strays =
        [&input.others, &output.others].into_iter().chain(ports().map(|port| &port.others));
    if !others.is_empty() || strays.into_iter().any(|others| !others.is_empty()) {
        damaged(DamageKind::Repaired, "text or elements that no layer has");
    }
    let mut take = |key: &str| data.remove(key).filter(|value| !value.is_empty());
    // Older versions call every layer an ExecutionNode.
    let operator_type = take("@layerType").unwrap_or(layer_type);
    let kernel = take("@primitiveType");
    let names = take("@originalLayersNames").unwrap_or_default();
    // Inputs and outputs of the model are layers here, but no nodes.
    let nodes = match operator_type.as_str() {
        "Input" | "Parameter" | "Output" | "Result" => Vec::new(),
        _ => nodes(&names),
    };
    let microseconds = take("@execTimeMcs");
    // White space may be what is left of a digit.
    let whole = microseconds.as_deref().filter(|time| time.trim() == *time);
    let mean_ns = whole.and_then(super::counters::milliseconds).map(|time| time * 1e3);
    let member = match (microseconds.as_deref(), mean_ns) {
        (None, _) => Some("no `execTimeMcs`"),
        (Some(text), None) if text != "not_executed" => Some("`execTimeMcs` is not a time"),
        _ if id.is_empty() => Some("no `id`"),
        _ if operator_type.is_empty() => Some("no `type`"),
        _ if ports().flat_map(|port| &port.dim).any(|size| matches!(size, Size::Damaged)) => {
            Some("a size")
        }
        _ => None,
    };
    if let Some(member) = member {
        damaged(DamageKind::Member, member);
    }
    let status = microseconds.filter(|_| mean_ns.is_none());
    let attributes = [
        ("execStatus", status),
        ("runtimePrecision", take("@runtimePrecision")),
        ("outputLayouts", take("@outputLayouts")),
    ];
    let attributes =
        attributes.into_iter().filter_map(|(key, text)| Some((key.to_string(), text?)));
    let is_constant = matches!(operator_type.as_str(), "Const" | "Constant");
    let operator = Operator {
        name,
        operator_type,
        kernel,
        nodes,
        inputs: tensors("input", &input),
        outputs: tensors("output", &output),
        attributes: attributes.collect(),
        ..Operator::default()
    };
    Compiled { id, layer: GraphLayer { operator, mean_ns }, is_constant }
}

/// Names separated by commas. A convolution with a bias is two layers to
/// OpenVINO, of which the first has a suffix that the node has not.
fn nodes(names: &str) -> Vec<String> {
    let mut nodes: Vec<String> = Vec::new();
    for name in names.split(',') {
        let name = name.strip_suffix("/WithoutBiases").unwrap_or(name);
        if !name.is_empty() && !nodes.iter().any(|known| known == name) {
            nodes.push(name.to_string());
        }
    }
    nodes
}

/// A port without sizes is a scalar; one of a size that is not known has no shape.
fn tensors(kind: &str, ports: &Ports) -> Vec<Tensor> {
    let size = |size: &Size| match size {
        Size::Known(size) => Some(*size),
        Size::Open | Size::Damaged => None,
    };
    let tensor = |(number, port): (usize, &Port)| Tensor {
        name: format!("{kind} {number}"),
        data_type: port.precision.as_deref().and_then(data_type),
        shape: port.dim.iter().map(size).collect(),
    };
    ports.port.iter().enumerate().map(tensor).collect()
}

fn data_type(name: &str) -> Option<DataType> {
    Some(match name.to_ascii_lowercase().as_str() {
        "fp64" | "f64" => DataType::Fp64,
        "fp32" | "f32" => DataType::Fp32,
        "fp16" | "f16" => DataType::Fp16,
        "bf16" => DataType::Bf16,
        "i64" => DataType::S64,
        "i32" => DataType::S32,
        "i16" => DataType::S16,
        "i8" => DataType::S8,
        "u64" => DataType::U64,
        "u32" => DataType::U32,
        "u16" => DataType::U16,
        "u8" => DataType::U8,
        "bool" | "boolean" => DataType::Bool,
        "string" => DataType::String,
        "" | "unspecified" | "undefined" | "dynamic" => return None,
        _ => DataType::Other,
    })
}

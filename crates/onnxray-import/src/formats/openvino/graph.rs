//! The execution graph (`-exec_graph_path`): an XML document of the layers as
//! they were compiled, and of the edges between them.
//!
//! Each layer is read by itself, so that a damaged one costs only itself.

use crate::ImportError;
use crate::formats::together::Document;
use crate::loss::{LossKind, MOST_RECORDS};
use crate::number::number;
use crate::presence::Presence;
use memchr::memmem;
use onnxray_format::{DataType, Operator, Position, Tensor, elements};
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use std::collections::{BTreeMap, HashMap};

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

/// A layer as it stands in the document.
#[derive(Default)]
struct Raw {
    id: String,
    layer: GraphLayer,
    is_constant: bool,
    /// Which of [`DATA`] it has.
    has: [bool; DATA.len()],
    /// The first of its members that could not be understood.
    unreadable: Option<&'static str>,
}

/// Members that a version tells of all layers or of none.
const DATA: [&str; 5] =
    ["layerType", "primitiveType", "originalLayersNames", "runtimePrecision", "outputLayouts"];

type Attributes = BTreeMap<String, String>;

pub(crate) fn read(document: &mut Document) -> Result<Graph, ImportError> {
    let text = String::from_utf8_lossy(&document.bytes).into_owned();
    let (bytes, losses) = (text.as_bytes(), &mut document.losses);
    let mut raws: Vec<Raw> = Vec::new();
    let mut presence = Presence::new();
    let begins = |&start: &usize| {
        bytes.get(start + "<layer".len()).is_some_and(|byte| byte.is_ascii_whitespace())
    };
    let starts: Vec<usize> = memmem::find_iter(bytes, b"<layer").filter(begins).collect();
    for (number, &start) in starts.iter().enumerate() {
        let next = starts.get(number + 1).copied();
        let inside = &text[start..next.unwrap_or(text.len())];
        let end = inside.find("</layer>");
        if number >= MOST_RECORDS {
            losses.add_at(LossKind::TooMany, bytes, start, "");
            continue;
        }
        match end.map(|end| layer(&inside[..end + "</layer>".len()])) {
            Some(Ok(raw)) => {
                if let Some(reason) = raw.unreadable {
                    losses.add_at(LossKind::Member, bytes, start, reason);
                }
                let name = &raw.layer.operator.name;
                presence.see("", name, start, DATA.into_iter().zip(raw.has));
                raws.push(raw);
            }
            Some(Err(reason)) => losses.add_at(LossKind::Unreadable, bytes, start, &reason),
            None if next.is_some() => {
                losses.add_at(LossKind::Unreadable, bytes, start, "it does not end");
            }
            None => losses.add_at(LossKind::EndsEarly, bytes, start, "within a layer"),
        }
    }
    presence.count(losses, |start| Position::of(bytes, start));
    if raws.is_empty() {
        return Err(document.unexpected(0, "a layer"));
    }
    let is_cut = !text.trim_end().ends_with("</net>");
    if is_cut && losses.count(LossKind::EndsEarly) == 0 {
        losses.add_at(LossKind::EndsEarly, bytes, bytes.len(), "within the graph");
    }
    if losses.is_empty()
        && let Err((offset, reason)) = well_formed(&text)
    {
        losses.add_at(LossKind::Repaired, bytes, offset, reason);
    }
    let behind = text.split_once("</layers>").map_or("", |(_, behind)| behind);
    mark_constants(&mut raws, &edges(behind));
    let layers = raws.into_iter().filter(|raw| !raw.is_constant).map(|raw| raw.layer);
    Ok(Graph { layers: layers.collect() })
}

/// Whether the document is well-formed XML and has no elements but those of a graph; if
/// not, where and why. It may be read nevertheless.
fn well_formed(text: &str) -> Result<(), (usize, String)> {
    const ELEMENTS: [&[u8]; 13] = [
        b"net",
        b"layers",
        b"layer",
        b"data",
        b"input",
        b"output",
        b"port",
        b"dim",
        b"edges",
        b"edge",
        b"rt_info",
        b"attribute",
        b"meta_data",
    ];
    let named = |name: &[u8]| {
        name.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-.:".contains(byte))
    };
    let mut reader = Reader::from_str(text);
    let mut in_size = false;
    loop {
        let event = reader.read_event();
        let offset = reader.buffer_position() as usize;
        let event = event.map_err(|error| (offset, error.to_string()))?;
        let tag = match &event {
            Event::Start(tag) | Event::Empty(tag) => tag,
            Event::Text(text) => {
                let text = text.decode().map_err(|error| (offset, error.to_string()))?;
                if !in_size && !text.trim_ascii().is_empty() {
                    return Err((offset, "text between the elements".to_string()));
                }
                continue;
            }
            Event::Eof => return Ok(()),
            Event::End(_) => {
                in_size = false;
                continue;
            }
            _ => continue,
        };
        let element = tag.name();
        let name = || String::from_utf8_lossy(element.as_ref()).into_owned();
        if !ELEMENTS.contains(&element.as_ref()) {
            return Err((offset, format!("an element {:?}", name())));
        }
        if !parted(tag) {
            return Err((offset, "attributes that nothing parts".to_string()));
        }
        let mut keys: Vec<&[u8]> = Vec::new();
        for attribute in tag.attributes() {
            let attribute = attribute.map_err(|error| (offset, error.to_string()))?;
            // What it stands for must be known, too: `&amp;` is a letter, `&` alone is none.
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            value.map_err(|error| (offset, error.to_string()))?;
            keys.push(attribute.key.into_inner());
        }
        if let Some(key) = keys.iter().find(|key| !named(key)) {
            let key = String::from_utf8_lossy(key).into_owned();
            return Err((offset, format!("an attribute {key:?}")));
        }
        let needed: &[&[u8]] = match element.as_ref() {
            b"edge" => &[b"from-layer", b"to-layer"],
            b"layer" => &[b"id", b"name"],
            _ => &[],
        };
        if let Some(missing) = needed.iter().find(|needed| !keys.contains(needed)) {
            let missing = String::from_utf8_lossy(missing).into_owned();
            return Err((offset, format!("an element {:?} without {missing:?}", name())));
        }
        in_size = element.as_ref() == b"dim";
    }
}

/// Whether something stands between each value of an attribute and the next name.
fn parted(tag: &[u8]) -> bool {
    let mut inside = false;
    tag.iter().zip(tag.iter().skip(1)).all(|(byte, next)| {
        inside ^= *byte == b'"';
        let closes = *byte == b'"' && !inside;
        !closes || next.is_ascii_whitespace() || *next == b'/'
    })
}

/// Numbers of elements of constants go to the layers that read them, and layers
/// that read nothing else are constants themselves.
fn mark_constants(raws: &mut [Raw], edges: &[(String, String)]) {
    let mut readers: HashMap<&str, Vec<&str>> = HashMap::new();
    for (from, to) in edges {
        readers.entry(to).or_default().push(from);
    }
    let mut constants: HashMap<String, Option<u64>> = HashMap::new();
    for raw in raws {
        let sources = readers.get(raw.id.as_str()).map(Vec::as_slice).unwrap_or_default();
        let read: Vec<_> = sources.iter().filter_map(|source| constants.get(*source)).collect();
        raw.is_constant |= !read.is_empty() && read.len() == sources.len();
        if raw.is_constant {
            let shape = raw.layer.operator.outputs.first().and_then(|tensor| tensor.shape.as_ref());
            constants.insert(raw.id.clone(), shape.and_then(|shape| elements(shape)));
        } else if !read.is_empty() {
            let sum = |sum: u64, count: &Option<u64>| sum.checked_add((*count)?);
            raw.layer.operator.parameters = read.into_iter().try_fold(0, sum);
        }
    }
}

/// Pairs of layers' ids.
fn edges(text: &str) -> Vec<(String, String)> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_end_names = false;
    let mut edges = Vec::new();
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag) | Event::Empty(tag)) if tag.name().as_ref() == b"edge" => {
                let Ok(mut found) = attributes(&tag) else { continue };
                let ends = (found.remove("from-layer"), found.remove("to-layer"));
                if let (Some(from), Some(to)) = ends {
                    edges.push((from, to));
                }
            }
            Ok(Event::Eof) | Err(_) => return edges,
            Ok(_) => {}
        }
    }
}

/// Where a part of a layer stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Input,
    Output,
}

fn layer(text: &str) -> Result<Raw, String> {
    let mut reader = Reader::from_str(text);
    let mut raw = Raw::default();
    let mut side = None;
    let mut has_data = false;
    let mut size_is_missing = false;
    loop {
        let event = reader.read_event().map_err(|error| error.to_string())?;
        let (tag, is_open) = match &event {
            Event::Start(tag) => (tag, true),
            Event::Empty(tag) => (tag, false),
            Event::End(tag) => {
                if tag.name().as_ref() == b"dim" && size_is_missing {
                    raw.unreadable = Some("an empty size");
                }
                size_is_missing = false;
                continue;
            }
            Event::Text(text) => {
                let size = text.decode().map_err(|error| error.to_string())?;
                size_is_missing &= size.trim().is_empty();
                if let Some(tensor) = side.and_then(|side| last_tensor(&mut raw, side))
                    && !add_size(tensor, size.trim())
                {
                    raw.unreadable = Some("a size");
                }
                continue;
            }
            Event::Eof => break,
            _ => continue,
        };
        match tag.name().as_ref() {
            b"layer" => {
                let layer = attributes(tag)?;
                let text = |key: &str| layer.get(key).cloned().unwrap_or_default();
                raw.id = text("id");
                raw.layer.operator.name = text("name");
                raw.layer.operator.operator_type = text("type");
            }
            b"data" => {
                set_data(&mut raw, attributes(tag)?);
                has_data = true;
            }
            b"dim" => size_is_missing = true,
            b"input" => side = is_open.then_some(Side::Input),
            b"output" => side = is_open.then_some(Side::Output),
            b"port" => {
                if let Some(side) = side {
                    add_tensor(&mut raw, side, attributes(tag)?);
                }
            }
            _ => {}
        }
    }
    match has_data && !raw.layer.operator.name.is_empty() {
        true => Ok(raw),
        false => Err("no name or no data".to_string()),
    }
}

fn attributes(tag: &BytesStart<'_>) -> Result<Attributes, String> {
    let mut attributes = Attributes::new();
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(|error| error.to_string())?;
        let value = attribute
            .normalized_value(XmlVersion::Implicit1_0)
            .map_err(|error| error.to_string())?;
        let key = String::from_utf8_lossy(attribute.key.as_ref()).into_owned();
        attributes.insert(key, value.into_owned());
    }
    Ok(attributes)
}

fn set_data(raw: &mut Raw, mut data: Attributes) {
    raw.has = DATA.map(|key| data.contains_key(key));
    let mut take = |key: &str| data.remove(key).filter(|value| !value.is_empty());
    let operator = &mut raw.layer.operator;
    if let Some(layer_type) = take("layerType") {
        // Older versions call every layer an ExecutionNode.
        operator.operator_type = layer_type;
    }
    raw.is_constant = matches!(operator.operator_type.as_str(), "Const" | "Constant");
    operator.kernel = take("primitiveType");
    let names = take("originalLayersNames").unwrap_or_default();
    // Inputs and outputs of the model are layers here, but no nodes.
    if !matches!(operator.operator_type.as_str(), "Input" | "Parameter" | "Output" | "Result") {
        operator.nodes = nodes(&names);
    }
    let microseconds = take("execTimeMcs");
    // White space may be what is left of a digit.
    let whole = microseconds.as_deref().filter(|time| time.trim() == *time);
    let time = whole.and_then(super::counters::milliseconds);
    raw.layer.mean_ns = time.map(|microseconds| microseconds * 1e3);
    match (microseconds.as_deref(), time) {
        (None, _) => raw.unreadable = Some("no `execTimeMcs`"),
        (Some("not_executed"), _) | (_, Some(_)) => {}
        (Some(_), None) => raw.unreadable = Some("`execTimeMcs` is not a time"),
    }
    if raw.layer.mean_ns.is_none()
        && let Some(status) = microseconds
    {
        operator.attributes.insert("execStatus".to_string(), status);
    }
    for key in ["runtimePrecision", "outputLayouts"] {
        if let Some(value) = take(key) {
            operator.attributes.insert(key.to_string(), value);
        }
    }
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

fn tensors(raw: &mut Raw, side: Side) -> &mut Vec<Tensor> {
    match side {
        Side::Input => &mut raw.layer.operator.inputs,
        Side::Output => &mut raw.layer.operator.outputs,
    }
}

fn last_tensor(raw: &mut Raw, side: Side) -> Option<&mut Tensor> {
    tensors(raw, side).last_mut()
}

/// A port without sizes is a scalar.
fn add_tensor(raw: &mut Raw, side: Side, port: Attributes) {
    let kind = if side == Side::Input { "input" } else { "output" };
    let tensors = tensors(raw, side);
    let name = format!("{kind} {}", tensors.len());
    let data_type = port.get("precision").and_then(|name| data_type(name));
    tensors.push(Tensor { name, data_type, shape: Some(Vec::new()) });
}

/// A size that is open, -1 or ?, leaves the shape unknown. `false` for what is none.
fn add_size(tensor: &mut Tensor, size: &str) -> bool {
    if size.is_empty() {
        return true;
    }
    match (number(size), &mut tensor.shape) {
        (Some(size), Some(shape)) => {
            shape.push(size);
            true
        }
        (parsed, shape) => {
            *shape = None;
            parsed.is_some() || matches!(size, "-1" | "?")
        }
    }
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

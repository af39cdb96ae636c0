//! `--exportLayerInfo`: the layers of an engine, in the order of their execution.
//!
//! Built with detailed verbosity, an engine tells of every layer in a record;
//! built without, only its name.

use super::names;
use crate::ImportError;
use crate::damage::DamageKind;
use crate::formats::records::{self, Record};
use crate::formats::together::Document;
use crate::json::{Broken, Cursor, Value};
use crate::presence::Presence;
use onnxray_format::{DataType, Operator, Tensor, Weight};

pub(crate) struct Layers {
    /// Named as TensorRT names them: not unique.
    pub(crate) operators: Vec<Operator>,
}

/// Values longer than this are not attributes that somebody would read.
const LONGEST_ATTRIBUTE: usize = 200;

struct Layer {
    operator: Operator,
    /// Whether its ONNX nodes are told, not guessed from its name.
    told: bool,
    /// Which of [`MEMBERS`] it has; `None` if only its name is told.
    has: Option<[bool; MEMBERS.len()]>,
}

/// Members that every layer has, and those that every layer of a type has or lacks.
const MEMBERS: [&str; 8] =
    ["LayerType", "Inputs", "Outputs", "Metadata", "OutMaps", "Weights", "Bias", "TacticName"];
/// How many of them every layer has.
const OF_EVERY_LAYER: usize = 4;

pub(crate) fn read(document: &mut Document) -> Result<Layers, ImportError> {
    let mut layers = Vec::new();
    let mut presence = Presence::new();
    let Document { bytes, damage, .. } = document;
    let mut cursor = Cursor::new(bytes);
    let mut keep = |offset, layer: Layer| {
        layer.see(offset, &mut presence);
        layers.push(layer);
    };
    let ended = cursor.object(|key, cursor| match key.raw {
        b"Layers" => records::read(cursor, damage, layer, &mut keep),
        _ => cursor.skip().map(|_| ()),
    });
    presence.count_in(bytes, damage);
    let offset = cursor.offset;
    document.count_rest(ended, offset, 1);
    if layers.is_empty() {
        return Err(document.unexpected(offset, "a layer"));
    }
    // TensorRT before 8.6 does not tell of nodes, later versions of all.
    if !layers.iter().any(|layer| layer.told) {
        for Layer { operator, .. } in &mut layers {
            operator.nodes = names::nodes(&operator.name);
        }
    }
    Ok(Layers { operators: layers.into_iter().map(|layer| layer.operator).collect() })
}

impl Layer {
    fn see(&self, offset: usize, presence: &mut Presence<usize>) {
        let Some(has) = self.has else { return };
        let Operator { name, operator_type, .. } = &self.operator;
        let mut members = MEMBERS.into_iter().zip(has);
        presence.see("", name, offset, members.by_ref().take(OF_EVERY_LAYER));
        presence.see(&format!("type {operator_type}"), name, offset, members);
    }
}

fn layer(cursor: &mut Cursor<'_>) -> Record<Layer> {
    match cursor.peek() {
        Some(b'"') => {
            let name = cursor.text()?.decode().into_owned();
            // A quote inside a name that is not escaped seems to end it.
            if !matches!(cursor.peek(), Some(b',' | b']') | None) {
                return Err(Broken::Expected("a comma or the end of the array"));
            }
            let operator = Operator { name, ..Operator::default() };
            return Ok(Ok(Layer { operator, told: false, has: None }));
        }
        Some(b'{') => {}
        _ => {
            cursor.skip()?;
            return Ok(Err((DamageKind::NotARecord, "a value that is not an object")));
        }
    }
    let mut operator = Operator::default();
    let (mut layer_type, mut told) = (None, false);
    let (mut weights, mut bias, mut outputs) = (None, None, None);
    let mut has = [false; MEMBERS.len()];
    cursor.object(|key, cursor| {
        if let Some(member) = MEMBERS.iter().position(|member| member.as_bytes() == key.raw) {
            has[member] = true;
        }
        match key.raw {
            b"Inputs" => return tensors(cursor, &mut operator.inputs),
            b"Outputs" => return tensors(cursor, &mut operator.outputs),
            b"Weights" => return constant(cursor, &mut weights),
            b"Bias" => return constant(cursor, &mut bias),
            _ => {}
        }
        let value = cursor.value()?;
        let text = |value: Value<'_>| value.as_text().map(|text| text.into_owned());
        match (key.raw, value) {
            (b"Name", value) => operator.name = text(value).unwrap_or_default(),
            (b"LayerType", value) => layer_type = text(value),
            (b"TacticName" | b"Kernel", Value::Text(name)) if !name.raw.is_empty() => {
                operator.kernel = text(value);
            }
            (b"Metadata", value) => {
                operator.nodes = value.as_text().map(|text| nodes(&text)).unwrap_or_default();
                told = !operator.nodes.is_empty();
            }
            (key, value) => {
                if key == b"OutMaps" {
                    outputs = value.as_i64().and_then(|outputs| u64::try_from(outputs).ok());
                }
                attribute(&mut operator, key, value);
            }
        }
        Ok(())
    })?;
    if operator.name.is_empty() {
        return Ok(Err((DamageKind::NotARecord, "a layer without a name")));
    }
    let parameter_type = operator.attributes.get("ParameterType");
    operator.operator_type = layer_type.or(parameter_type.cloned()).unwrap_or_default();
    // A fused layer may have only one of them; without both, parameters are unknown.
    let counts = [weights, bias].map(|constant| constant.map(|(_, count)| count));
    operator.parameters =
        counts.into_iter().flatten().reduce(|sum, count| sum.saturating_add(count));
    operator.weight = weights.zip(outputs).and_then(|(weights, outputs)| weight(weights, outputs));
    Ok(Ok(Layer { operator, told, has: Some(has) }))
}

fn attribute(operator: &mut Operator, key: &[u8], value: Value<'_>) {
    let text = match value {
        // Arrays of numbers: strides, windows.
        Value::Array(raw) => String::from_utf8_lossy(raw),
        Value::Object(_) => return,
        value => value.as_text().unwrap_or_default(),
    };
    if !text.is_empty() && text.len() <= LONGEST_ATTRIBUTE {
        let key = String::from_utf8_lossy(key).into_owned();
        operator.attributes.insert(key, text.into_owned());
    }
}

/// TensorRT tells the number of outputs and of elements; the shape in the model
/// is not known.
fn weight((data_type, count): (Option<DataType>, u64), outputs: u64) -> Option<Weight> {
    let inputs = count.checked_div(outputs)?;
    (inputs > 0 && inputs * outputs == count).then(|| Weight {
        name: String::new(),
        data_type: data_type.unwrap_or(DataType::Other),
        stored_shape: vec![outputs, inputs],
        outputs,
        inputs,
        sparse_ratios: Vec::new(),
        magnitudes: Vec::new(),
    })
}

/// `{"Type": "Int8", "Count": 864}`
fn constant(
    cursor: &mut Cursor<'_>,
    constant: &mut Option<(Option<DataType>, u64)>,
) -> Result<(), Broken> {
    if cursor.peek() != Some(b'{') {
        return cursor.skip().map(|_| ());
    }
    let (mut kind, mut count) = (None, None);
    cursor.object(|key, cursor| {
        let value = cursor.value()?;
        match key.raw {
            b"Type" => kind = value.as_text().and_then(|name| data_type(&name)),
            b"Count" => count = value.as_i64().and_then(|count| u64::try_from(count).ok()),
            _ => {}
        }
        Ok(())
    })?;
    *constant = count.filter(|&count| count > 0).map(|count| (kind, count));
    Ok(())
}

fn tensors(cursor: &mut Cursor<'_>, tensors: &mut Vec<Tensor>) -> Result<(), Broken> {
    if cursor.peek() != Some(b'[') {
        return cursor.skip().map(|_| ());
    }
    cursor.array(|cursor| {
        if cursor.peek() != Some(b'{') {
            return cursor.skip().map(|_| ());
        }
        let mut tensor = Tensor { name: String::new(), data_type: None, shape: None };
        cursor.object(|key, cursor| {
            let value = cursor.value()?;
            let text = value.as_text();
            match key.raw {
                b"Name" => tensor.name = text.unwrap_or_default().into_owned(),
                b"Dimensions" => tensor.shape = shape(value),
                b"Format/Datatype" | b"Datatype" | b"Format" => {
                    tensor.data_type = text.and_then(|name| data_type(&name)).or(tensor.data_type);
                }
                _ => {}
            }
            Ok(())
        })?;
        tensors.push(tensor);
        Ok(())
    })
}

/// Sizes; `None` if one of them is open.
fn shape(dimensions: Value<'_>) -> Option<Vec<u64>> {
    let Value::Array(raw) = dimensions else { return None };
    let mut shape = Vec::new();
    let read = Cursor::new(raw).array(|cursor| {
        let size = cursor.value()?.as_i64().and_then(|size| u64::try_from(size).ok());
        shape.push(size.ok_or(Broken::Expected("a size"))?);
        Ok(())
    });
    read.is_ok().then_some(shape)
}

/// The element type in `Half`, `Row major linear FP16 format` and the like.
fn data_type(name: &str) -> Option<DataType> {
    name.split(|letter: char| !letter.is_ascii_alphanumeric()).find_map(|word| {
        Some(match word.to_ascii_lowercase().as_str() {
            "double" | "fp64" => DataType::Fp64,
            "float" | "fp32" | "float32" => DataType::Fp32,
            "half" | "fp16" | "float16" => DataType::Fp16,
            "bfloat16" | "bf16" => DataType::Bf16,
            "int64" => DataType::S64,
            "int32" => DataType::S32,
            "int16" => DataType::S16,
            "int8" => DataType::S8,
            "uint64" => DataType::U64,
            "uint32" => DataType::U32,
            "uint16" => DataType::U16,
            "uint8" => DataType::U8,
            "bool" => DataType::Bool,
            "fp8" | "fp4" | "int4" => DataType::Other,
            _ => return None,
        })
    })
}

/// Names in `[ONNX Layer: /a][ONNX Layer: /b]`, with control characters between
/// them or without.
fn nodes(metadata: &str) -> Vec<String> {
    const OPENING: &str = "[ONNX Layer: ";
    let between = |character: char| matches!(character, '\u{1e}' | '\u{1f}');
    let mut nodes: Vec<String> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for part in metadata.split(between).flat_map(|group| group.split(OPENING).skip(1)) {
        // What follows the last bracket is of no node.
        if let Some((name, _)) = part.rsplit_once(']')
            && seen.insert(name.to_string())
        {
            nodes.push(name.to_string());
        }
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_metadata() {
        let names = |metadata: &str| nodes(metadata).join("|");
        assert_eq!(names("[ONNX Layer: /a][ONNX Layer: /b]"), "/a|/b");
        assert_eq!(names("[ONNX Layer: /a]\u{1e}[ONNX Layer: /b]\u{1f}[ONNX Layer: /a]"), "/a|/b");
        assert_eq!(names("[ONNX Layer: x[0]]\u{1f}[ONNX Layer: y]"), "x[0]|y");
        assert_eq!(names("no layer"), "");
        assert_eq!(names("[ONNX Layer: cut"), "");
    }

    #[test]
    fn element_types_in_formats() {
        assert_eq!(data_type("Row major linear FP16 format"), Some(DataType::Fp16));
        assert_eq!(
            data_type("Thirty-two wide channel vectorized row major Int8 format"),
            Some(DataType::S8)
        );
        assert_eq!(data_type("Row major linear FP8 format"), Some(DataType::Other));
        assert_eq!(data_type("N/A due to dynamic shapes"), None);
    }

    #[test]
    fn text_is_told_apart_from_numbers_in_kernels() {
        let mut cursor = Cursor::new(br#"{"Name":"c","Kernel":[3,3],"TacticName":"sm80"} "#);
        let layer = layer(&mut cursor).unwrap().unwrap();
        assert_eq!(layer.operator.kernel.as_deref(), Some("sm80"));
        assert_eq!(layer.operator.attributes["Kernel"], "[3,3]");
    }

    #[test]
    fn unescaped_names_of_the_brief_form() {
        let text = br#"["a "b" + c", "d"]"#;
        let (mut layers, mut damage) = (Vec::new(), crate::Damage::default());
        let mut cursor = Cursor::new(text);
        records::read(&mut cursor, &mut damage, layer, &mut |_, layer| layers.push(layer)).unwrap();
        let names: Vec<&str> = layers.iter().map(|layer| layer.operator.name.as_str()).collect();
        assert_eq!(names, [r#"a "b" + c"#, "d"]);
    }
}

//! Finds the fields of an operator's line, even where they slid.
//!
//! The Neural Engine ends a shape with the comma behind its last dimension. A
//! scalar has none, so its comma is missing, and what follows stands one column
//! further left. An operator without inputs lacks three columns. Names with
//! commas push everything to the right. The types are what gives the place away.

use crate::DataType;
use onnxray_text::csv_text::unmarked;
use std::ops::Range;

/// Separates tensors of a list.
const BETWEEN: char = ';';

/// A list of tensors: the fields with the names, and texts of shapes and types.
#[derive(Debug)]
pub struct TensorColumns {
    /// Fields with the names.
    pub names: Range<usize>,
    /// Shapes of the tensors; scalars have none.
    pub shapes: Vec<String>,
    /// With what separates them.
    pub types: String,
}

/// Positions of an operator's fields in its line.
#[derive(Debug)]
pub struct OperatorColumns {
    /// Input tensors, if there are any.
    pub inputs: Option<TensorColumns>,
    /// Output tensors, if their fields are found.
    pub outputs: Option<TensorColumns>,
    name: Range<usize>,
    /// Column of the weight's shape.
    pub weight: usize,
    /// Whether fields are in other columns than their own.
    pub slid: bool,
}

impl OperatorColumns {
    /// Finds the columns of a line of a CSV or a sheet; `None` if it is not an operator's.
    pub fn of(fields: &[String]) -> Option<OperatorColumns> {
        // First as it should be: a line that fits in place is never searched for another reading.
        let found = columns(fields).or_else(|| slid(fields))?;
        let kind = fields.first().map_or("", String::as_str);
        // A line that names neither operator nor type is a total or empty.
        (!found.name(fields).is_empty() || !unmarked(kind).is_empty()).then_some(found)
    }

    /// The operator's name.
    pub fn name(&self, fields: &[String]) -> String {
        joined(fields, self.name.clone())
    }

    /// Column of the target: the sparsity that the user aims at.
    pub fn target(&self) -> usize {
        self.weight + 4
    }

    /// Column of the perf ratio that is looked up for the target.
    pub fn perf_ratio(&self) -> usize {
        self.weight + 5
    }
}

/// The text of fields that commas in a name made of one.
pub fn joined(fields: &[String], range: Range<usize>) -> String {
    let fields = fields.get(range).unwrap_or_default().iter();
    fields.map(|field| unmarked(field)).collect::<Vec<_>>().join(",")
}

/// The parts of a list of tensors; none of an empty one.
fn parts(text: &str) -> Vec<&str> {
    match text.trim() {
        "" => Vec::new(),
        text => text.split(BETWEEN).map(str::trim).collect(),
    }
}

/// The fields of a line in which everything is in its own column.
fn columns(fields: &[String]) -> Option<OperatorColumns> {
    let field = |column: usize| fields.get(column).map_or("", String::as_str);
    let list = |names: usize| {
        let (shapes, types) = (field(names + 1), field(names + 2));
        let sound = parts(types).into_iter().all(is_type)
            && (shapes.is_empty() || parts(shapes).into_iter().all(is_shape))
            && field(names).is_empty() == types.is_empty();
        sound.then(|| TensorColumns {
            names: names..names + 1,
            shapes: parts(shapes).into_iter().map(str::to_string).collect(),
            types: types.to_string(),
        })
    };
    let weight = field(9);
    let sound =
        // 13 columns, up to the latency; `is_shape` alone would take a number for a weight.
        fields.len() >= 13 && (weight.is_empty() || weight.contains('x') && is_shape(weight));
    let known = |list: TensorColumns| (!list.types.is_empty()).then_some(list);
    Some(OperatorColumns {
        inputs: known(list(3)?),
        outputs: known(list(6).filter(|_| sound)?),
        name: 2..3,
        weight: 9,
        slid: false,
    })
}

/// Everything where the types say it is.
fn slid(fields: &[String]) -> Option<OperatorColumns> {
    let typed: Vec<usize> = (3..fields.len())
        .filter(|&column| shapes_and_types(&fields[column]).is_some())
        .take(2)
        .collect();
    let (inputs, outputs) = match typed.as_slice() {
        [] => return None,
        // There are operators without inputs, and none without outputs.
        [only] => (None, *only),
        [inputs, outputs, ..] => (Some(*inputs), *outputs),
    };
    let first = list(fields, 3, inputs.unwrap_or(outputs))?;
    let name = name(fields, &first, inputs.map(|inputs| &fields[inputs + 1..outputs]));
    let first = TensorColumns { names: name.end..first.names.end, ..first };
    let (inputs, outputs) = match inputs {
        Some(inputs) => (Some(first), list(fields, inputs + 1, outputs)?),
        None => (None, first),
    };
    Some(OperatorColumns {
        inputs,
        outputs: Some(outputs),
        name,
        weight: typed.last()? + 1,
        slid: true,
    })
}

/// The list whose types are in the field `column` and whose names begin at `least` or later.
fn list(fields: &[String], least: usize, column: usize) -> Option<TensorColumns> {
    let (mut shapes, types) = shapes_and_types(&fields[column])?;
    let mut end = column;
    if !shapes.is_empty() {
        // The last one is the scalar whose comma is missing.
        shapes.push("");
    } else if column > least && parts(&fields[column - 1]).into_iter().all(is_shape) {
        end = column - 1;
        shapes = parts(&fields[end]);
    }
    Some(TensorColumns {
        names: least..end,
        shapes: shapes.into_iter().map(str::to_string).collect(),
        types: types.join(";"),
    })
}

/// The fields of the operator's name, which are followed by those of its first
/// list of tensors.
fn name(fields: &[String], tensors: &TensorColumns, outputs: Option<&[String]>) -> Range<usize> {
    let ends = 3..tensors.names.end.max(4);
    // The output is mostly named after the operator.
    let named_after = |end: &usize| {
        let name = fields[2..*end].join(",") + ":";
        let rest = match outputs {
            Some(outputs) => outputs.join(","),
            None => fields[*end..].join(","),
        };
        rest.starts_with(&name)
    };
    let begins_tensors = |end: &usize| {
        fields.get(*end).and_then(|field| field.split(';').next()).is_some_and(ends_tensor)
    };
    // A name that the output repeats is sure; a field that ends as a tensor's does is a guess.
    let end = ends.clone().find(named_after).or_else(|| ends.clone().find(begins_tensors));
    2..end.unwrap_or(3)
}

/// Shapes and then types, of which there must be some: `1024x256;fp32;s32`.
fn shapes_and_types(field: &str) -> Option<(Vec<&str>, Vec<&str>)> {
    let mut shapes = parts(field);
    let first = shapes.iter().position(|part| is_type(part))?;
    let types = shapes.split_off(first);
    let sound =
        shapes.iter().all(|s| !s.is_empty() && is_shape(s)) && types.iter().all(|t| is_type(t));
    sound.then_some((shapes, types))
}

/// Dimensions, or nothing for a scalar.
fn is_shape(text: &str) -> bool {
    let number = |size: &str| !size.is_empty() && size.bytes().all(|byte| byte.is_ascii_digit());
    text.is_empty() || text == "unknown" || text.split('x').all(number)
}

/// Whether a text ends as names of tensors do: in a colon and a number.
pub fn ends_tensor(text: &str) -> bool {
    let number = text.trim_end().rsplit_once(':').map(|(_, number)| number);
    number.is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// The element type of a name; `None` if it is unknown.
pub fn type_named(name: &str) -> Option<DataType> {
    Some(match name.trim() {
        "" | "unknown" => return None,
        "fp64" | "f64" => DataType::Fp64,
        "fp32" | "f32" => DataType::Fp32,
        "fp16" | "f16" => DataType::Fp16,
        "bf16" => DataType::Bf16,
        "s64" | "int64" => DataType::S64,
        "s32" | "int32" => DataType::S32,
        "s16" | "int16" => DataType::S16,
        "s8" | "int8" => DataType::S8,
        "u64" | "uint64" => DataType::U64,
        "u32" | "uint32" => DataType::U32,
        "u16" | "uint16" => DataType::U16,
        "u8" | "uint8" => DataType::U8,
        "bool" => DataType::Bool,
        "string" => DataType::String,
        _ => DataType::Other,
    })
}

fn is_type(word: &str) -> bool {
    let named = type_named(word).is_some_and(|of| of != DataType::Other);
    named || matches!(word.trim(), "unknown" | "other" | "fp8" | "int4" | "s4" | "u4")
}

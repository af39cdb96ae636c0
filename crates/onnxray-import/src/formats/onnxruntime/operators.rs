//! The operators that a profile's labels tell of: names, types and shapes.

use super::profile::{fact, is_node};
use crate::chrome::{EventTrace, Label};
use crate::damage::DamageKind;
use crate::json::{Cursor, Value};
use onnxray_format::{DataType, Operator, Phase, Tensor};
use std::collections::{HashMap, HashSet};

pub(crate) struct NamedOperators {
    /// Names are not unique: nodes may share one.
    pub(crate) operators: Vec<Operator>,
    pub(crate) of_label: Vec<Option<u32>>,
    /// How many operators have labels with different shapes.
    pub(crate) reshaped: usize,
    /// Names of labels with shapes that cannot be understood.
    pub(crate) unreadable: Vec<String>,
}

/// The operators of the labels that are `used`, in order of their first one. Nodes of one
/// name are the same if their types and their numbers in their graph are.
pub(crate) fn operators(trace: &EventTrace, used: impl Fn(usize) -> bool) -> NamedOperators {
    let spelling = Spelling::of(trace);
    let mut operators: Vec<Operator> = Vec::new();
    let mut numbers: HashMap<(String, String, Option<&[u8]>), u32> = HashMap::new();
    let mut reshaped = HashSet::new();
    let mut unreadable = Vec::new();
    let of_label = trace.labels.iter().enumerate().map(|(position, label)| {
        if !is_node(label) || !used(position) {
            return None;
        }
        let (candidate, understood) = operator(label, spelling);
        if !understood {
            unreadable.push(candidate.name.clone());
        }
        let next = operators.len() as u32;
        let node = label.raw_fact(fact::NODE_INDEX);
        let key = (candidate.name.clone(), candidate.operator_type.clone(), node);
        let number = *numbers.entry(key).or_insert(next);
        match operators.get_mut(number as usize) {
            None => operators.push(Operator { number, ..candidate }),
            Some(earlier) if earlier.inputs.is_empty() && earlier.outputs.is_empty() => {
                *earlier = Operator { number, ..candidate };
            }
            Some(earlier)
                if earlier.inputs != candidate.inputs || earlier.outputs != candidate.outputs =>
            {
                reshaped.insert(number);
            }
            Some(_) => {}
        }
        Some(number)
    });
    let of_label = of_label.collect();
    NamedOperators { operators, of_label, reshaped: reshaped.len(), unreadable }
}

/// Makes names unique, in each phase of a generation: the second operator of a name, in the
/// given order of numbers, gets ` (2)` behind it, the third ` (3)`.
pub(crate) fn tell_apart(operators: &mut [Operator], order: &[u32]) {
    let mut taken: HashSet<(Option<Phase>, String)> =
        operators.iter().map(|found| (found.phase, found.name.clone())).collect();
    let mut counts: HashMap<(Option<Phase>, String), u32> = HashMap::new();
    for &number in order {
        let Some(operator) = operators.get_mut(number as usize) else { continue };
        let count = counts.entry((operator.phase, operator.name.clone())).or_default();
        *count += 1;
        while *count > 1 {
            let name = format!("{} ({count})", operator.name);
            if taken.insert((operator.phase, name.clone())) {
                operator.name = name;
                break;
            }
            *count += 1;
        }
    }
}

/// The operator, and whether its shapes and sizes could be understood.
fn operator(label: &Label, spelling: Spelling) -> (Operator, bool) {
    let name = spelling.name(label);
    let name = name.strip_suffix("_kernel_time").unwrap_or(&name).to_string();
    let operator_type = label.fact_text(fact::OPERATOR_TYPE).unwrap_or_default();
    let (inputs, inputs_read) = tensors(label.raw_fact(fact::INPUTS), "input");
    let (outputs, outputs_read) = tensors(label.raw_fact(fact::OUTPUTS), "output");
    let size = |number| u64::try_from(label.fact(number)?.as_i64()?).ok();
    let sizes = [fact::PARAMETER_BYTES, fact::ACTIVATION_BYTES, fact::OUTPUT_BYTES];
    let bytes = sizes.into_iter().try_fold(0u64, |sum, number| sum.checked_add(size(number)?));
    let sizes_read =
        sizes.iter().all(|&number| label.raw_fact(number).is_none() || size(number).is_some());
    let operator = Operator {
        // The provider is the runtime's own word for who runs the node.
        kernel: label.fact_text(fact::PROVIDER),
        provider: label.fact_text(fact::PROVIDER),
        nodes: if name.is_empty() { Vec::new() } else { vec![name.clone()] },
        // The oldest versions give nodes without names none; newer ones call
        // them by type and number.
        name: match (name.is_empty(), operator_type.is_empty()) {
            (false, _) => name,
            (true, false) => operator_type.clone(),
            (true, true) => "unnamed".to_string(),
        },
        bytes: bytes.filter(|_| inputs.len() >= least_inputs(&operator_type)),
        operator_type,
        inputs,
        outputs,
        ..Operator::default()
    };
    (operator, inputs_read && outputs_read && sizes_read)
}

/// How many inputs a profile must show for its sizes to be whole. Weights that
/// the runtime repacks when it loads the model are in no shape and no size.
fn least_inputs(operator_type: &str) -> usize {
    match operator_type {
        "MatMul" | "FusedMatMul" | "Gemm" | "FusedGemm" | "MatMulInteger" => 2,
        "Conv" | "FusedConv" | "NhwcFusedConv" | "ConvTranspose" | "ConvInteger" => 2,
        "Attention" => 2,
        "MatMulNBits" | "MatMulBnb4" | "DynamicQuantizeMatMul" => 3,
        "LSTM" | "GRU" | "RNN" => 3,
        "MatMulIntegerToFloat" => 4,
        "QAttention" => 5,
        "QGemm" => 6,
        "DynamicQuantizeLSTM" => 7,
        "QLinearMatMul" | "QLinearConv" => 8,
        _ => 0,
    }
}

/// How a version writes names. Those before 1.31 write them as they are, so that
/// a backslash is a backslash.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spelling {
    Escaped,
    AsItIs,
}

impl Spelling {
    /// What the names show: an escape that JSON has not, or a quote that had to be repaired.
    /// A line break or a tab is not to be told from a backslash and a letter; other escapes
    /// beside it, which no version before 1.31 writes, show that the file was saved again.
    fn of(trace: &EventTrace) -> Spelling {
        let names = || trace.labels.iter().map(Label::raw_name);
        let has = |wanted: Escape| names().any(|name| escapes(name).any(|escape| escape == wanted));
        let repaired = trace.damage.count(DamageKind::Repaired) > 0;
        let quoted = |name: &[u8]| memchr::memmem::find(name, b"\\\"").is_some();
        match has(Escape::None) || repaired && names().any(quoted) {
            true => Spelling::AsItIs,
            false if has(Escape::Control) && !has(Escape::Character) => Spelling::AsItIs,
            false => Spelling::Escaped,
        }
    }

    fn name(self, label: &Label) -> String {
        if self == Spelling::Escaped {
            return label.name().into_owned();
        }
        let name = String::from_utf8_lossy(label.raw_name());
        // A name with a quote was repaired, and only such a name.
        match name.contains("\\\"") {
            true => name.replace("\\\"", "\"").replace("\\\\", "\\"),
            false => name.into_owned(),
        }
    }
}

/// What a backslash in a name stands before.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Escape {
    /// A quote, a backslash, a slash or the number of a character.
    Character,
    /// The letter of a control character.
    Control,
    /// Nothing that it could escape.
    None,
}

fn escapes(name: &[u8]) -> impl Iterator<Item = Escape> {
    let mut rest = name;
    std::iter::from_fn(move || {
        let offset = memchr::memchr(b'\\', rest)?;
        let digits = rest.get(offset + 2..offset + 6);
        let escape = match rest.get(offset + 1) {
            Some(b'\\' | b'"' | b'/') => Escape::Character,
            Some(b'u') if digits.is_some_and(|four| four.iter().all(u8::is_ascii_hexdigit)) => {
                Escape::Character
            }
            Some(b'b' | b'f' | b'n' | b'r' | b't') => Escape::Control,
            _ => Escape::None,
        };
        rest = rest.get(offset + 2..).unwrap_or_default();
        Some(escape)
    })
}

/// The operator of each label: what [`operators`] numbers, without their facts. Work of devices has
/// none.
pub(super) fn of_labels(trace: &EventTrace) -> Vec<Option<u32>> {
    let mut numbers: HashMap<[Option<&[u8]>; 3], u32> = HashMap::new();
    let of_label = trace.labels.iter().map(|label| {
        let (kind, node) = (label.raw_fact(fact::OPERATOR_TYPE), label.raw_fact(fact::NODE_INDEX));
        let next = numbers.len() as u32;
        is_node(label).then(|| *numbers.entry([Some(label.raw_name()), kind, node]).or_insert(next))
    });
    of_label.chain(trace.launched.iter().map(|_| None)).collect()
}

/// Sizes of the inputs that a label tells of, those of an input without all sizes unknown.
pub(super) fn input_sizes(label: &Label) -> Vec<Option<Vec<u64>>> {
    let (tensors, _) = tensors(label.raw_fact(fact::INPUTS), "input");
    tensors.into_iter().map(|tensor| tensor.shape).collect()
}

/// Element types and shapes: `[{"float":[2,64,256]},{"int64":[]}]`. The profile
/// has no names of tensors, and leaves out what is none, such as sequences. Also whether
/// all of it could be understood.
fn tensors(raw: Option<&[u8]>, kind: &str) -> (Vec<Tensor>, bool) {
    let mut tensors = Vec::new();
    // Some versions write an empty text.
    let Some(raw) = raw.filter(|&raw| raw != b"\"\"") else { return (tensors, true) };
    let mut all_sizes = true;
    let mut cursor = Cursor::new(raw);
    let read = cursor.array(|cursor| {
        // Versions up to 1.11 write a comma behind a sequence that they leave out.
        while cursor.take(b',') {}
        if cursor.peek() == Some(b']') {
            return Ok(());
        }
        cursor.object(|key, cursor| {
            let mut shape = Vec::new();
            let mut is_known = true;
            cursor.array(|cursor| {
                let size = match cursor.value()? {
                    value @ Value::Number(_) => value.as_i64(),
                    _ => None,
                };
                match size.and_then(|size| u64::try_from(size).ok()) {
                    Some(size) => shape.push(size),
                    // An open size is -1.
                    None => {
                        is_known = false;
                        all_sizes &= size == Some(-1);
                    }
                }
                Ok(())
            })?;
            tensors.push(Tensor {
                name: format!("{kind} {}", tensors.len()),
                data_type: Some(data_type(key.raw)),
                shape: is_known.then_some(shape),
            });
            Ok(())
        })
    });
    (tensors, read.is_ok() && all_sizes)
}

fn data_type(name: &[u8]) -> DataType {
    match name {
        b"float" => DataType::Fp32,
        b"double" => DataType::Fp64,
        b"float16" => DataType::Fp16,
        b"bfloat16" => DataType::Bf16,
        // Of short types it writes the names of its own classes.
        b"Float8E4M3FN" => DataType::Fp8E4M3Fn,
        b"Float8E4M3FNUZ" => DataType::Fp8E4M3FnUz,
        b"Float8E5M2" => DataType::Fp8E5M2,
        b"Float8E5M2FNUZ" => DataType::Fp8E5M2FnUz,
        b"Float8E8M0" => DataType::Fp8E8M0,
        b"Float4E2M1x2" => DataType::Fp4E2M1,
        b"int64" => DataType::S64,
        b"int32" => DataType::S32,
        b"int16" => DataType::S16,
        b"int8" => DataType::S8,
        b"Int4x2" => DataType::S4,
        b"Int2x4" => DataType::S2,
        b"uint64" => DataType::U64,
        b"uint32" => DataType::U32,
        b"uint16" => DataType::U16,
        b"uint8" => DataType::U8,
        b"UInt4x2" => DataType::U4,
        b"UInt2x4" => DataType::U2,
        b"bool" => DataType::Bool,
        b"string" => DataType::String,
        _ => DataType::Other,
    }
}

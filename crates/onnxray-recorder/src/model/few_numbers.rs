//! The elements of small constants that the file itself holds: sizes, axes, lone numbers.

use super::graph::Constant;
use onnxray_format::DataType;
use std::rc::Rc;
use tract_onnx::pb;

/// Constants of more elements are weights and tables.
const FEW: usize = 64;

/// What a Constant node lists in an attribute instead of a tensor.
pub(super) fn listed(attribute: &pb::AttributeProto) -> Option<Constant> {
    let pb::AttributeProto { ints, floats, strings, .. } = attribute;
    let texts = |shape| Constant { shape, data_type: DataType::String, ..Constant::unknown() };
    let whole = |numbers: &[i64]| numbers.iter().map(|&number| number as f64).collect();
    let (is_list, data_type, numbers): (bool, DataType, Vec<f64>) = match attribute.name.as_str() {
        "value_int" => (false, DataType::S64, whole(&[attribute.i])),
        "value_ints" => (true, DataType::S64, whole(ints)),
        "value_float" => (false, DataType::Fp32, vec![attribute.f.into()]),
        "value_floats" => {
            (true, DataType::Fp32, floats.iter().map(|&number| number.into()).collect())
        }
        "value_string" => return Some(texts(Vec::new())),
        "value_strings" => return Some(texts(vec![strings.len() as u64])),
        _ => return None,
    };
    Some(Constant {
        shape: if is_list { vec![numbers.len() as u64] } else { Vec::new() },
        data_type,
        initializer: false,
        numbers: (numbers.len() <= FEW).then(|| numbers.into()),
        is_sparse: false,
    })
}

/// The elements of a tensor; `None` if they are many, no numbers, or lie in another file.
pub(super) fn few_numbers(tensor: &pb::TensorProto, data_type: DataType) -> Option<Rc<[f64]>> {
    macro_rules! raw {
        ($element:ty) => {{
            let each = tensor.raw_data.chunks_exact(size_of::<$element>());
            let number = |bytes: &[u8]| bytes.try_into().ok().map(<$element>::from_le_bytes);
            each.map(|bytes| number(bytes).map(|number| number as f64)).collect::<Option<_>>()?
        }};
    }
    macro_rules! field {
        ($field:ident) => {
            tensor.$field.iter().map(|&number| number as f64).collect()
        };
    }
    let count = tensor.dims.iter().try_fold(1usize, |product, &size| {
        product.checked_mul(usize::try_from(size).ok()?).filter(|&product| product <= FEW)
    })?;
    if !tensor.external_data.is_empty() {
        return None;
    }
    let is_raw = !tensor.raw_data.is_empty();
    let numbers: Vec<f64> = match data_type {
        DataType::S64 if is_raw => raw!(i64),
        DataType::S64 => field!(int64_data),
        DataType::S32 if is_raw => raw!(i32),
        DataType::S8 if is_raw => raw!(i8),
        DataType::U8 | DataType::Bool if is_raw => raw!(u8),
        DataType::S32 | DataType::S8 | DataType::U8 | DataType::Bool => field!(int32_data),
        DataType::Fp32 if is_raw => raw!(f32),
        DataType::Fp32 => field!(float_data),
        DataType::Fp64 if is_raw => raw!(f64),
        DataType::Fp64 => field!(double_data),
        _ => return None,
    };
    (numbers.len() == count).then(|| numbers.into())
}

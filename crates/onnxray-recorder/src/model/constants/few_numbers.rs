//! The elements of small constants that the file itself holds: sizes, axes, lone numbers.

use super::initializers::dense;
use crate::model::graph::Constant;
use onnxray_format::DataType;
use std::rc::Rc;
use tract_onnx::pb;

/// Constants of more elements are weights and tables.
const FEW: usize = 64;

/// Constant that an attribute lists instead of holding a tensor.
pub(in crate::model) fn listed(attribute: &pb::AttributeProto) -> Option<Constant> {
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

/// Elements of a tensor; `None` if they are many, not numeric, or in another file.
pub(in crate::model) fn few_numbers(tensor: &pb::TensorProto) -> Option<Rc<[f64]>> {
    // By the shape, before any element is decoded: the file may be gigabytes long.
    tensor.dims.iter().try_fold(1usize, |product, &size| {
        product.checked_mul(usize::try_from(size).ok()?).filter(|&product| product <= FEW)
    })?;
    // Of files, sizes are compared first.
    let is_here = tensor.external_data.is_empty();
    is_here.then(|| dense(tensor, None))?.map(Into::into)
}

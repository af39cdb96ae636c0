//! Tensors on their way into ONNX Runtime and out of it.

use super::sessions::text;
use crate::tensor::Tensor;
use ndarray::ArrayD;
use ort::memory::Allocator;
use ort::session::SessionInputValue;
use ort::value::{DynTensor, DynValue, Tensor as Value, TensorElementType, ValueType};

/// Copies the inputs of a run.
pub(super) fn into_values(inputs: &[Tensor]) -> Result<Vec<SessionInputValue<'static>>, String> {
    inputs.iter().map(into_value).collect()
}

pub(super) fn into_value(tensor: &Tensor) -> Result<SessionInputValue<'static>, String> {
    macro_rules! copy {
        ($($name:ident),*) => {
            match tensor {
                $(Tensor::$name(array) => Value::from_array(in_order(array)).map_err(text)?.into(),)*
                Tensor::Zeros(zeros) => {
                    let element_type = element_type(zeros.element_type)?;
                    let shape: Vec<i64> = zeros.shape.iter().map(|&size| size as i64).collect();
                    let allocator = Allocator::default();
                    DynTensor::new(&allocator, element_type, shape).map_err(text)?.into()
                }
                Tensor::Text(array) => {
                    let array = in_order(array);
                    Value::from_string_array(&array).map_err(text)?.into()
                }
            }
        };
    }
    Ok(copy!(F64, F32, F16, I64, I32, I16, I8, U64, U32, U16, U8, Bool))
}

/// The type of that number in ONNX' `TensorProto.DataType`, of those that no array is of.
fn element_type(number: i32) -> Result<TensorElementType, String> {
    Ok(match number {
        14 => TensorElementType::Complex64,
        15 => TensorElementType::Complex128,
        16 => TensorElementType::Bfloat16,
        17 => TensorElementType::Float8E4M3FN,
        18 => TensorElementType::Float8E4M3FNUZ,
        19 => TensorElementType::Float8E5M2,
        20 => TensorElementType::Float8E5M2FNUZ,
        21 => TensorElementType::Uint4,
        22 => TensorElementType::Int4,
        23 => TensorElementType::Float4E2M1,
        24 => TensorElementType::Float8E8M0,
        25 => TensorElementType::Uint2,
        26 => TensorElementType::Int2,
        other => return Err(format!("inputs of ONNX type {other} cannot be made up")),
    })
}

/// A copy whose elements lie in the order of the axes.
fn in_order<T: Clone>(array: &ArrayD<T>) -> ArrayD<T> {
    array.as_standard_layout().into_owned()
}

/// Copies an output.
pub(super) fn from_value(value: &DynValue) -> Result<Tensor, String> {
    let ValueType::Tensor { ty, .. } = value.dtype() else {
        return Err(format!("an output is no tensor but {}", value.dtype()));
    };
    macro_rules! array {
        ($element:ty) => {
            value.try_extract_array::<$element>().map_err(text)?.to_owned().into()
        };
    }
    Ok(match ty {
        TensorElementType::Float64 => array!(f64),
        TensorElementType::Float32 => array!(f32),
        TensorElementType::Float16 => array!(half::f16),
        TensorElementType::Int64 => array!(i64),
        TensorElementType::Int32 => array!(i32),
        TensorElementType::Int16 => array!(i16),
        TensorElementType::Int8 => array!(i8),
        TensorElementType::Uint64 => array!(u64),
        TensorElementType::Uint32 => array!(u32),
        TensorElementType::Uint16 => array!(u16),
        TensorElementType::Uint8 => array!(u8),
        TensorElementType::Bool => array!(bool),
        TensorElementType::String => Tensor::Text(value.try_extract_string_array().map_err(text)?),
        other => return Err(format!("an output is of type {other}")),
    })
}

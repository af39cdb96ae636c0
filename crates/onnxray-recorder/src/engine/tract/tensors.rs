//! Tensors on their way into tract and out of it.
//!
//! tract keeps its tensors in memory aligned for its kernels, which it can fill from an
//! array only by a copy; it copies out of it likewise. That is one copy each way, and
//! neither is part of a run.

use crate::tensor::Tensor as Values;
use ndarray::ArrayD;
use tract_onnx::prelude::*;

/// Copies an input.
pub(super) fn into_tract(values: &Values) -> TractResult<TValue> {
    macro_rules! copy_numbers {
        ($($name:ident),*) => {
            match values {
                $(Values::$name(array) => copy(array)?,)*
                Values::Text(array) => Tensor::from(array.clone()),
                Values::Zeros(_) => tract_onnx::tract_hir::internal::bail!("no such type"),
            }
        };
    }
    let tensor = copy_numbers!(F64, F32, F16, I64, I32, I16, I8, U64, U32, U16, U8, Bool);
    Ok(tensor.into_tvalue())
}

fn copy<T: Datum + Copy>(array: &ArrayD<T>) -> TractResult<Tensor> {
    match array.as_slice() {
        Some(values) => Tensor::from_shape(array.shape(), values),
        None => Ok(Tensor::from(array.clone())), // which puts it in order
    }
}

/// Copies an output.
pub(super) fn from_tract(tensor: &Tensor) -> TractResult<Values> {
    macro_rules! array {
        ($element:ty) => {
            tensor.to_plain_array_view::<$element>()?.to_owned().into()
        };
    }
    Ok(match tensor.datum_type().unquantized() {
        DatumType::F64 => array!(f64),
        DatumType::F32 => array!(f32),
        DatumType::F16 => array!(f16),
        DatumType::I64 => array!(i64),
        DatumType::I32 => array!(i32),
        DatumType::I16 => array!(i16),
        DatumType::I8 => array!(i8),
        DatumType::U64 => array!(u64),
        DatumType::U32 => array!(u32),
        DatumType::U16 => array!(u16),
        DatumType::U8 => array!(u8),
        DatumType::Bool => array!(bool),
        DatumType::String => array!(String),
        // Sizes, which tract keeps as formulas.
        DatumType::TDim => return from_tract(tensor.cast_to::<i64>()?.as_ref()),
        other => tract_onnx::tract_hir::internal::bail!("an output is of type {other:?}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn values_and_their_order_survive_both_ways() {
        let columns_first = array![[1i8, 2, 3], [4, 5, 6]].reversed_axes();
        assert!(columns_first.as_slice().is_none(), "not in the order of memory");
        let texts = array!["a".to_string(), String::new()];
        let half = array![[f16::from_f32(0.5)]];
        for values in [columns_first.into(), texts.into(), half.into(), array![true, false].into()]
        {
            let tensor: Values = values;
            assert_eq!(from_tract(&into_tract(&tensor).unwrap()).unwrap(), tensor);
        }
    }
}

//! Tensors on their way into tract and out of it.
//!
//! tract keeps its tensors in memory aligned for its kernels, which it can fill from an
//! array only by a copy; it copies out of it likewise. That is one copy each way, and
//! neither is part of a run.

use crate::tensor::{Element, Tensor as Values, dispatch};
use ndarray::ArrayD;
use tract_onnx::prelude::*;

pub(super) fn into_tract(values: &Values) -> TractResult<TValue> {
    dispatch!(T => if let Some(array) = T::array(values) {
        return Ok(copy(array)?.into_tvalue());
    });
    match values {
        Values::Text(array) => Ok(Tensor::from(array.clone()).into_tvalue()),
        _ => tract_onnx::tract_hir::internal::bail!("no such type"),
    }
}

fn copy<T: Datum + Copy>(array: &ArrayD<T>) -> TractResult<Tensor> {
    match array.as_slice() {
        Some(values) => Tensor::from_shape(array.shape(), values),
        None => Ok(Tensor::from(array.clone())), // which puts it in order
    }
}

pub(super) fn from_tract(tensor: &Tensor) -> TractResult<Values> {
    let datum_type = tensor.datum_type().unquantized();
    dispatch!(T => if datum_type == T::datum_type() {
        return Ok(tensor.to_plain_array_view::<T>()?.to_owned().into());
    });
    match datum_type {
        DatumType::String => Ok(tensor.to_plain_array_view::<String>()?.to_owned().into()),
        // Sizes, which tract keeps as formulas.
        DatumType::TDim => from_tract(tensor.cast_to::<i64>()?.as_ref()),
        other => tract_onnx::tract_hir::internal::bail!("an output is of type {other:?}"),
    }
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

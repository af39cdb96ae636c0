//! Element types of tensors, as ONNX numbers them.

use onnxray_format::DataType;

/// Element types by their number in ONNX' `TensorProto.DataType`, from 1 on.
const DATA_TYPES: [DataType; 26] = {
    use DataType::*;
    [
        Fp32,
        U8,
        S8,
        U16,
        S16,
        S32,
        S64,
        String,
        Bool,
        Fp16,
        Fp64,
        U32,
        U64,
        C64,
        C128,
        Bf16,
        Fp8E4M3Fn,
        Fp8E4M3FnUz,
        Fp8E5M2,
        Fp8E5M2FnUz,
        U4,
        S4,
        Fp4E2M1,
        Fp8E8M0,
        U2,
        S2,
    ]
};

/// `Other` for unknown numbers.
pub(crate) fn data_type(number: i32) -> DataType {
    let position = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
    let known = position.and_then(|position| DATA_TYPES.get(position).copied());
    known.unwrap_or(DataType::Other)
}

/// Inverse of [`data_type`]; `None` for types that are not numeric.
pub(crate) fn element_type(data_type: DataType) -> Option<i32> {
    let position = DATA_TYPES.iter().position(|&own| own == data_type);
    let number = position.filter(|_| data_type != DataType::String)? + 1;
    i32::try_from(number).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn element_types_have_one_number_each() {
        let types: Vec<DataType> = (0..30).map(data_type).collect();
        for (number, data_type) in types.into_iter().enumerate() {
            assert!(element_type(data_type).is_none_or(|own| own == number as i32), "{number}");
        }
        assert_eq!(element_type(DataType::Fp16), Some(10));
    }
}

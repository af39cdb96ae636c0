//! Inputs that are sequences of tensors, which the types that tract generates do not have.

use super::field_numbers::{
    GRAPH_INPUT, MODEL_GRAPH, TYPE_OF_ELEMENTS, TYPE_SEQUENCE, TYPE_TENSOR, VALUE_NAME, VALUE_TYPE,
};
use super::wire::{Fields, values};
use std::collections::HashMap;

/// The element type of each sequence of tensors that the model in `bytes` takes, as a number of
/// ONNX' `TensorProto.DataType`, by the name of the input.
pub(in crate::model) fn sequences(bytes: &[u8]) -> HashMap<String, i32> {
    let inputs = values(bytes, MODEL_GRAPH).flat_map(|graph| values(graph, GRAPH_INPUT));
    let of_input = |input| {
        let of_type = values(input, VALUE_TYPE).next()?;
        let sequence = values(of_type, TYPE_SEQUENCE).next()?;
        let tensor = values(values(sequence, TYPE_OF_ELEMENTS).next()?, TYPE_TENSOR).next()?;
        let mut fields = Fields(tensor).flatten();
        let elements = fields.find(|field| field.number == TYPE_OF_ELEMENTS)?.integer?;
        let name = String::from_utf8(values(input, VALUE_NAME).next()?.to_vec()).ok()?;
        Some((name, i32::try_from(elements).ok()?))
    };
    inputs.filter_map(of_input).collect()
}

//! Elements of constants: where they are stored, as numbers, and as the weights of operators.

pub(super) mod decoded;
pub(crate) mod element_types;
pub(super) mod few_numbers;
pub(super) mod initializers;
pub(super) mod packed;
pub(super) mod stored_tensors;
pub(crate) mod values;
pub(crate) mod weight;

//! ONNX files changed as bytes: what a newer ONNX may have put into them stays.

pub(crate) mod chain;
pub(super) mod field_numbers;
pub(super) mod node_names;
pub(super) mod places;
pub(super) mod replaced;
pub(super) mod sequences;
pub(super) mod wire;

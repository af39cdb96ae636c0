//! The model: what its ONNX file says, without any engine.
//!
//! ```text
//! field_numbers, wire ◀ { chain, mix, node_names, replaced }
//! graph ◀ { protobuf, node_names, replaced } ◀ file
//! graph ◀ { dimensions | tensor_table ◀ flops | values ◀ weight } ◀ describe
//! graph, tensor_table ◀ valid_values
//! { valid_values, numpy } ◀ inputs
//! graph, dimensions ◀ generation
//! ```

pub(crate) mod chain;
pub(crate) mod describe;
pub(crate) mod dimensions;
mod field_numbers;
pub(crate) mod file;
pub(crate) mod flops;
pub(crate) mod generation;
pub(crate) mod graph;
pub(crate) mod inputs;
pub(crate) mod mix;
mod node_names;
pub(crate) mod numpy;
pub(crate) mod protobuf;
mod replaced;
pub(crate) mod tensor_table;
mod valid_values;
pub(crate) mod values;
pub(crate) mod weight;
mod wire;

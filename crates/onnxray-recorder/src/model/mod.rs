//! The model: what its ONNX file says, without any engine.
//!
//! ```text
//! field_numbers, wire ◀ { chain, functions, mix, node_names, replaced, sequences }
//! element_types, decoded ◀ initializers; element_types ◀ stored_tensors
//! graph, initializers ◀ few_numbers
//! graph ◀ { few_numbers | functions | sequences | stored_tensors } ◀ protobuf
//! graph ◀ { protobuf | node_names | replaced | packed | axes } ◀ file
//! { expression, given } ◀ formulas, batch ◀ dimensions
//! graph ◀ { dimensions | tensor_table ◀ { attention, einsum } ◀ flops | packed ◀ values ◀ weight } ◀ describe
//! graph, tensor_table ◀ readers ◀ { valid_values, switches }
//! { valid_values, switches, numpy } ◀ inputs ◀ made_up
//! graph, dimensions ◀ generation
//! ```

mod attention;
mod axes;
mod batch;
pub(crate) mod chain;
mod decoded;
pub(crate) mod describe;
pub(crate) mod dimensions;
mod einsum;
pub(crate) mod element_types;
mod expression;
mod few_numbers;
mod field_numbers;
pub(crate) mod file;
pub(crate) mod flops;
mod formulas;
mod functions;
pub(crate) mod generation;
mod given;
pub(crate) mod graph;
mod initializers;
pub(crate) mod inputs;
pub(crate) mod made_up;
pub(crate) mod mix;
mod node_names;
pub(crate) mod numpy;
mod packed;
pub(crate) mod protobuf;
mod readers;
mod replaced;
mod sequences;
mod stored_tensors;
mod switches;
pub(crate) mod tensor_table;
mod valid_values;
pub(crate) mod values;
pub(crate) mod weight;
mod wire;

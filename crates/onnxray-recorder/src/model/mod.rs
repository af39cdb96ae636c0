//! The model: what its ONNX file says, without any engine.
//!
//! ```text
//! bytes ◀ { functions, parts ◀ { mix, cut } }
//! graph ◀ { constants, functions } ◀ protobuf; bytes, axes, constants, protobuf ◀ file
//! graph ◀ sizes ◀ generation ◀ input_values
//! graph ◀ tensor_table ◀ { cost, input_values }; constants, cost ◀ describe ◀ cut
//! file ◀ pruning
//! ```

mod axes;
pub(crate) mod bytes;
pub(crate) mod constants;
pub(crate) mod cost;
pub(crate) mod cut;
pub(crate) mod describe;
pub(crate) mod file;
mod functions;
pub(crate) mod generation;
pub(crate) mod graph;
pub(crate) mod input_values;
pub(crate) mod mix;
mod parts;
pub(crate) mod protobuf;
pub(crate) mod pruning;
pub(crate) mod sizes;
pub(crate) mod tensor_table;

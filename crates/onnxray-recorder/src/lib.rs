//! Everything that needs the model or an engine: inspect an ONNX model, run it,
//! record the run.
//!
//! [`Session`] records a model inside one's own program; [`record`] is the loop
//! behind the command line; [`Model::operators`] describes a model without
//! running it. From the file to the recording, the modules read in this order:
//!
//! ```text
//! onnx ─▶ dimensions ─▶ model ─▶ tensors, provenance, flops, values, weight ─▶ operators
//!                         └────▶ instrument ─▶ launch ─▶ session, record
//! ```

mod branch;
mod dimensions;
pub mod engine;
mod error;
mod flops;
mod inputs;
mod instrument;
mod launch;
mod machine;
mod model;
mod nodes;
mod onnx;
mod operators;
mod provenance;
mod record;
mod runner;
mod session;
mod tensors;
mod values;
mod weight;

pub use dimensions::{BoundDimensions, GivenDimensions};
pub use error::{MissingDimension, RecordError};
pub use inputs::{InputFiles, inputs};
pub use launch::{Launch, LaunchOptions, Recorded, file_time};
pub use model::Model;
pub use nodes::OnnxNodes;
pub use onnx::{Attribute, Constant, Graph, GraphInput, InputDimension, Node};
pub use record::{Length, Outcome, Progress, Schedule, record};
pub use session::Session;
/// The engine's tensors, as [`Session::run`] takes and returns them.
pub use tract_onnx::prelude::{IntoTValue, TValue, TVec, Tensor, tvec};

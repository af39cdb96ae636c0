//! Everything that needs a model or an engine: inspect an ONNX model, run it,
//! record the run.
//!
//! [`Session`] records a model inside one's own program; [`record`] is the loop
//! behind the command line; [`Model::operators`] describes a model without
//! running it. A module uses only what is to its left:
//!
//! ```text
//! cores, memory ◀ roofs ◀ error, clock, median, tensor ◀ workload ◀ model ◀ engine ◀ { nodes | xray ◀ launch ◀ record ◀ launches, session } ◀ study
//! ```
//!
//! `model` knows no engine: the ONNX file, its dimensions, weights and cost. Each
//! engine is a folder in `engine`, behind one trait.

#![warn(missing_docs)]

mod clock;
mod control_groups;
mod cores;
pub mod engine;
mod error;
mod launch;
mod launches;
mod median;
mod memory;
mod model;
mod nodes;
mod record;
mod roofs;
mod session;
pub mod study;
mod tensor;
mod workload;
mod xray;

pub use clock::{Clock, MonotonicClock};
pub use cores::{Pin, PinError};
pub use engine::Model;
pub use error::{MissingDimension, RecordError};
pub use launch::conditions::limit as cpu_limit;
pub use launch::{Launch, LaunchOptions, Place, Recorded, calibrate};
pub use launches::{
    FailedInstance, Folders, Instances, LaunchError, LaunchSpec, Launches, Peers, ProcessSpec,
    Rounds, SERVED, Trial, Turns, check_memory, check_memory_of_instances, ended, has_served,
    iterations_per_turn, nth_launch,
};
pub use memory::{bound_folding, limit as memory_limit};
pub use model::cut::{Blocks, CutEffect, Look, MeasuredBlock};
pub use model::file::{OnnxFile, sha256};
pub use model::generation::{GenerationOptions, GenerationPlan};
pub use model::input_values::inputs::InputFiles;
pub use model::pruning::{DataFile, PruneError, PrunedModel, WantedLayer};
pub use model::sizes::dimensions::{BoundDimensions, GivenDimensions};
pub use model::tensor_table::TensorTable;
pub use nodes::OnnxNodes;
pub use record::{
    AS_MEASURED, Failure, LaunchHooks, Length, Outcome, Participant, Progress, Schedule, record,
};
pub use session::Session;
pub use tensor::Tensor;
pub use workload::{GenerationInputs, Workload};
pub use xray::{FIRST_LOOK, XrayAim, XrayPlan};

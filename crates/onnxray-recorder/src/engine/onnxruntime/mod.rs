//! ONNX Runtime: a library that is installed apart from this program, loaded when it is
//! asked for.
//!
//! ```text
//! { options | optimizers | package | log } ◀ { library | providers | profile } ◀ sessions ◀ tensors ◀ executed
//! executed_node ◀ made_up ◀ executed
//! executed ◀ { origins ◀ { shapes | operators } | placement | runner } ◀ load
//! ```

mod executed;
mod executed_node;
mod library;
mod load;
mod log;
mod made_up;
mod operators;
mod optimizers;
mod options;
mod origins;
mod package;
mod placement;
mod profile;
mod providers;
mod runner;
mod sessions;
mod shapes;
mod tensors;

pub(super) use library::file;
pub use library::installed;
pub(super) use load::{capabilities, start, tensors};
pub use log::log_to;
pub use options::{OnnxRuntimeOptions, Optimization};
pub use providers::{EngineLibrary, libraries};

//! Two models that compute the same become one: of each tensor that both have and compute in
//! another way, the nodes of A or of B.
//!
//! ```text
//! parts ◀ { names | content ◀ { external | ways ◀ { needs | assemble } } }
//! names ◀ assemble
//! attributes
//! ```
//!
//! Nodes and constants are copied as bytes: what a newer ONNX may have put into them stays.

mod assemble;
mod attributes;
mod content;
mod external;
mod names;
mod needs;
mod ways;

pub(crate) use assemble::Observed;
pub(crate) use attributes::with_integer;
pub(crate) use external::inlined;
pub(crate) use names::{names, renamed};
pub(crate) use needs::{SAME, Seen, needs};
pub(crate) use ways::{Change, Pair, Side};

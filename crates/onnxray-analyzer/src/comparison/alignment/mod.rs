//! Which operators of two recordings do the same work.
//!
//! Names, fusions and precisions differ between two versions of a model, so that
//! the answer is groups: one or several operators of A for one or several of B.
//! What says more is asked first:
//!
//! ```text
//! ONNX nodes ▶ names made from them ▶ tensors, weights ▶ type, shapes, order ▶ place
//! ```
//!
//! A link is never taken back, and later questions are about operators that have
//! no counterpart yet. Conversions (quantization, casts, layouts) that only one
//! side has go with the operator that they serve.

mod align;
mod by_name;
mod by_order;
mod fused;
mod group;
mod kind;
mod names;
mod serve;
mod sets;
mod tensors;

pub use align::align;
pub use group::{Alignment, Certainty, Group, Member, Method, Side};
pub(crate) use kind::work;
pub use kind::{Kind, kind};

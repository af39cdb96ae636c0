//! tract: everything that knows its types, operators and names.
//!
//! ```text
//! causes, tensors, branch                                   ◀ { load, runner }
//! options, sparse                                           ◀ load; sparse ◀ kernels
//! kernels ◀ { shapes | origin ◀ provenance ◀ operators }    ◀ load
//! kernels, instrument ◀ wrap; instrument ◀ runner           ◀ load
//! ```

mod branch;
mod causes;
mod instrument;
mod kernels;
mod load;
mod operators;
mod options;
mod origin;
mod provenance;
mod runner;
mod shapes;
mod sparse;
mod tensors;
mod wrap;

pub(crate) use load::infer;
pub(super) use load::{capabilities, start, tensors};
pub use options::{TractOptions, ZeroShare};

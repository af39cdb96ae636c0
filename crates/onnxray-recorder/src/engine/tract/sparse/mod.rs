//! Products of an optimized model that skip the zero blocks of their weight.
//!
//! ```text
//! product, packing ◀ candidate ◀ replace
//! ```

mod candidate;
mod packing;
mod product;
mod replace;

pub(super) use product::SparseProduct;
pub(super) use replace::{Dense, replace};

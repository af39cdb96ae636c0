//! Products of matrices whose weight is mostly zeros, in blocks of 4 outputs of one input. Knows no
//! model and no engine.
//!
//! A [`Weight`] keeps the blocks that are not zero; a [`Kernel`] multiplies with the instructions of
//! one set, and applies [`Step`]s to what comes out. Zeros are skipped, so that an infinite or
//! undefined input behind one does not reach the output.

mod kernel;
mod step;
mod weight;

pub use kernel::{InstructionSet, Kernel};
pub use onnxray_native::rows::{Division, Rows, over};
pub use step::{Arithmetic, Operand, Step};
pub use weight::{BLOCK_OUTPUTS, Weight, WeightError, zero_share};

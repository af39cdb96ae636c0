//! Contains failures: a panic becomes a message, a file appears whole or not
//! at all.
//!
//! A leaf, because the recorder, the analyzer and the program need them, and the first
//! two do not know each other.

mod catch_panic;
mod whole_file;

pub use catch_panic::catch_panic;
pub use whole_file::{OutputFile, WholeFile, remove_leftovers, remove_unfinished, try_folder};

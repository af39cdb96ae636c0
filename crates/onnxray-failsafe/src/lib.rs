//! Contains failures: a panic becomes a message, a file appears whole or not
//! at all.
//!
//! A leaf, because the recorder and the analyzer need both and do not know each
//! other.

mod catch_panic;
mod whole_file;

pub use catch_panic::catch_panic;
pub use whole_file::WholeFile;

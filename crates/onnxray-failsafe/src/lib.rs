//! Contains failures: a panic becomes a message, a file appears whole or not
//! at all, what should run beside runs here where there is no thread.
//!
//! A leaf, because the recorder, the analyzer and the program need them, and the first
//! two do not know each other.

mod beside;
mod catch_panic;
mod private_folder;
mod regular_file;
mod whole_file;

pub use beside::{Beside, beside};
pub use catch_panic::catch_panic;
pub use private_folder::{PrivateFolder, private_folder};
pub use regular_file::{open_regular, read_regular, stays_inside};
pub use whole_file::{WholeFile, remove_leftovers, remove_unfinished, try_folder};

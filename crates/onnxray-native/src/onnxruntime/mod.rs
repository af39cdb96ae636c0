//! ONNX Runtime's library: its table of functions, whatever its version.
//!
//! ```text
//! missing ◀ table ◀ { library | providers }
//! ```

mod library;
mod missing;
mod providers;
mod table;

pub use library::{Loaded, load};
pub use providers::{available, prefer};
pub use table::{NEWEST, OLDEST};

//! ONNX Runtime's library: its table of functions, whatever its version.
//!
//! ```text
//! missing ◀ table ◀ { library | providers | assignment }
//! ```

mod assignment;
mod library;
mod missing;
mod providers;
mod table;

pub use assignment::{ASSIGNMENT_SINCE, Assigned, RECORD_ASSIGNMENT, assignment};
pub use library::{Loaded, load};
pub use providers::{available, prefer};
pub use table::{NEWEST, OLDEST};

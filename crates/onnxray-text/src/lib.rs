//! Names, paths, numbers and words as people read them.
//!
//! What a terminal shows, a shell takes, a CSV holds and a message says of a file that was
//! given by mistake. Knows no recording.

mod counted;
pub mod csv_text;
pub mod difference;
mod file_kind;
mod near_names;
mod printable;
mod shell_word;

pub use counted::{about, counted};
pub use file_kind::FileKind;
pub use near_names::{did_you_mean, file_failure, nearest};
pub use printable::{first_of, is_hidden, printable, shown};
pub use shell_word::shell_word;

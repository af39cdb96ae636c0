//! The files that a command's words stand for, and the names that it was given.

pub(super) mod input;
pub(super) mod label;
pub(super) mod sides;
pub(super) mod unknown_names;
pub(super) mod usual;

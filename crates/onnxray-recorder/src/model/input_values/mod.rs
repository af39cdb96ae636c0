//! Values of inputs: from files, or made up so that they are valid.

pub(crate) mod inputs;
pub(crate) mod made_up;
pub(crate) mod numpy;
pub(super) mod readers;
pub(super) mod switches;
pub(super) mod valid_values;

//! Commands that run a study: a base and its variants, measured in turns.

pub(crate) mod judge;
pub(crate) mod mix;
mod own_report;
pub(crate) mod sensitivity;
pub(crate) mod sweep;
pub(crate) mod tune;

//! The arguments of studies.

pub(super) mod mix;
pub(super) mod sensitivity;
pub(super) mod sweep;
pub(super) mod tune;

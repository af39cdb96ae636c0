//! Studies: a base and its variants, measured in turns, kept in a journal, verified.

pub(super) mod journal;
pub(crate) mod judge;
pub(crate) mod mix;
mod own_report;
pub(super) mod search;
pub(crate) mod sensitivity;
mod starts;
mod steps;
pub(crate) mod sweep;
pub(crate) mod tune;
pub(super) mod verification;

//! What reports say; no writer's syntax.

pub(crate) mod check;
pub(crate) mod comparison;
mod declared;
#[cfg(test)]
mod documentation;
pub(crate) mod first_screen;
pub(crate) mod flops;
pub(crate) mod inputs;
pub(crate) mod profiles;
pub(crate) mod projection;
pub(crate) mod recording;
pub(crate) mod regressions;
pub(crate) mod report;
pub(crate) mod schema;
pub(crate) mod selection;
mod shares;
pub(crate) mod study;
pub(crate) mod sweep;
pub(crate) mod tables;
pub(crate) mod verification;
mod words;

//! What reports say; no writer's syntax.

pub(crate) mod check;
pub(crate) mod comparison;
mod declared;
#[cfg(test)]
mod documentation;
pub(crate) mod first_screen;
pub(crate) mod flops;
pub(crate) mod inputs;
pub(crate) mod loss;
pub(crate) mod mix;
pub(crate) mod profiles;
pub(crate) mod projection;
pub(crate) mod recording;
pub(crate) mod regressions;
pub(crate) mod report;
pub(crate) mod schema;
mod searches;
pub(crate) mod selection;
mod shares;
pub(crate) mod sweep;
mod tables;
pub(crate) mod tune;
mod words;

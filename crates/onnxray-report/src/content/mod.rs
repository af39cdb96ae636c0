//! What reports say; no writer's syntax.

pub(crate) mod check;
pub(crate) mod comparison;
mod concurrency;
#[cfg(test)]
mod declared;
#[cfg(test)]
mod documentation;
mod downsample;
pub(crate) mod first_screen;
pub(crate) mod flops;
mod graph;
mod histograms;
pub(crate) mod inputs;
mod latency;
mod launches;
pub(crate) mod loss;
pub(crate) mod mix;
mod model;
pub(crate) mod modules;
mod operators;
mod phases;
mod placement;
pub(crate) mod profiles;
pub(crate) mod projection;
pub(crate) mod recording;
mod resources;
mod searches;
pub(crate) mod selection;
mod shares;
mod slowest;
pub(crate) mod summary;
pub(crate) mod sweep;
mod tensors;
mod timeline;
pub(crate) mod tune;
mod types;
mod words;

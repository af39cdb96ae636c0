//! What reports say; no writer's syntax.

pub mod check;
pub mod comparison;
pub mod inputs;
mod launches;
mod model;
mod operators;
pub mod projection;
pub mod summary;
mod types;

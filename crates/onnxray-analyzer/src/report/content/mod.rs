//! What reports say, one file per report; no writer's syntax.

pub mod check;
pub mod comparison;
pub mod inputs;
mod operators;
pub mod projection;
pub mod summary;

//! Settings of a projection, read from files as people edit and break them.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

mod bad_input;
mod book;
mod damage;
mod edits;
mod formulas;
mod names;
mod profiles;
mod projection;
mod saved;

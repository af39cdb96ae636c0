//! A model as a row of blocks, timed from outside: what lies before each cut is a model of its own,
//! and what a block takes is the difference of two neighbours.
//!
//! ```text
//!   before cut 1  |--------|
//!   before cut 2  |-----------------|            all in turns, several times;
//!   whole         |------------------------|     block 2 = before cut 2 - before cut 1
//! ```
//!
//! An engine needs no profiler for it: it is wrapped here, and looks like one whose spans are of
//! blocks.
//!
//! ```text
//! other_weights, times ◀ runner ◀ plan; { runner, parts } ◀ engine
//! ```

mod engine;
mod huge_pages;
mod other_weights;
mod parts;
mod plan;
mod runner;
mod side;
mod times;
mod timing;

pub(crate) use engine::InBlocks;
pub(crate) use huge_pages::ask_for as ask_for_huge_pages;
pub(crate) use parts::at_once;
pub(crate) use plan::LOOKS;
pub use plan::{FIRST_LOOK, XrayAim, XrayPlan};
pub(crate) use runner::turn;
pub(crate) use side::{Side, Whole};
pub(crate) use times::median;
pub(crate) use timing::Timing;

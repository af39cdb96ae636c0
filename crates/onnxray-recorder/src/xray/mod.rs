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
//! times ◀ runner; blocks, runner ◀ engine
//! ```

mod blocks;
mod engine;
mod runner;
mod times;

pub use blocks::Blocks;
pub(crate) use engine::InBlocks;

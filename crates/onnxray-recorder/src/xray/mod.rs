//! A model as a row of blocks, timed from outside: both sides of each cut are models of their own, which
//! say where in the time of the whole the cut is, and a block is what is between two cuts. All blocks one
//! after the other, each a model of its own, tell neighbours apart better.
//!
//! ```text
//!   cut 1   |--------|  |---------------|    all in turns with the whole, several times;
//!   cut 2   |-----------------|  |------|    a cut is at before / (before + behind),
//!   row     |--------|  |------|  |------|   and where blocks in a row agree with that best
//!   whole   |------------------------|
//! ```
//!
//! An engine needs no profiler for it: it is wrapped here, and looks like one whose spans are of
//! blocks.
//!
//! ```text
//! agreement ◀ times; other_weights, times, timing, side ◀ runner ◀ plan; { side ◀ like_whole; timing } ◀ parts
//! { runner, parts } ◀ engine; huge_pages
//! ```

mod agreement;
mod engine;
mod huge_pages;
mod like_whole;
mod other_weights;
mod parts;
mod plan;
mod runner;
mod side;
mod times;
mod timing;

pub(crate) use engine::InBlocks;
pub(crate) use huge_pages::ask_for as ask_for_huge_pages;
pub(crate) use like_whole::name_dimensions_as_in_whole;
pub(crate) use parts::at_once;
pub(crate) use plan::LOOKS;
pub use plan::{FIRST_LOOK, XrayAim, XrayPlan};
pub(crate) use runner::{TIMED, turn, turn_in_sequence};
pub(crate) use side::{Side, Whole};
pub(crate) use timing::Timing;

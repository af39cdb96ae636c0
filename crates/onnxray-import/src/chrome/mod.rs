//! Chrome traces: arrays of events, read on all cores straight into columns.
//!
//! ```text
//! feed ──slices──▶ slice (one worker each) ──chunks──▶ merge, in order
//! ```
//!
//! [`feed`] cuts the input where events seem to meet. Each slice is read on the
//! guess that it begins between two events; [`merge`] accepts it if the slice
//! before ended there and reads it again, joined with what was left, if not. So
//! a wrong guess costs time and never an event.

mod assemble;
mod by_category;
mod characters;
mod devices;
mod event;
mod feed;
mod joined;
mod label;
mod lacking;
mod left_out;
mod marks;
mod merge;
mod names;
mod outline;
mod pair;
mod repair;
mod slice;
pub mod time;
mod trace;

pub use assemble::{Assembled, IterationMark, assemble};
pub use by_category::operators;
pub use devices::{add_operators, attach, end_with_the_next, relabel};
pub use event::{Argument, EventFormat, Fault, First, Members, Role, Rows, figure};
pub use label::Label;
pub use marks::MarkPattern;
pub use merge::{Options, read_events};
pub use outline::{Outline, Seen, Sign};
pub(crate) use repair::repaired;
pub use trace::{DeviceWork, EventTrace, Launched, Mark, Member, OnDevice};

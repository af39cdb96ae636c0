//! Variants in turns: in which order, on which inputs, next to a base.
//!
//! ```text
//! timed ◀ here; here, spec ◀ apart ◀ side; order, side ◀ rounds
//! ```

mod apart;
mod here;
mod order;
mod rounds;
mod side;
mod spec;
mod timed;

pub(crate) use apart::{Described, Handed, serve};
pub(crate) use here::Here;
pub(crate) use order::{Turn, in_turns, order};
pub(crate) use rounds::{Rounds, loaded_in};
pub(crate) use side::Side;
pub(crate) use spec::ToServe;
pub(crate) use timed::Timed;

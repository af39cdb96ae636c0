//! Studies: a base and its variants, measured in turns, kept in a journal, verified.
//!
//! How a variant is run and written down belongs to the recorder; which of them pay, and what is to
//! be measured next, to the analyzer. Here are the loops between both: they ask the one, measure
//! with the other, keep to a time limit, and go on from what a journal has. The program that runs
//! them is a [`Host`]. A module uses only what is to its left:
//!
//! ```text
//! host, schedule ◀ costs, journal ◀ verification ◀ search ◀ starts, steps ◀ searches
//!                               journal ◀ sensitivity; schedule ◀ sweep; host ◀ until, xray
//! ```

#![warn(missing_docs)]

pub mod costs;
mod host;
pub mod journal;
mod schedule;
mod search;
mod searches;
pub mod sensitivity;
mod starts;
mod steps;
pub mod sweep;
pub mod until;
pub mod verification;
pub mod xray;

pub use host::{Host, Left, Said, Teller, WriteOwn};
pub use search::{Budget, ChangesOf, HeldOutOf, Search, TrialOf};
pub use searches::*;
pub use starts::Starts;
pub use steps::{Outcome, outcome};

//! Reports as workbooks.

mod chart;
pub mod comparison;
pub mod document;
mod layout;
mod page;
pub mod projection;
pub mod recording;
mod sheet;

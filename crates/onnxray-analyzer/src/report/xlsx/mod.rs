//! Reports as workbooks.

pub mod comparison;
mod page;
pub mod projection;
pub mod recording;
mod sheet;

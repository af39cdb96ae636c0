//! Reports as workbooks.

pub mod comparison;
mod layout;
mod page;
pub mod projection;
pub mod recording;
mod sheet;

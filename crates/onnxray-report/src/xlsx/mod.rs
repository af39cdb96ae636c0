//! Reports as workbooks.

mod address;
mod bars;
mod cell_style;
mod chart;
pub(crate) mod comparison;
pub(crate) mod document;
mod file;
pub(crate) mod flops;
mod front;
mod layout;
mod lines;
pub(crate) mod loss;
pub(crate) mod mix;
mod notes;
mod page;
mod places;
mod plain;
pub(crate) mod projection;
pub(crate) mod recording;
mod scatter;
mod sheet;
pub(crate) mod sweep;
mod table;
pub(crate) mod tune;

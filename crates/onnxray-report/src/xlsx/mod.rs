//! Reports as workbooks.

mod charts;
pub(crate) mod comparison;
pub(crate) mod document;
mod file;
pub(crate) mod flops;
mod front;
pub(crate) mod loss;
pub(crate) mod mix;
mod notes;
mod places;
mod plain;
pub(crate) mod projection;
pub(crate) mod recording;
mod sheet;
pub(crate) mod sweep;
mod table;
pub(crate) mod tune;

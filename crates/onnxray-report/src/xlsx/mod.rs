//! Reports as workbooks.

mod bars;
mod chart;
pub(crate) mod comparison;
pub(crate) mod document;
pub(crate) mod flops;
mod layout;
mod lines;
pub(crate) mod loss;
mod page;
pub(crate) mod projection;
pub(crate) mod recording;
mod scatter;
mod sheet;
pub(crate) mod sweep;
mod whole;

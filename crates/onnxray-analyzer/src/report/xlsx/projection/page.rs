//! What the sheets of a projection share: their names, and the ends of estimates.

pub use crate::report::xlsx::page::{
    Numbers, Page, UNKNOWN, Value, Written, cell, cell_in_column, cell_in_row, column, fixed,
    quotient, range,
};

pub use crate::schema::workbook::sheet::*;

use crate::projection::Estimate;

/// One of the three figures of an estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Value,
    Low,
    High,
}

impl End {
    pub const ALL: [End; 3] = [End::Value, End::Low, End::High];

    pub fn of(self, estimate: Estimate) -> f64 {
        match self {
            End::Value => estimate.value,
            End::Low => estimate.low,
            End::High => estimate.high,
        }
    }
}

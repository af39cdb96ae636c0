//! Rows of the frame of iterations, by launch and position in it.

use crate::schema::column;
use crate::statistics::error::StatisticsError;
use crate::trace::{Trace, values};
use polars::prelude::UInt32Type;

/// Where the iterations of each launch stand in the frame.
pub(crate) struct Rows {
    /// The first row of each launch, and the end.
    first: Vec<usize>,
}

impl Rows {
    pub(crate) fn of(trace: &Trace) -> Result<Rows, StatisticsError> {
        let launch = values::<UInt32Type>(&trace.iterations, column::LAUNCH)?;
        let first = (0..=trace.runs.len())
            .map(|number| launch.partition_point(|&launch| (launch as usize) < number))
            .collect();
        Ok(Rows { first })
    }

    /// The row of an event's iteration; `None` for an event in no iteration, which has
    /// a number beyond all.
    pub(crate) fn row(&self, launch: u32, iteration: u32) -> Option<u32> {
        let launch = launch as usize;
        let row = self.first.get(launch)?.checked_add(iteration as usize)?;
        (row < *self.first.get(launch + 1)?).then_some(row as u32)
    }
}

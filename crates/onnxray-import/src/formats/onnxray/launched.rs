//! In which iteration work of devices was launched: a figure of converted recordings.
//!
//! The time of an execution tells its iteration, but of what runs on a device later than it was
//! launched.

use crate::chrome::{DeviceWork, EventTrace, IterationMark, Launched};
use crate::figure::{self, Figure, LAUNCHED_IN};
use crate::packed::Packed;

/// All figures, and behind them the iteration.
pub(super) const FIGURES: [Figure; figure::ALL.len() + 1] = {
    let mut figures = [LAUNCHED_IN; figure::ALL.len() + 1];
    let mut number = 0;
    while number < figure::ALL.len() {
        figures[number] = figure::ALL[number];
        number += 1;
    }
    figures
};

/// Takes the iterations out of the figures, and places what ran on devices by them. `marks` are
/// the iterations in the order of the file.
pub(super) fn place(trace: &mut EventTrace, marks: &[IterationMark]) {
    trace.figures = figure::ALL;
    let launched: Vec<Packed> =
        trace.chunks.iter_mut().filter_map(|rows| rows.figures.pop()).collect();
    for (chunk, launched) in (0..).zip(&launched) {
        launched.for_each(|row, iteration| {
            let mark = usize::try_from(iteration).ok().and_then(|number| marks.get(number));
            // What was launched in none lies before all.
            let (thread, start) = mark.map_or((0, i64::MIN), |mark| (mark.thread, mark.start));
            let label = trace.chunks[chunk as usize].label[row];
            let launch = Some(Launched { label, thread, start });
            trace.work.push(DeviceWork { chunk, row: row as u32, launch, call: None });
        });
    }
}

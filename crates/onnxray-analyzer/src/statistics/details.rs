//! What a page shows beyond the summary: single executions, and how times are spread.

use super::spread::histogram::{Histogram, histograms};
use super::summary::Summary;
use super::times::exclusive::ExclusiveTimes;
use super::times::executions::Executions;
use super::times::spans::{NotShown, Stretch, stretches};
use crate::trace::Trace;
use onnxray_import::Thread;

/// Single executions and histograms, beside a [`Summary`].
#[derive(Clone, Debug)]
pub struct Details {
    /// Executions of a few iterations.
    pub stretches: Vec<Stretch>,
    /// Why these are not all that a timeline should show; `None` if they are.
    pub not_shown: Option<NotShown>,
    /// By launch: the threads or streams that [`super::Spans::thread`] numbers.
    pub threads: Vec<Vec<Thread>>,
    /// By operator: how its times per measured iteration are spread; `None` if it has none.
    pub histograms: Vec<Option<Histogram>>,
}

impl Details {
    /// `summary`, `exclusive` and `executions` were computed from `trace`.
    pub(super) fn of(
        trace: &Trace,
        summary: &Summary,
        exclusive: &ExclusiveTimes,
        executions: Option<&Executions>,
    ) -> Details {
        let (stretches, not_shown) = stretches(trace, &summary.iterations, exclusive);
        let unknown = || vec![None; summary.operators.len()];
        let histograms = executions.map_or_else(unknown, histograms);
        Details { stretches, not_shown, threads: trace.threads.clone(), histograms }
    }
}

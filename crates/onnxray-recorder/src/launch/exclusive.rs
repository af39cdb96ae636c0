//! The time that operators spent themselves, added up while a launch records.

use onnxray_format::{Nanoseconds, Span};

/// Time that operators spent themselves, without what their bodies spent.
pub(super) struct ExclusiveTimes {
    /// `None` for an operator that never ran.
    nanoseconds: Vec<Option<u64>>,
    iterations: u64,
    /// Start and duration of the spans that no parent has claimed yet.
    open: Vec<(Nanoseconds, Nanoseconds)>,
}

impl ExclusiveTimes {
    pub(super) fn new(operators: usize) -> ExclusiveTimes {
        ExclusiveTimes { nanoseconds: vec![None; operators], iterations: 0, open: Vec::new() }
    }

    /// Adds one iteration. Spans come in order of their ends, so the children of
    /// a span are those before it that began after it did.
    pub(super) fn add(&mut self, spans: &[Span]) {
        self.iterations += 1;
        self.open.clear();
        for span in spans {
            let mut inner = Nanoseconds(0);
            while let Some((_, duration)) = self.open.pop_if(|(start, _)| *start >= span.start) {
                inner += duration;
            }
            *self.nanoseconds[span.operator as usize].get_or_insert(0) += (span.duration - inner).0;
            self.open.push((span.start, span.duration));
        }
    }

    /// Mean per iteration; `None` for an operator that never ran.
    pub(super) fn mean_milliseconds(&self, operator: u32) -> Option<f64> {
        let total = self.nanoseconds[operator as usize]?;
        Some(total as f64 / self.iterations as f64 / 1e6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exclusive_times_leave_out_children() {
        let span = |operator, start, duration| Span {
            operator,
            start: Nanoseconds(start),
            duration: Nanoseconds(duration),
        };
        let mut times = ExclusiveTimes::new(4);
        // 0 runs 10..110 and holds 1 at 20..50 and at 60..80; 2 follows.
        times.add(&[span(1, 20, 30), span(1, 60, 20), span(0, 10, 100), span(2, 120, 5)]);
        assert_eq!(times.nanoseconds, [Some(50), Some(50), Some(5), None]);
        assert_eq!(times.mean_milliseconds(0), Some(50e-6));
    }
}

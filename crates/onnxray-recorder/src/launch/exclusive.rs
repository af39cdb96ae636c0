//! The time that operators spent themselves, added up while a launch records.

use onnxray_format::{Span, exclusive};

/// Time that operators spent themselves, without what their bodies spent.
pub(super) struct ExclusiveTimes {
    /// `None` for an operator that never ran.
    nanoseconds: Vec<Option<u64>>,
    iterations: u64,
    /// Of the spans of an iteration, kept to be filled again.
    starts: Vec<u64>,
    durations: Vec<u64>,
}

impl ExclusiveTimes {
    pub(super) fn new(operators: usize) -> ExclusiveTimes {
        ExclusiveTimes {
            nanoseconds: vec![None; operators],
            iterations: 0,
            starts: Vec::new(),
            durations: Vec::new(),
        }
    }

    /// Adds one iteration, whose spans come in order of their ends.
    pub(super) fn add(&mut self, spans: &[Span]) {
        self.iterations += 1;
        self.starts.clear();
        self.starts.extend(spans.iter().map(|span| span.start.0));
        self.durations.clear();
        self.durations.extend(spans.iter().map(|span| span.duration.0));
        let own = exclusive(&self.starts, &self.durations, |span| spans[span].worker);
        for (span, time) in spans.iter().zip(own.times) {
            *self.nanoseconds[span.operator as usize].get_or_insert(0) += time;
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
    use onnxray_format::Nanoseconds;

    #[test]
    fn exclusive_times_leave_out_children() {
        let span = |operator, start, duration| Span {
            operator,
            worker: 0,
            start: Nanoseconds(start),
            duration: Nanoseconds(duration),
        };
        let mut times = ExclusiveTimes::new(4);
        // 0 runs 10..110 and holds 1 at 20..50 and at 60..80; 2 follows.
        times.add(&[span(1, 20, 30), span(1, 60, 20), span(0, 10, 100), span(2, 120, 5)]);
        assert_eq!(times.nanoseconds, [Some(50), Some(50), Some(5), None]);
        assert_eq!(times.mean_milliseconds(0), Some(50e-6));
        // Another thread's lie in none of this one's.
        times.add(&[span(0, 10, 100), Span { worker: 1, ..span(3, 20, 30) }]);
        assert_eq!(times.nanoseconds, [Some(150), Some(50), Some(5), Some(30)]);
    }
}

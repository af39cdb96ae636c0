//! The time that operators spent themselves, added up while a launch records.

use onnxray_format::{Operator, Phase, Span, Step, exclusive};
use std::collections::HashMap;

/// Time that operators spent themselves, without what their bodies spent.
pub(super) struct ExclusiveTimes {
    /// `None` for an operator that never ran.
    nanoseconds: Vec<Option<u64>>,
    /// The phase that each operator runs in.
    phases: Vec<Option<Phase>>,
    /// Number of iterations by phase; of whole inferences under `None`.
    iterations: HashMap<Option<Phase>, u64>,
    /// Buffers for the spans of one iteration, reused: this runs between iterations.
    starts: Vec<u64>,
    durations: Vec<u64>,
}

impl ExclusiveTimes {
    pub(super) fn new(operators: &[Operator]) -> ExclusiveTimes {
        ExclusiveTimes {
            nanoseconds: vec![None; operators.len()],
            phases: operators.iter().map(|operator| operator.phase).collect(),
            iterations: HashMap::new(),
            starts: Vec::new(),
            durations: Vec::new(),
        }
    }

    /// Adds one iteration, whose spans come in order of their ends.
    pub(super) fn add(&mut self, spans: &[Span], step: Option<Step>) {
        *self.iterations.entry(step.map(|step| step.phase)).or_default() += 1;
        self.starts.clear();
        self.starts.extend(spans.iter().map(|span| span.start.0));
        self.durations.clear();
        self.durations.extend(spans.iter().map(|span| span.duration.0));
        let own = exclusive(&self.starts, &self.durations, |span| spans[span].worker);
        for (span, time) in spans.iter().zip(own.times) {
            // `None` stays apart from 0: an operator that never ran has no mean.
            *self.nanoseconds[span.operator as usize].get_or_insert(0) += time;
        }
    }

    /// Mean per iteration of its phase; `None` for an operator that never ran.
    pub(super) fn mean_milliseconds(&self, operator: u32) -> Option<f64> {
        let total = self.nanoseconds[operator as usize]?;
        let iterations = *self.iterations.get(&self.phases[operator as usize])?;
        Some(total as f64 / iterations as f64 / 1e6)
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
        let mut times = ExclusiveTimes::new(&vec![Operator::default(); 4]);
        // 0 runs 10..110 and holds 1 at 20..50 and at 60..80; 2 follows.
        times.add(&[span(1, 20, 30), span(1, 60, 20), span(0, 10, 100), span(2, 120, 5)], None);
        assert_eq!(times.nanoseconds, [Some(50), Some(50), Some(5), None]);
        assert_eq!(times.mean_milliseconds(0), Some(50e-6));
        // Another thread's are inside none of this one's.
        times.add(&[span(0, 10, 100), Span { worker: 1, ..span(3, 20, 30) }], None);
        assert_eq!(times.nanoseconds, [Some(150), Some(50), Some(5), Some(30)]);
    }

    #[test]
    fn means_are_over_the_iterations_of_a_phase() {
        let [prefill, decode] = Phase::ALL.map(|phase| Some(Step { phase, tokens: 1, cached: 0 }));
        let of = |phase| Operator { phase: Some(phase), ..Operator::default() };
        let mut times = ExclusiveTimes::new(&Phase::ALL.map(of));
        let span = |operator, duration| {
            let duration = Nanoseconds(duration);
            [Span { operator, worker: 0, start: Nanoseconds(0), duration }]
        };
        times.add(&span(0, 80), prefill);
        times.add(&span(1, 10), decode);
        times.add(&span(1, 20), decode);
        let means = [0, 1].map(|operator| times.mean_milliseconds(operator));
        assert_eq!(means, [Some(80e-6), Some(15e-6)]);
    }
}

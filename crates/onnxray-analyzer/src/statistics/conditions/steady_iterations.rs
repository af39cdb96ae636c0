//! The steady-state iterations of the launches that tell of the machine.

use super::noise_source::LoadOf;
use crate::statistics::{IterationSummary, LaunchSummary};
use onnxray_format::{Conditions, IterationKind};
use std::ops::Range;

/// The steady-state iterations of a recording, in the order of time.
pub(super) struct SteadyIterations<'a> {
    /// By launch whose conditions are known.
    pub launches: Vec<(&'a Conditions, Range<usize>)>,
    pub iterations: Vec<&'a IterationSummary>,
    pub latencies: Vec<f64>,
    pub load_of: LoadOf,
}

impl<'a> SteadyIterations<'a> {
    pub(super) fn of(
        conditions: &'a [Option<Conditions>],
        iterations: &'a [IterationSummary],
        launches: &[LaunchSummary],
    ) -> SteadyIterations<'a> {
        let mut steady = SteadyIterations {
            launches: Vec::new(),
            iterations: Vec::new(),
            latencies: Vec::new(),
            load_of: LoadOf::OwnCores,
        };
        for of_launch in iterations.chunk_by(|a, b| a.position == b.position) {
            let position = of_launch[0].position as usize;
            let Some(Some(conditions)) = conditions.get(position) else { continue };
            // A launch that never settles is taken whole.
            let found = launches.get(position).and_then(|launch| launch.warmup_found).unwrap_or(0);
            // `warmup_found` counts flagged and measured iterations, without unprofiled ones.
            let recorded = of_launch.iter().filter(|i| i.kind != IterationKind::Unprofiled);
            let begin = steady.iterations.len();
            let measured = recorded.skip(found as usize);
            steady.iterations.extend(measured.filter(|i| i.kind == IterationKind::Measured));
            steady.launches.push((conditions, begin..steady.iterations.len()));
        }
        // With instances, the other cores are busy with these.
        if launches.iter().all(|launch| launch.instance.is_none()) {
            let slices = steady.launches.iter().filter_map(|(known, _)| known.slices.as_ref());
            steady.load_of = LoadOf::of(slices);
        }
        steady.latencies = steady.iterations.iter().map(|i| i.latency.0 as f64).collect();
        steady
    }

    pub(super) fn of_launch(&self, range: &Range<usize>) -> &[&'a IterationSummary] {
        self.iterations.get(range.clone()).unwrap_or_default()
    }
}

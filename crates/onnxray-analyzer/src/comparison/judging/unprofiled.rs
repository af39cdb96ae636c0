//! The latency: unprofiled iterations are compared as measured ones are.

use super::change::Judge;
use super::stability;
use crate::comparison::pairs::paired::Paired;
use crate::comparison::pairs::typical::{LeftOut, Typical};
use crate::comparison::timing::{Measured, Whole};
use crate::comparison::{Compared, Options, Recording, Verdict};
use crate::statistics::{Summary, Timeline};
use crate::units::Share;
use onnxray_format::IterationKind;

/// `None` if a side has no unprofiled iterations, or too few to be tested where measured ones can be.
pub(crate) fn unprofiled(
    recordings: [&Recording; 2],
    options: &Options,
) -> Option<(Compared, [Option<LeftOut>; 2])> {
    let [Some(a), Some(b)] = recordings.map(unprofiled_only) else { return None };
    // Why there are no pairs is said once, of the measured iterations (`compare`).
    let paired = Paired::of([&a, &b]).ok().flatten();
    let recordings = paired.as_ref().map_or([&a, &b], |paired| paired.recordings.each_ref());
    let [Some(of_a), Some(of_b)] = recordings.map(|recording| recording.timeline.as_ref()) else {
        return None;
    };
    let timelines = [of_a, of_b];
    let typical = Typical::of(recordings, paired.as_ref(), IterationKind::Unprofiled);
    let [Some(typical_a), Some(typical_b)] = &typical.timelines else { return None };
    // A whole without parts: nothing is known of operators in unprofiled iterations.
    let measured = [typical_a, typical_b].map(|timeline| Measured {
        sums: Vec::new(),
        medians: Vec::new(),
        whole: timeline.wall().0 as f64,
        timed: timeline.wall().0 as f64,
        overhead: None,
        concurrent: 0.0,
        iterations: timeline.latencies.len() as f64,
        by_iteration: true,
        whole_is: Whole::Wall,
        other_load: Share(0.0),
    });
    let trends = timelines.map(|timeline| Some(stability::trend(timeline)));
    let judge = Judge::new(recordings, &measured, &trends, paired.as_ref(), options);
    let latency = judge.all(&[], &[], &[], None).total;
    // An untested latency would decide in place of the profiled one, which may be tested
    // (`Comparison::decisive`).
    let is_tested = latency.change.verdict != Some(Verdict::NotTested);
    is_tested.then_some((latency, typical.left_out))
}

/// The recording with nothing but its unprofiled iterations, which nothing is known of but how
/// long they take.
fn unprofiled_only(recording: &Recording) -> Option<Recording> {
    let Summary { iterations, launches, .. } = &recording.summary;
    let timeline = Timeline::of_unprofiled(iterations, launches)?;
    Some(Recording {
        label: recording.label.clone(),
        summary: recording.summary.clone(),
        timeline: Some(timeline),
    })
}

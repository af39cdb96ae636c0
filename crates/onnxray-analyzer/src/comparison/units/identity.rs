//! Whether two recordings are one, or have launches in common: by what they hold, so
//! that a copy, a link or another path is noticed as well.

use crate::comparison::Recording;
use onnxray_format::IterationKind;
use std::collections::HashMap;

/// Measured or not, start and wall time of each iteration of a launch, in nanoseconds.
type Iterations = Vec<(bool, u64, u64)>;

/// Sentence about launches that are in both recordings.
pub(crate) fn note(recordings: [&Recording; 2]) -> Option<String> {
    let launches = recordings.map(launches);
    let counts = launches.each_ref().map(Vec::len);
    // Without iterations on both sides, averages of operators are all that can agree.
    if counts.contains(&0) {
        return (counts == [0, 0] && times_are_equal(recordings)).then(one_recording);
    }
    let [a, b] = launches;
    let mut of_a: HashMap<Iterations, usize> = HashMap::new();
    a.into_iter().for_each(|launch| *of_a.entry(launch).or_default() += 1);
    // Taken, not looked up: a side that has a copy of a launch shares it once.
    let mut take = |launch: &Iterations| {
        let left = of_a.get_mut(launch).filter(|left| **left > 0)?;
        *left -= 1;
        Some(())
    };
    let shared = b.iter().filter_map(&mut take).count();
    match shared {
        0 => None,
        // Equal iterations are not enough: operators must take the same as well
        // (docs/statistics.md#one-recording).
        _ if counts == [shared; 2] && times_are_equal(recordings) => Some(one_recording()),
        1 => Some("1 launch is in both A and B: it says nothing of a difference".to_string()),
        _ => {
            Some(format!("{shared} launches are in both A and B: they say nothing of a difference"))
        }
    }
}

fn one_recording() -> String {
    "A and B are one recording: every difference is 0, whatever was changed".to_string()
}

pub(crate) fn is_one(recordings: [&Recording; 2]) -> bool {
    note(recordings) == Some(one_recording())
}

fn launches(recording: &Recording) -> Vec<Iterations> {
    let iterations = &recording.summary.iterations;
    let launches = iterations.chunk_by(|a, b| a.position == b.position);
    let of_launch = launches.map(|launch| {
        let iterations = launch.iter();
        let iterations = iterations.map(|iteration| {
            let measured = iteration.kind == IterationKind::Measured;
            (measured, iteration.start.0, iteration.latency.0)
        });
        iterations.collect()
    });
    of_launch.collect()
}

/// The same operators take the same time, and some time is known.
fn times_are_equal([a, b]: [&Recording; 2]) -> bool {
    let times = |recording: &Recording| -> Vec<(String, Option<u64>, Option<f64>)> {
        let operators = recording.summary.operators.iter();
        let operators = operators.map(|known| {
            let total = known.total.map(|total| total.0);
            (known.operator.name.clone(), total, known.mean.map(|mean| mean.0))
        });
        operators.collect()
    };
    let [a, b] = [times(a), times(b)];
    a == b && a.iter().any(|(_, total, mean)| total.is_some() || mean.is_some())
}

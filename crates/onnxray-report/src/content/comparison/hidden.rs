//! What is said where layers cannot explain what the latencies differ by.

use crate::document::TimeUnit;
use onnxray_analyzer::comparison::{Cause, Comparison, Verdict};
use onnxray_text::printable;

/// Causes that are named.
const NAMED: usize = 3;

/// Tells why layers do not explain the difference: what profiling adds to each side, and what
/// layers measured with it come to. `None` where they explain it.
pub(super) fn hidden(comparison: &Comparison) -> Option<String> {
    let profiling = comparison.hidden_by()?;
    let difference = comparison.unprofiled.as_ref()?.change.difference?.0.abs();
    let costs = profiling.costs.map(|cost| cost.0);
    let unit = TimeUnit::fitting(costs.into_iter().chain([difference]));
    let decimals = unit.decimals(costs.into_iter().chain([difference]));
    let time = |time: f64| format!("{:.decimals$} {}", unit.of(time), unit.name);
    let signed = |time: f64| format!("{:+.decimals$} {}", unit.of(time), unit.name);
    let [a, b] = costs.map(|cost| match cost {
        0.0 => "nothing measurable".to_string(),
        cost => time(cost),
    });
    let (open, measured) = match profiling.reach() {
        Some(reach) => {
            (format!("known to ±{} only", time(reach.0)), "With what is known of it taken out")
        }
        None => ("which is more than they can show".to_string(), "Measured with it"),
    };
    let moved = [Verdict::Faster, Verdict::Slower].map(|verdict| moved(comparison, verdict));
    let moved = in_words(moved, time);
    // Causes also hold what is beyond layers, under these names.
    let others = &comparison.outside;
    let is_of_layers =
        |cause: &&Cause| !cause.is_rest && others.iter().all(|(name, _)| *name != cause.name);
    let of_layers = comparison.hidden_causes.iter().filter(is_of_layers);
    let largest = of_layers.take(NAMED).map(|Cause { name, difference, .. }| {
        format!("{} {}", printable(name), signed(difference.0))
    });
    let largest: Vec<String> = largest.collect();
    let largest = match largest.as_slice() {
        [] => String::new(),
        causes => format!("; most is {}", causes.join("; ")),
    };
    Some(format!(
        "Layers cannot explain a difference of {}: profiling adds {a} to A and {b} to B, {open}. \
         {measured}, {moved}{largest}.",
        time(difference)
    ))
}

/// Layers that are faster, then those that are slower, each with what they come to: `time` writes
/// it.
fn in_words(moved: [(usize, f64); 2], time: impl Fn(f64) -> String) -> String {
    let layers = |count: usize| onnxray_text::counted(count as u64, "layer is", "layers are");
    match moved {
        [(0, _), (0, _)] => "no layer is faster or slower for sure".to_string(),
        [(faster, gained), (0, _)] => {
            format!("{} faster by {} in all, and none slower", layers(faster), time(gained))
        }
        [(0, _), (slower, lost)] => {
            format!("{} slower by {} in all, and none faster", layers(slower), time(lost))
        }
        [(faster, gained), (slower, lost)] => format!(
            "{} faster by {} in all, and {slower} slower by {}",
            layers(faster),
            time(gained),
            time(lost)
        ),
    }
}

/// Layers of a verdict, and by how much their typical times differ in all.
fn moved(comparison: &Comparison, verdict: Verdict) -> (usize, f64) {
    let changes = comparison.groups.iter().map(|group| &group.compared.change);
    let moved = changes.filter(|change| change.verdict == Some(verdict));
    let times: Vec<f64> = moved.filter_map(|change| change.difference).map(|d| d.0.abs()).collect();
    (times.len(), times.iter().sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An empty sum of `f64` is -0.0: "0 layers are faster by -0.0 µs".
    #[test]
    fn a_direction_without_layers_has_no_time() {
        let of = |moved| in_words(moved, |time| format!("{time:.1} µs"));
        assert_eq!(of([(0, -0.0), (0, -0.0)]), "no layer is faster or slower for sure");
        assert_eq!(
            of([(0, -0.0), (1, 2.0)]),
            "1 layer is slower by 2.0 µs in all, and none faster"
        );
        assert_eq!(
            of([(2, 3.0), (0, -0.0)]),
            "2 layers are faster by 3.0 µs in all, and none slower"
        );
        assert_eq!(
            of([(1, 3.0), (4, 5.0)]),
            "1 layer is faster by 3.0 µs in all, and 4 slower by 5.0 µs"
        );
    }
}

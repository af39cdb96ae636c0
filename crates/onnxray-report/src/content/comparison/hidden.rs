//! What is said where layers cannot explain what the latencies differ by.

use crate::document::TimeUnit;
use onnxray_analyzer::comparison::{Cause, Comparison, Verdict, beyond_layers};
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
    let moved = match moved {
        [(0, _), (0, _)] => "no layer is faster or slower for sure".to_string(),
        [(faster, gained), (slower, lost)] => format!(
            "{} faster by {} in all, and {slower} slower by {}",
            onnxray_text::counted(faster as u64, "layer is", "layers are"),
            time(gained),
            time(lost)
        ),
    };
    // Causes also hold what is beyond layers, under these names.
    let others = beyond_layers(&comparison.conservation);
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

/// Layers of a verdict, and by how much their typical times differ in all.
fn moved(comparison: &Comparison, verdict: Verdict) -> (usize, f64) {
    let changes = comparison.groups.iter().map(|group| &group.compared.change);
    let moved = changes.filter(|change| change.verdict == Some(verdict));
    let times: Vec<f64> = moved.filter_map(|change| change.difference).map(|d| d.0.abs()).collect();
    (times.len(), times.iter().sum())
}

//! What is said of fusions that one side has and the other one lacks.

use onnxray_analyzer::comparison::{Comparison, Fusion, Side, Verdict};
use onnxray_text::printable;

/// Groups that are named.
const NAMED: usize = 3;

/// `Fusions: BiasGelu at /layer.0/Gelu lost, the whole layer +0.092 ms; and 3 more.`
pub(super) fn fusions(comparison: &Comparison) -> Option<String> {
    let mut parts: Vec<String> = comparison.fusions.iter().take(NAMED).map(of_group).collect();
    let more = comparison.fusions.len() - parts.len();
    if more > 0 {
        parts.push(format!("and {more} more"));
    }
    (!parts.is_empty()).then(|| format!("Fusions: {}.", parts.join("; ")))
}

fn of_group(fusion: &Fusion) -> String {
    let Fusion { kernels, group, side, difference, verdict } = fusion;
    let change = if *side == Side::A { "lost" } else { "gained" };
    let by = match (verdict, difference) {
        (Some(Verdict::Faster | Verdict::Slower), Some(time)) => {
            format!("the whole layer {:+.3} ms", time.0)
        }
        (Some(Verdict::Same | Verdict::Inconclusive), _) => {
            "the whole layer not significantly faster or slower".to_string()
        }
        _ => "not tested".to_string(),
    };
    format!("{} at {} {change}, {by}", printable(kernels), printable(group))
}

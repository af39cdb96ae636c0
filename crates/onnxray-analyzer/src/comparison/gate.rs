//! What in comparisons should stop a change from going in.

use super::{Comparison, Verdict};

/// What is not to be.
#[derive(Clone, Debug, PartialEq)]
pub struct Gate {
    /// Verdicts on the whole, or on a layer that counts, that stop the change.
    pub verdicts: Vec<Verdict>,
    /// Layers count that take at least this share of either side's latency.
    pub share: f64,
}

/// Why a comparison does not pass, in words; empty if it does.
pub fn gate(comparison: &Comparison, gate: &Gate) -> Vec<String> {
    let text = |verdict: Verdict| match verdict {
        Verdict::Faster => "is faster",
        Verdict::Slower => "is slower",
        Verdict::Same => "is the same",
        Verdict::Inconclusive => "is inconclusive",
        Verdict::NotTested => "was not tested",
    };
    let label = &comparison.labels[1];
    let stops =
        |verdict: Option<Verdict>| verdict.filter(|verdict| gate.verdicts.contains(verdict));
    let mut reasons = Vec::new();
    if let Some(verdict) = stops(comparison.total.change.verdict) {
        reasons.push(format!("{label} {}", text(verdict)));
    }
    for group in &comparison.groups {
        let shares = group.compared.sides.iter().filter_map(|side| side.share);
        let large = shares.into_iter().any(|share| share.0 >= gate.share);
        if let Some(verdict) = stops(group.compared.change.verdict).filter(|_| large) {
            reasons.push(format!("{label}: {} {}", group.name, text(verdict)));
        }
    }
    reasons
}

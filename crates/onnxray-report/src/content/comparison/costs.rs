//! What is said of costs of an inference beside its latency.

use crate::document::{Cell, Tone};
use onnxray_analyzer::comparison::{ComparedCost, Comparison, Cost, Verdict};
use onnxray_text::difference::Adjectives;

/// `lower`, `higher` or what else the test says.
pub(super) fn cost_verdict(compared: &ComparedCost) -> Cell {
    let (text, tone) = match compared.change.verdict {
        Some(Verdict::Faster) => ("lower", Tone::Good),
        Some(Verdict::Slower) => ("higher", Tone::Bad),
        Some(Verdict::Same) => ("same", Tone::Plain),
        Some(Verdict::Inconclusive) => ("inconclusive", Tone::Doubtful),
        Some(Verdict::NotTested) | None => ("not tested", Tone::Doubtful),
    };
    Cell::verdict(text, tone)
}

/// `B costs: CPU time 8.0 % lower (95 % CI 6.1 to 9.9 %), memory at peak the same, start 3.10x
/// longer (…).` `None` if no cost is known of both sides.
pub(super) fn sentence(comparison: &Comparison) -> Option<String> {
    let parts: Vec<String> = told(comparison).filter_map(phrase).collect();
    let label = &comparison.labels[1];
    (!parts.is_empty()).then(|| format!("Cost of {label}: {}.", parts.join(", ")))
}

/// Those that are lower or higher: `CPU time 8.0 % lower (…)`.
pub(in crate::content) fn differing(comparison: &Comparison) -> Vec<String> {
    let differs = |compared: &&ComparedCost| {
        matches!(compared.change.verdict, Some(Verdict::Faster | Verdict::Slower))
    };
    told(comparison).filter(differs).filter_map(phrase).collect()
}

/// The memory at the end is in the table.
fn told(comparison: &Comparison) -> impl Iterator<Item = &ComparedCost> {
    comparison.costs.iter().filter(|compared| compared.cost != Cost::MemoryRetained)
}

fn phrase(compared: &ComparedCost) -> Option<String> {
    let adjectives = match compared.cost {
        Cost::Start | Cost::PacedLatency => Adjectives::DURATION,
        Cost::CpuTime | Cost::PacedCpuTime => Adjectives::AMOUNT,
        Cost::MemoryPeak | Cost::MemoryRetained => Adjectives::AMOUNT,
    };
    let change = &compared.change;
    let name = compared.name();
    if compared.is_of_two_kinds {
        return Some(format!("{name} not compared (of a cold file on one side only)"));
    }
    let ratio = change.ratio?;
    let interval = change.ratio_interval.map(|interval| (interval.low, interval.high));
    let ends = adjectives.confidence(ratio, interval).map(|ends| format!(" ({ends})"));
    let (size, ends) = (adjectives.of(ratio), ends.unwrap_or_default());
    Some(match change.verdict? {
        Verdict::Faster | Verdict::Slower => format!("{name} {size}{ends}"),
        Verdict::Same => format!("{name} the same"),
        Verdict::Inconclusive => format!("{name} {size} but inconclusive{ends}"),
        Verdict::NotTested => format!("{name} {size}, not tested"),
    })
}

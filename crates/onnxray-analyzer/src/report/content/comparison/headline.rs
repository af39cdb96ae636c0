//! The sentences that a reader in a hurry reads.

use crate::comparison::{Change, Compared, Comparison, Verdict};

/// Whether the two can be compared, which is faster, and by how much.
pub(super) fn headline(comparison: &Comparison) -> Vec<String> {
    let mut lines = Vec::new();
    let disturbing = comparison.guard.disturbing();
    let fields: Vec<&str> = disturbing.map(|difference| difference.field.name()).collect();
    if !fields.is_empty() {
        lines.push(format!("Not comparable: {} differ.", fields.join(", ")));
    }
    let [a, b] = &comparison.labels;
    let Compared { sides, change, basis } = comparison.decisive();
    let basis = basis.text();
    let typical = sides.each_ref().map(|side| side.typical);
    let ([Some(time_a), Some(time_b)], Some(ratio)) = (typical, change.ratio) else {
        lines.push(format!("{b} vs {a}: {basis}."));
        return lines;
    };
    let verdict = match change.verdict {
        Some(Verdict::Faster) => format!("{b} is faster than {a}"),
        Some(Verdict::Slower) => format!("{b} is slower than {a}"),
        Some(Verdict::Same) => format!("{b} is as fast as {a}"),
        Some(Verdict::Inconclusive) if comparison.plain.is_some() => {
            format!("inconclusive whether {b} is faster or slower than {a}")
        }
        Some(Verdict::Inconclusive) => {
            format!("Inconclusive whether {b} is faster or slower than {a}")
        }
        Some(Verdict::NotTested) | None => format!("{b} vs {a}, not tested"),
    };
    let reason = change.reason.map(|reason| format!("; {}", reason.text())).unwrap_or_default();
    let interval = change.ratio_interval;
    let interval = interval.map_or(String::new(), |interval| {
        format!(" (95 % interval {:.3} to {:.3}{reason})", interval.low, interval.high)
    });
    let (plainly, of_plain) = match comparison.plain {
        Some(_) => ("Without instrumentation, ", " (plain iterations)"),
        None => ("", ""),
    };
    lines.push(format!(
        "{plainly}{verdict}: {:.3} ms vs {:.3} ms, {ratio:.3} times as long{interval}; \
         {basis}{of_plain}.",
        time_b.0, time_a.0
    ));
    lines.extend(instrumented(comparison));
    lines.extend(shown(change));
    if let Some(needed) = change.launches_needed {
        lines.push(format!("{needed} launches per side would decide it."));
    }
    lines
}

/// What the times of layers are part of, where that is not what decides.
fn instrumented(comparison: &Comparison) -> Option<String> {
    comparison.plain.as_ref()?;
    let [_, b] = &comparison.labels;
    let ratio = comparison.total.change.ratio?;
    Some(format!(
        "All other figures are of instrumented iterations, which recording makes longer, and not \
         on both sides alike: there {b} takes {ratio:.3} times as long."
    ))
}

/// What a difference must be for the recordings to show it, where they show none.
fn shown(change: &Change) -> Option<String> {
    let percent = |share: f64| format!("{:.1} %", share * 100.0);
    let least = percent(change.minimum_detectable_effect?.0);
    match change.verdict {
        Some(Verdict::Same) => {
            let ends = change.ratio_interval?;
            let most = percent((1.0 - ends.low).max(ends.high - 1.0));
            Some(format!("No difference above {most}; {least} could have been shown."))
        }
        Some(Verdict::Inconclusive) => {
            Some(format!("A difference of {least} could have been shown."))
        }
        _ => None,
    }
}

//! The sentences that a reader in a hurry reads.

use super::hidden::hidden;
use crate::document::milliseconds_within;
use onnxray_analyzer::Milliseconds;
use onnxray_analyzer::comparison::{
    Change, Compared, Comparison, Field, LaunchesNeeded, Meaning, Reason, Verdict, Whole,
};
use onnxray_analyzer::quantity::percent;
use onnxray_text::difference::{confidence, signed, signed_confidence, slower_or_faster};
use onnxray_text::printable;

/// Tells if the two can be compared, which is faster, and by how much.
pub(super) fn headline(comparison: &Comparison) -> Vec<String> {
    let mut lines = Vec::new();
    let not_comparable = comparison.comparability.not_comparable();
    let fields: Vec<&str> = not_comparable.map(|difference| difference.field.name()).collect();
    if !fields.is_empty() {
        lines.push(format!("Not comparable: {} differ.", fields.join(", ")));
    }
    let [a, b] = &comparison.labels;
    let Compared { sides, change, basis } = comparison.decisive();
    let (is_few, basis) = (basis.is_few(), basis.text());
    let typical = sides.each_ref().map(|side| side.typical);
    let ([Some(time_a), Some(time_b)], Some(ratio)) = (typical, change.ratio) else {
        // Times of different things: neither side is faster.
        lines.push(format!("{b} vs {a}: {basis}."));
        return lines;
    };
    // Neither is known more closely than the difference of both.
    let reach = change.difference_interval.map(|ends| (ends.high - ends.low) / 2.0);
    let time = |time: Milliseconds| milliseconds_within(time.0, reach);
    let times = format!("{} ms vs {} ms", time(time_b), time(time_a));
    let interval = change.ratio_interval.map(|interval| (interval.low, interval.high));
    let reason = change.reason.map(|reason| format!("; {}", reason.text())).unwrap_or_default();
    let with_reason = |confidence: Option<String>| {
        confidence.map_or(String::new(), |confidence| format!(" ({confidence}{reason})"))
    };
    let sure = with_reason(confidence(ratio, interval));
    let unsure = signed(ratio) + &with_reason(signed_confidence(ratio, interval));
    let difference = slower_or_faster(ratio);
    let verdict = match change.verdict {
        Some(Verdict::Faster | Verdict::Slower) => {
            format!("{b} is {difference} than {a}: {times}{sure}")
        }
        // There is a difference for sure, but one that does not matter.
        Some(Verdict::Same) if interval.is_some_and(|(low, high)| low > 1.0 || high < 1.0) => {
            format!("{b} is {difference} than {a}, {}: {times}{sure}", within(comparison))
        }
        Some(Verdict::Same) => {
            format!("No significant difference between {b} and {a}: {times}, {unsure}")
        }
        Some(Verdict::Inconclusive) => match change.reason {
            // The interval shows a difference; why the verdict does not follow it comes first.
            Some(reason @ (Reason::Threshold(_) | Reason::Clock)) => {
                let ends = confidence(ratio, interval).map(|ends| format!(" ({ends})"));
                let ends = ends.unwrap_or_default();
                format!("{b} is {difference} than {a}, but {}: {times}{ends}", reason.text())
            }
            _ => format!("Inconclusive: {b} vs {a}, {times}, {unsure}"),
        },
        Some(Verdict::NotTested) | None => {
            format!("{b} vs {a}, not tested: {times}, {unsure}")
        }
    };
    lines.push(format!("{verdict}; {basis}."));
    lines.extend(on_purpose(comparison));
    // What hides the layers includes the overhead: it is not said twice.
    lines.extend(
        hidden(comparison).or_else(|| other_load(comparison).or_else(|| profiled(comparison))),
    );
    lines.extend(shown(change));
    lines.extend(change.launches_needed.map(|needed| launches_needed(comparison, needed, is_few)));
    lines
}

/// In what both differ on purpose, B first as above: `What differs: threads 2 vs 1, spinning off vs on.`
fn on_purpose(comparison: &Comparison) -> Option<String> {
    let differences = comparison.comparability.differences.iter();
    // Models have names, and their numbers' types.
    let expected = differences.filter(|known| {
        known.meaning == Meaning::Expected
            && !matches!(known.field, Field::Model | Field::Precision)
    });
    let said = expected.flat_map(|known| match (&known.values, known.options()) {
        ([Some(a), Some(b)], options) if options.is_empty() => {
            vec![format!("{} {} vs {}", known.field.name(), printable(b), printable(a))]
        }
        (_, options) => {
            let of = |(name, [a, b]): (&str, [&str; 2])| {
                format!("{} {} vs {}", printable(name), printable(b), printable(a))
            };
            options.into_iter().map(of).collect()
        }
    });
    let said: Vec<String> = said.collect();
    (!said.is_empty()).then(|| format!("What differs: {}.", said.join(", ")))
}

/// How many launches would decide it, and the command where that is a number.
pub(in crate::content) fn launches_needed(
    comparison: &Comparison,
    needed: LaunchesNeeded,
    is_few: bool,
) -> String {
    let command = if comparison.are_x_rays { "xray" } else { "record" };
    let record = |launches: u32| format!("onnxray {command} … --launches {launches}");
    match (needed.low, needed.high) {
        // A spread that fewer than five launches show promises nothing.
        (Some(low), _) if is_few => {
            format!("A verdict takes at least {low} launches per side: {}", record(low))
        }
        (Some(low), Some(high)) if low == high => {
            format!("{low} launches per side would decide it: {}", record(low))
        }
        (Some(low), Some(high)) => {
            format!("{low} to {high} launches per side would decide it: {}", record(high))
        }
        (Some(low), None) => format!(
            "At least {low} launches per side would decide it; many more if the difference is close \
             to the noise threshold."
        ),
        (None, _) => "Many more launches would be needed to decide it.".to_string(),
    }
}

fn within(comparison: &Comparison) -> String {
    format!("within the noise threshold of {} %", percent(comparison.noise_threshold.0))
}

/// Tells that layers ran beside something that the latency did not, or the other way round.
fn other_load(comparison: &Comparison) -> Option<String> {
    let [a, b] = comparison.other_load?.map(|share| share.0 * 100.0);
    Some(format!(
        "Other programs ran beside either the profiled or the unprofiled iterations: beyond what \
         profiling costs, the profiled ones took A {a:+.0} %, B {b:+.0} % of the latency longer; \
         layers are parts of the profiled latency."
    ))
}

/// Notes the profiling overhead where it exceeds [`MUCH`]: times of layers include or lack it.
fn profiled(comparison: &Comparison) -> Option<String> {
    let unprofiled = comparison.unprofiled.as_ref()?;
    let [a, b] = [0, 1].map(|side| {
        let latency = unprofiled.sides[side].typical?.0;
        Some(comparison.total.sides[side].typical?.0 / latency - 1.0)
    });
    let [a, b] = [a?, b?].map(|share| share * 100.0);
    (a.max(b) > MUCH).then(|| {
        let layers = match comparison.total_is {
            Whole::Latency => "it is taken out of the times of layers",
            Whole::Wall | Whole::Operators => "times of layers include it",
        };
        format!("Profiling overhead: A {a:+.1} %, B {b:+.1} %; {layers}.")
    })
}

/// In percent of the latency; a smaller overhead is not mentioned.
const MUCH: f64 = 5.0;

/// The minimum detectable effect, where the recordings show no difference.
fn shown(change: &Change) -> Option<String> {
    let share = |share: f64| format!("{:.1} %", share * 100.0);
    let least = share(change.minimum_detectable_effect?.0);
    match change.verdict {
        Some(Verdict::Same) => {
            let ends = change.ratio_interval?;
            // The end of the interval that is farther from 1.
            let most = share((1.0 - ends.low).max(ends.high - 1.0));
            Some(format!("Any difference is at most {most}; minimum detectable effect {least}."))
        }
        Some(Verdict::Inconclusive) => Some(format!("Minimum detectable effect: {least}.")),
        _ => None,
    }
}

//! What happened on the machine while a recording was made, and whether it moved the result.

use super::finding::{Finding, Grade, finding};
use crate::comparison::Options;
use crate::statistics::{Interference, NoiseSource, Summary};
use onnxray_format::Conditions;
use std::collections::BTreeSet;

/// Load on more than this share of the cores also takes caches and memory from the launch.
const MOST_OF_CORES: f64 = 0.5;
/// A typical latency that is longer by more than this share is mostly somebody else's.
const MOST_COST: f64 = 0.5;
const UNTOLD: &str = "not reported by the system";

/// One per source of noise, or a single one if nothing is known.
pub(super) fn conditions(summary: &Summary, options: &Options) -> Vec<Finding> {
    let known: Vec<&Conditions> = summary.conditions.iter().flatten().collect();
    if known.is_empty() {
        let found = "the recording says nothing of the machine while it was made".to_string();
        let advice = match summary.advice.is_recorded() {
            true => "record it again; a launch that is killed leaves no conditions",
            false => "stop other programs, pin threads",
        };
        return vec![finding("conditions", Grade::Unknown, found, advice)];
    }
    let of = |source: NoiseSource| {
        let found = summary.interferences.iter().find(|found| found.source == source);
        one(source, found, &known, summary, options)
    };
    NoiseSource::ALL.into_iter().map(of).collect()
}

fn one(
    source: NoiseSource,
    interference: Option<&Interference>,
    known: &[&Conditions],
    summary: &Summary,
    options: &Options,
) -> Finding {
    let (subject, advice) = words(source, summary.advice.is_recorded());
    let state = state(source, known);
    let with_state = |found: String| match &state {
        Some(state) => format!("{state}; {found}"),
        None => found,
    };
    let Some(interference) = interference else {
        return finding(subject, Grade::Unknown, with_state(UNTOLD.to_string()), advice);
    };
    // Less than the last decimal of percents in the texts below.
    if interference.affected == 0 && interference.cost().is_none_or(|cost| cost < 0.001) {
        return finding(subject, Grade::Good, with_state("nothing was seen".to_string()), "");
    }
    let mut found = with_state(interference.text());
    // What is counted says what it costs, also where iterations say nothing.
    let (before, behind) = match interference.moved {
        Some(_) => (interference.effect(), None),
        None => (None, interference.effect()),
    };
    if let Some(effect) = before {
        found = format!("{found}; {effect}");
    }
    let threshold = options.noise_threshold.0;
    // What is below the noise threshold cannot change a verdict.
    let cost = interference.cost().filter(|&cost| cost >= threshold);
    let threads = f64::from(summary.run.threads.unwrap_or(1).max(1));
    let waited = interference.threads_waiting.map(|waiting| waiting / threads);
    let waited = waited.filter(|&share| share >= threshold);
    let grade = match cost.unwrap_or(0.0).max(waited.unwrap_or(0.0)) {
        // In turns, it falls on both sides alike.
        most if most > MOST_COST && !summary.advice.is_in_turns() => Grade::Bad,
        most if most > 0.0 => Grade::Doubtful,
        _ if hides_its_cost(interference) => Grade::Unknown,
        _ => Grade::Good,
    };
    if let Some(text) = cost.and_then(|_| interference.cost_text(1)) {
        found = format!("{found}; {text}");
    } else if grade != Grade::Good {
        found = format!("{found}; what that costs, the recording cannot show");
    }
    // Where its cost was counted, iterations that show none would contradict it.
    if let Some(effect) = behind.filter(|_| cost.is_none()) {
        found = format!("{found}; {effect}");
    }
    finding(subject, grade, found, advice)
}

/// It may cost much without the recording showing it.
fn hides_its_cost(interference: &Interference) -> bool {
    match interference.source {
        // Nothing is left to hold it against, or caches and memory were shared with it.
        NoiseSource::Load => {
            interference.is_throughout()
                || interference.share_of_cores().is_some_and(|share| share > MOST_OF_CORES)
        }
        // It held back others as well, and nobody knows whom it held back when.
        NoiseSource::Throttling => interference.stolen_slowdown.is_none(),
        _ => false,
    }
}

/// Subject and advice.
fn words(source: NoiseSource, recorded: bool) -> (&'static str, &'static str) {
    let pin = match recorded {
        true => "stop other programs, or bind the launch to a core that they leave alone (--pin)",
        false => "stop other programs, or pin threads to cores that they leave alone",
    };
    match source {
        NoiseSource::Load => ("other load", pin),
        NoiseSource::Steal => ("steal", "use a machine that is not shared, or another time"),
        NoiseSource::Throttling => {
            ("throttling", "give the container more time, or use fewer threads than its limit has")
        }
        NoiseSource::Frequency => (
            "frequency",
            "set a fixed frequency (governor performance, no turbo), and let the machine cool down",
        ),
        NoiseSource::Migrations => ("pinning", if recorded { "use --pin" } else { "pin threads" }),
        NoiseSource::PageFaults => {
            ("page faults", "warm up for longer, and leave more memory to the model")
        }
        NoiseSource::Switches => ("context switches", pin),
    }
}

/// State of the machine when launches began; `None` if unknown.
fn state(source: NoiseSource, known: &[&Conditions]) -> Option<String> {
    let first = known.first()?;
    match source {
        NoiseSource::Throttling => {
            let limit = first.limit.as_ref()?;
            let periods: Option<u64> =
                known.iter().map(|launch| launch.limit.as_ref()?.throttled_periods).sum();
            let limit = match limit.cores {
                Some(cores) => format!("a limit of {cores} cores"),
                None => return Some("no limit".to_string()),
            };
            Some(match periods {
                Some(periods) => format!("{limit}, reached in {periods} periods"),
                None => limit,
            })
        }
        NoiseSource::Frequency => {
            let governor = first.governor.as_ref().map(|name| format!("governor {name}"));
            let changed = known.iter().any(|launch| launch.governor_at_end != launch.governor);
            let changed = changed.then(|| "which changed meanwhile".to_string());
            let turbo = first.turbo.map(|on| format!("turbo {}", if on { "on" } else { "off" }));
            let parts: Vec<String> = [governor, changed, turbo].into_iter().flatten().collect();
            (!parts.is_empty()).then(|| parts.join(", "))
        }
        NoiseSource::Migrations => {
            let pinned = first.pinned.as_ref()?;
            if pinned.is_empty() {
                let smt = first.smt == Some(true);
                let shared = if smt { ", some of which share a physical one (SMT)" } else { "" };
                return Some(format!("the launches were not bound to cores{shared}"));
            }
            let siblings = first.siblings.as_ref().filter(|siblings| !siblings.is_empty());
            let shared = siblings.map(|siblings| format!(", shared with {}", numbered(siblings)));
            let shared = shared.unwrap_or_default();
            let others: BTreeSet<&Vec<u32>> =
                known.iter().filter_map(|launch| launch.pinned.as_ref()).collect();
            // Launches of instances are bound to cores of their own.
            if others.len() > 1 {
                let each: Vec<String> = others.into_iter().map(|cores| numbered(cores)).collect();
                return Some(format!("bound to {}, each to its own{shared}", each.join("; ")));
            }
            Some(format!("bound to {}{shared}", numbered(pinned)))
        }
        NoiseSource::Load
        | NoiseSource::Steal
        | NoiseSource::PageFaults
        | NoiseSource::Switches => None,
    }
}

/// `core 1`, `cores 0, 2`.
pub(in crate::comparison) fn numbered(cores: &[u32]) -> String {
    let list: Vec<String> = cores.iter().map(u32::to_string).collect();
    format!("{} {}", if cores.len() == 1 { "core" } else { "cores" }, list.join(", "))
}

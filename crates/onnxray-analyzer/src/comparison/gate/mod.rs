//! What in comparisons should stop a change from going in: the whole, and layers apart.

mod costs;
mod limit;
mod rows;

use super::{Cause, Change, Comparison, Cost, Reason, Verdict};
use crate::units::Share;
use limit::{LEVEL, percent};
use onnxray_text::counted;
use onnxray_text::difference::{signed, signed_confidence};
use rows::{Counted, Row};

/// Conditions that stop a change.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gate {
    /// Limits of the whole.
    pub whole: Limits,
    /// Limits of each layer that counts, and of each pattern.
    pub layers: Limits,
    /// Layers, and patterns of layers, count that take at least this share of either side's latency.
    pub share: f64,
    /// A cost that is higher by more than this share stops a change.
    pub costs: Vec<(Cost, Share)>,
    /// What may be beyond a limit stops a change as well.
    pub stops_undecided: bool,
}

/// Limits that stop a change.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// These verdicts.
    pub verdicts: Vec<Verdict>,
    /// A slowdown by more than this share. The noise threshold is to be no more than that, or else
    /// it decides.
    pub above: Option<Share>,
}

/// Result of a gate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gated {
    /// Why it does not pass, the whole before layers; empty if it does.
    pub failures: Vec<Failure>,
    /// In a sentence: what passed, if it did.
    pub passed: Option<String>,
    /// It passed although B may be slower.
    pub is_undecided: bool,
}

/// Why a comparison does not pass.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// In a sentence: the whole, or how many layers and patterns of them.
    pub text: String,
    /// The layers and patterns that changed most; empty for the whole.
    pub worst: Vec<String>,
}

/// Layers that are named; the others are counted.
const NAMED: usize = 5;

impl Gate {
    /// No limit is set.
    pub fn is_empty(&self) -> bool {
        self.whole.is_empty() && self.layers.is_empty() && self.costs.is_empty()
    }

    /// The latency has a limit, not layers alone.
    pub fn is_of_latency(&self) -> bool {
        !self.whole.is_empty()
    }
}

impl Limits {
    fn is_empty(&self) -> bool {
        self.verdicts.is_empty() && self.above.is_none()
    }
}

/// Judges a comparison by a gate.
pub fn gate(comparison: &Comparison, gate: &Gate) -> Gated {
    let label = &comparison.labels[1];
    let change = &comparison.decisive().change;
    let limit = gate.whole.above;
    let whole = of_whole(change, gate).map(|reasons| Failure {
        text: format!("{label} {reasons}: {}{}", extent(change, limit), largest_cause(comparison)),
        worst: Vec::new(),
    });
    let counted = Counted::of(comparison, gate.share);
    let layers = of_all_layers(label, &counted, gate);
    let costs = costs::gated(comparison, &gate.costs);
    let of_costs = costs.failures.into_iter().map(|text| Failure { text, worst: Vec::new() });
    let failures: Vec<Failure> = whole.into_iter().chain(of_costs).chain(layers).collect();
    let passed = failures.is_empty().then(|| {
        let of_times = passed(comparison, gate, &counted);
        let begin = if of_times.is_some() { String::new() } else { format!("{label}: ") };
        begin + &of_times.into_iter().chain(costs.passed).collect::<Vec<_>>().join("; ")
    });
    let is_open = !gate.whole.is_empty() && is_undecided(change, limit);
    let are_open = !gate.layers.is_empty()
        && (counted.compared().next().is_none()
            || counted.compared().any(|row| is_undecided(row.change, gate.layers.above)));
    // The verdict is of what is gated: a latency that is decided says so, whatever layers are.
    let is_verdict_open = is_open || gate.whole.is_empty() && are_open;
    let is_undecided = passed.is_some() && (is_verdict_open || costs.is_undecided);
    // Whatever has a limit counts here, and what was not tested is not decided.
    let is_untested = matches!(change.verdict, Some(Verdict::NotTested) | None);
    let may_exceed = is_undecided || are_open || !gate.whole.is_empty() && is_untested;
    match passed {
        Some(text) if may_exceed && gate.stops_undecided => Gated {
            failures: vec![Failure {
                text: format!("undecided (--fail-undecided): {text}"),
                worst: Vec::new(),
            }],
            ..Gated::default()
        },
        passed => Gated { failures, passed, is_undecided },
    }
}

/// It may be slower by more than the limit, or slower at all without one.
fn is_undecided(change: &Change, limit: Option<Share>) -> bool {
    match change.verdict {
        Some(Verdict::Inconclusive) => limit.is_none_or(|limit| may_exceed(change, limit)),
        _ => limit.is_some_and(|limit| is_beyond(change, limit) && unsure(change).is_some()),
    }
}

fn of_all_layers(label: &str, counted: &Counted, gate: &Gate) -> Vec<Failure> {
    let mut failures = Vec::new();
    for &verdict in &gate.layers.verdicts {
        let of_verdict = |change: &Change| change.verdict == Some(verdict);
        failures.extend(of_layers(label, text(verdict), &counted.failing(of_verdict)));
    }
    if let Some(limit) = gate.layers.above {
        let slow = |change: &Change| {
            // A layer that was not tested is above a limit by chance too often.
            change.verdict != Some(Verdict::NotTested) && exceeds(change, limit)
        };
        let what = format!("slower by more than {}", percent(limit.0));
        let mut beyond = of_layers(label, &what, &counted.failing(slow));
        if let Some(beyond) = &mut beyond
            && failures.iter().any(|failure: &Failure| failure.worst == beyond.worst)
        {
            // They are named above.
            beyond.worst.clear();
        }
        failures.extend(beyond);
    }
    failures
}

/// The estimate is beyond the limit, the verdict is slower, and p is small enough for a gate. Where
/// nothing can be tested, the estimate alone decides.
fn exceeds(change: &Change, limit: Share) -> bool {
    is_beyond(change, limit) && unsure(change).is_none()
}

/// The estimate is beyond the limit, and the verdict is slower or not tested.
fn is_beyond(change: &Change, limit: Share) -> bool {
    let beyond = change.ratio.is_some_and(|ratio| ratio > 1.0 + limit.0);
    beyond && matches!(change.verdict, Some(Verdict::Slower | Verdict::NotTested))
}

/// Its p, if that is too large to stop a change.
fn unsure(change: &Change) -> Option<f64> {
    change.p_adjusted.or(change.p).filter(|&p| p > LEVEL)
}

fn text(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Same => "within the noise threshold",
        other => other.name(),
    }
}

/// Why the whole does not pass, in one phrase.
fn of_whole(change: &Change, gate: &Gate) -> Option<String> {
    let verdict = change.verdict.filter(|verdict| gate.whole.verdicts.contains(verdict));
    let verdict = verdict.map(|verdict| format!("is {}", text(verdict)));
    let above = gate.whole.above.filter(|&limit| exceeds(change, limit)).map(|limit| {
        let untested = match change.verdict {
            Some(Verdict::NotTested) => " by an estimate that was not tested",
            _ => "",
        };
        format!("is slower by more than {}{untested}", percent(limit.0))
    });
    match (verdict, above) {
        // "slower by more than" says what "slower" does.
        (Some(_), Some(above)) if change.verdict == Some(Verdict::Slower) => Some(above),
        (Some(verdict), Some(above)) => Some(format!("{verdict}, and {above}")),
        (verdict, above) => verdict.or(above),
    }
}

/// `branch is within the noise threshold: +0.2 % (95 % CI -0.6 to +1.0 %); 26 layers pass, too`
fn passed(comparison: &Comparison, gate: &Gate, counted: &Counted) -> Option<String> {
    if gate.whole.is_empty() && gate.layers.is_empty() {
        return None;
    }
    let change = &comparison.decisive().change;
    let label = &comparison.labels[1];
    let [patterns, layers] = [true, false]
        .map(|is_pattern| counted.compared().filter(|row| row.is_pattern() == is_pattern).count());
    let open = counted.compared().filter(|row| is_undecided(row.change, gate.layers.above));
    let open = match (open.count(), patterns + layers) {
        (0, _) => String::new(),
        (open, all) if open == all => ", undecided".to_string(),
        (open, _) => format!(", {open} of them undecided"),
    };
    const NONE: &str = "no layer could be compared";
    if gate.whole.is_empty() && patterns + layers == 0 {
        return Some(format!("{label}: {NONE}"));
    }
    if gate.whole.is_empty() {
        let pass = if patterns + layers == 1 { "passes" } else { "pass" };
        return Some(format!("{label}: {} {pass}{open}", kinds(patterns, layers)));
    }
    let limit = gate.whole.above;
    let extent = extent(change, limit);
    let mut text = match change.verdict.unwrap_or(Verdict::NotTested) {
        Verdict::Inconclusive => format!("{label}: {extent}"),
        verdict => format!("{label} is {}: {extent}", text(verdict)),
    };
    match (change.verdict, limit) {
        (Some(Verdict::Slower), Some(limit)) => {
            text += &match unsure(change).filter(|_| is_beyond(change, limit)) {
                Some(p) => format!("; its p is {p:.3}, and a limit stops at {LEVEL} or below"),
                None => format!(", within {}", percent(limit.0)),
            }
        }
        (Some(Verdict::Inconclusive), Some(limit)) if may_exceed(change, limit) => {
            text += &format!("; may exceed {}", percent(limit.0));
        }
        _ => {}
    }
    if let (true, Some(least)) = (is_undecided(change, limit), change.minimum_detectable_effect) {
        text += &format!("; minimum detectable effect {:.1} %", least.0 * 100.0);
    }
    match (gate.layers.is_empty(), patterns, layers) {
        (true, ..) => {}
        (false, 0, 0) => text += &format!("; {NONE}"),
        (false, 0, 1) => text += &format!("; 1 layer passes, too{open}"),
        (false, 1, 0) => text += &format!("; 1 pattern of layers passes, too{open}"),
        (false, ..) => text += &format!("; {} pass, too{open}", kinds(patterns, layers)),
    }
    Some(text)
}

/// The interval reaches above the limit, is unknown, or is of too few launches.
fn may_exceed(change: &Change, limit: Share) -> bool {
    change.reason == Some(Reason::Launches)
        || change.ratio_interval.is_none_or(|interval| interval.high > 1.0 + limit.0)
}

/// `+30.0 % (95 % CI +28.0 to +32.0 %)`. The estimate decides about a limit, so that it has as
/// many decimals as show on which side of it it is, and an interval that reaches below says so.
fn extent(change: &Change, limit: Option<Share>) -> String {
    let Some(ratio) = change.ratio else { return "unknown".to_string() };
    let interval = change.ratio_interval.map(|interval| (interval.low, interval.high));
    let Some(confidence) = signed_confidence(ratio, interval) else {
        return estimate(ratio, limit);
    };
    // Known to be slower, but maybe by less than the limit: it stops all the same, and says why.
    let is_between = |limit: Share| {
        ratio > 1.0 + limit.0 && interval.is_some_and(|(low, _)| 1.0 < low && low <= 1.0 + limit.0)
    };
    let rule = if limit.is_some_and(is_between) { "; the estimate decides" } else { "" };
    format!("{} ({confidence}{rule})", estimate(ratio, limit))
}

/// Most decimals of a percentage.
const MOST_DECIMALS: usize = 6;

/// `+30.0 %`, or `+3.02 %` beside a limit of 3 %.
fn estimate(ratio: f64, limit: Option<Share>) -> String {
    let percent = |share: f64, decimals: usize| format!("{:+.decimals$} %", share * 100.0);
    let is_like = |decimals: &usize| {
        limit.is_some_and(|limit| percent(ratio - 1.0, *decimals) == percent(limit.0, *decimals))
    };
    // One decimal more than those in which estimate and limit look the same: `+3.0 %` next to a
    // limit of 3 % would not show which one is larger.
    match (1..MOST_DECIMALS).take_while(is_like).last() {
        Some(decimals) => percent(ratio - 1.0, decimals + 1),
        None => signed(ratio),
    }
}

/// `; largest cause: DynamicQuantizeLinear, only in B (+3.491 ms)`, of what is slower for sure.
fn largest_cause(comparison: &Comparison) -> String {
    let change = &comparison.decisive().change;
    let is_slower = match change.ratio_interval {
        Some(interval) => interval.low > 1.0,
        None => change.ratio.is_some_and(|ratio| ratio > 1.0),
    };
    let causes = comparison.causes.iter().filter(|cause| !cause.is_rest);
    let slower = causes.filter(|cause| cause.difference.0 > 0.0);
    let largest = slower.max_by(|a, b| a.difference.0.total_cmp(&b.difference.0));
    match largest.filter(|_| is_slower && !comparison.has_no_shares()) {
        Some(Cause { name, difference, .. }) => {
            format!("; largest cause: {name} ({:+.3} ms)", difference.0)
        }
        None => String::new(),
    }
}

fn of_layers(label: &str, what: &str, failing: &[Row]) -> Option<Failure> {
    let mut rows: Vec<&Row> = failing.iter().collect();
    let size = |row: &Row| row.change.difference.map_or(0.0, |difference| difference.0.abs());
    rows.sort_by(|a, b| size(b).total_cmp(&size(a)));
    let patterns = rows.iter().filter(|row| row.is_pattern()).count();
    let count = kinds(patterns, rows.len() - patterns);
    let text = match rows.len() {
        0 => return None,
        1 => format!("{label}: {count} is {what}"),
        all if all <= NAMED => format!("{label}: {count} are {what}"),
        _ => format!("{label}: {count} are {what}; the {NAMED} that differ most:"),
    };
    Some(Failure { text, worst: rows.iter().take(NAMED).map(|row| row.text()).collect() })
}

/// `1 pattern of layers and 3 layers`
fn kinds(patterns: usize, layers: usize) -> String {
    let of_patterns = counted(patterns as u64, "pattern of layers", "patterns of layers");
    let of_layers = counted(layers as u64, "layer", "layers");
    match (patterns, layers) {
        (0, _) => of_layers,
        (_, 0) => of_patterns,
        _ => format!("{of_patterns} and {of_layers}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_beside_a_limit_shows_on_which_side_it_is() {
        let of = |ratio, limit| estimate(ratio, Some(Share(limit)));
        assert_eq!(of(1.0302, 0.03), "+3.02 %");
        assert_eq!(of(1.03004, 0.03), "+3.004 %");
        assert_eq!(of(1.0298, 0.03), "+2.98 %");
        assert_eq!(of(1.0302, 0.02), "+3.0 %");
        assert_eq!(of(2.5, 0.03), "2.50x slower");
        assert_eq!(estimate(1.0302, None), "+3.0 %");
    }
}

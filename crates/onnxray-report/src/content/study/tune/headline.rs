//! The answer, in a few sentences.

use super::result::{LatencyLimit, TuneResult};
use crate::content::study::objective::{Words, latency_difference};
use crate::content::study::verified::VerifiedRatio;
use crate::content::words::{list, stem};
use onnxray_analyzer::comparison::Verdict;
use onnxray_analyzer::quantity::percent;
use onnxray_analyzer::study::{Study, Tried, Tuning};
use onnxray_format::{Objective, RuntimeChange};
use onnxray_text::{counted, printable};

/// What pays, its effect on outputs, and what pays only at a price.
pub(super) fn headline(result: &TuneResult) -> Vec<String> {
    let mut sentences = vec![answer(result)];
    sentences.extend(costly(&result.tuning));
    sentences
}

fn answer(result: &TuneResult) -> String {
    let tuning = &result.tuning;
    let (run, model) = (&tuning.run, printable(stem(&tuning.run.file.model)));
    let words = Words::deciding(run);
    let Some(best) = &tuning.best else { return nothing(tuning, &model) };
    let changes = phrase(&run.named(&best.changes));
    let (subject, better) = (words.subject(), words.better);
    let Some(verified) = result.verified(run.objective()) else {
        return format!(
            "Nothing is recommended for {model} yet: {changes}, {subject} was {better} in the \
             search; that was not verified."
        );
    };
    match verified {
        // First: faster with other outputs is another model.
        VerifiedRatio { verdict: Some(Verdict::Faster), .. } if result.changes_outputs() => {
            let differ = match (result.has_loss(), result.held_out_loss()) {
                (true, Some(loss)) => format!("have a loss of up to {loss:.2e} (relative L2)"),
                (true, None) => "have an unknown loss".to_string(),
                (false, _) => format!(
                    "differ by up to {:.2e} of the largest value",
                    result.farthest().map_or(0.0, |far| far.relative)
                ),
            };
            let than = if result.has_loss() { "--max-loss " } else { "" };
            format!(
                "Nothing is recommended for {model}: {changes}, {subject} is {better}, but its \
                 outputs {differ} on inputs that the search did not see, more than {than}{}.",
                result.limit()
            )
        }
        VerifiedRatio { ratio: Some(ratio), interval, verdict: Some(Verdict::Faster) }
            if result.undecided().is_some() =>
        {
            format!(
                "Undecided for {model}: {changes}, {subject} is {}, but whether the latency stays within \
                 --latency-limit {}% is unknown: {}. A quieter machine, or --restart with a longer \
                 --time-limit, decides it.",
                words.adjectives.difference(ratio, interval),
                percent(tuning.options.latency_limit),
                beside(result, Objective::Latency).unwrap_or_default(),
            )
        }
        VerifiedRatio { ratio: Some(ratio), interval, verdict: Some(Verdict::Faster) }
            if result.latency() == LatencyLimit::Exceeded =>
        {
            format!(
                "Nothing is recommended for {model}: {changes}, {subject} is {}, but {}: more than \
                 --latency-limit {}%.",
                words.adjectives.difference(ratio, interval),
                beside(result, Objective::Latency).unwrap_or("the latency is unknown".to_string()),
                percent(tuning.options.latency_limit)
            )
        }
        VerifiedRatio { ratio: Some(ratio), interval, verdict: Some(Verdict::Faster) } => {
            let gain = words.adjectives.difference(ratio, interval);
            let gain = match words.is_speed {
                true => format!("{model} is {gain}"),
                false => format!("{model}: {} {gain}", words.name),
            };
            let others = all_beside(result);
            format!("{gain} {changes}{others}{}.", outputs_of(result, best))
        }
        VerifiedRatio { ratio: Some(ratio), interval, .. } => format!(
            "Nothing is recommended for {model}: {changes}, {subject} was {better} in the search, \
             but not in the launches that verify it, {}.",
            words.adjectives.signed_difference(ratio, interval)
        ),
        VerifiedRatio { ratio: None, .. } => {
            format!(
                "Nothing is recommended for {model}: {changes}, {subject} was {better} in the \
                 search; that could not be verified."
            )
        }
    }
}

/// `; latency 2.0 % lower (…), memory at peak 1.2 % higher (…)`: what is measured beside what
/// decides, by the launches that verify it.
fn all_beside(result: &TuneResult) -> String {
    let run = &result.tuning.run;
    let told = Objective::ALL.into_iter().filter(|own| *own != run.objective());
    // The latency has a limit.
    let told = told.filter(|own| *own == Objective::Latency || run.objectives.contains(own));
    let told: Vec<String> = told.filter_map(|own| beside(result, own)).collect();
    if told.is_empty() { String::new() } else { format!("; {}", told.join(", ")) }
}

fn beside(result: &TuneResult, objective: Objective) -> Option<String> {
    let Words { name, adjectives, .. } = Words::of(&result.tuning.run, objective);
    let VerifiedRatio { ratio, interval, verdict } = result.verified(objective)?;
    let ratio = ratio?;
    Some(match verdict {
        Some(Verdict::Same) => format!("{name} the same"),
        Some(Verdict::Inconclusive) => {
            format!("{name} inconclusive, {}", adjectives.signed_difference(ratio, interval))
        }
        _ => format!("{name} {}", adjectives.difference(ratio, interval)),
    })
}

/// What the outputs are, on inputs that the search did not see, or on its own.
fn outputs_of(result: &TuneResult, best: &Tried) -> String {
    if result.has_loss() {
        let of = |loss: f64| format!("; loss of outputs {loss:.2e} (relative L2)");
        return match (result.held_out_loss(), &result.held_out) {
            (Some(loss), Some(all)) => {
                format!("{} on {} inputs that the search did not see", of(loss), all.len())
            }
            _ => best.loss.map_or(String::new(), of),
        };
    }
    match (result.farthest(), &result.held_out) {
        (Some(far), Some(all)) => {
            let outputs = outputs(far.relative, far.output.as_deref());
            format!("{outputs} on {} inputs that the search did not see", all.len())
        }
        _ => {
            let output = best.output.as_deref();
            best.loss.map_or(String::new(), |loss| outputs(loss, output))
        }
    }
}

fn nothing(tuning: &Tuning, model: &str) -> String {
    let of_all = decided(tuning);
    if tuning.is_searching() {
        return format!("Out of time: {of_all}. Run the same command again to continue.");
    }
    let least = percent(tuning.options.smallest_gain);
    let is_open =
        |tried: &Tried| is_undecided(tried) && tried.may_pay(tuning.options.smallest_gain);
    let words = Words::deciding(&tuning.run);
    let what = match words.is_speed {
        true => format!("makes {model} faster"),
        false => format!("makes {} of {model} {}", words.name, words.better),
    };
    match tuning.single.iter().any(is_open) {
        true => format!(
            "Nothing is recommended for {model}: {of_all}; a quieter machine decides more \
             (--restart)."
        ),
        false => format!(
            "Nothing that was tried {what}: of {}, none gains {least} % or more{}{}.",
            counted(tuning.single.len() as u64, "change", "changes"),
            match tuning.single.iter().any(|tried| tried.verdict == Verdict::Faster) {
                true => " at no other cost",
                false => "",
            },
            largest(tuning).map_or(String::new(), |effect| format!("; largest effect: {effect}"))
        ),
    }
}

/// The change that gains most, of those that would cost nothing else.
fn largest(tuning: &Tuning) -> Option<String> {
    let known = tuning.single.iter().filter(|tried| tried.is_admissible());
    let known = known.filter_map(|tried| Some((tried, tried.effect?)));
    let (tried, effect) = known.min_by(|(_, a), (_, b)| a.ratio.total_cmp(&b.ratio))?;
    let adjectives = Words::deciding(&tuning.run).adjectives;
    let difference = adjectives.signed_difference(effect.ratio, Some(effect.interval));
    Some(format!("{} {difference}", printable(&tuning.run.list(&tried.changes))))
}

fn is_undecided(tried: &Tried) -> bool {
    tried.failed.is_none() && matches!(tried.verdict, Verdict::Inconclusive | Verdict::NotTested)
}

/// `6 of 14 options are slower, 8 undecided`: what is known of each change by itself.
fn decided(tuning: &Tuning) -> String {
    let count = |holds: &dyn Fn(&Tried) -> bool| {
        tuning.single.iter().filter(|tried| holds(tried)).count() as u64
    };
    let words = Words::deciding(&tuning.run);
    let runs = |verdict| move |tried: &Tried| tried.failed.is_none() && tried.verdict == verdict;
    let kinds = [
        (count(&runs(Verdict::Faster)), words.better),
        (count(&runs(Verdict::Slower)), words.worse),
        (count(&runs(Verdict::Same)), "the same"),
        (count(&|tried| tried.failed.is_some()), "failed"),
        (count(&is_undecided), "undecided"),
    ];
    let mut known = kinds.into_iter().filter(|(count, _)| *count > 0);
    let Some((first, what)) = known.next() else { return "there is nothing to try".to_string() };
    let be = match (what, first) {
        ("failed", _) => "",
        (_, 1) => "is ",
        _ => "are ",
    };
    let all = counted(tuning.single.len() as u64, "option", "options");
    let mut text = format!("{first} of {all} {be}{what}");
    known.for_each(|(count, what)| text += &format!(", {count} {what}"));
    text
}

/// Those that gain most of those that are not recommended.
fn costly(tuning: &Tuning) -> Vec<String> {
    let costly = tuning.single.iter().filter(|tried| {
        tried.verdict == Verdict::Faster && !tried.is_admissible() && tried.failed.is_none()
    });
    let mut costly: Vec<(&Tried, f64)> =
        costly.filter_map(|tried| Some((tried, tried.effect?.ratio))).collect();
    costly.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    let words = Words::deciding(&tuning.run);
    let said = |(tried, ratio): &(&Tried, f64)| {
        let why = match (tried.loses_too_much, tried.takes_more) {
            (true, _) => "changes the outputs".to_string(),
            (_, true) => "takes more threads".to_string(),
            _ => latency_difference(&tuning.run, tried),
        };
        let changes = printable(&tuning.run.list(&tried.changes));
        format!("{changes} ({}, {why})", words.adjectives.of(*ratio))
    };
    // Three are enough for a sentence: the table has all.
    let listed: Vec<String> = costly.iter().take(3).map(said).collect();
    match listed.is_empty() {
        true => Vec::new(),
        false => {
            let better = capitalized(words.better);
            vec![format!("{better}, but not recommended: {}.", listed.join("; "))]
        }
    }
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// `without A and B, with arena off`
fn phrase(changes: &[RuntimeChange]) -> String {
    let (mut without, mut with) = (Vec::new(), Vec::new());
    for change in changes {
        match change {
            RuntimeChange::WithoutOptimizer(name) => without.push(printable(name)),
            other => with.push(printable(&other.text())),
        }
    }
    let parts = [("without", without), ("with", with)].into_iter();
    let parts = parts.filter(|(_, own)| !own.is_empty());
    parts.map(|(word, own)| format!("{word} {}", list(&own))).collect::<Vec<_>>().join(", ")
}

fn outputs(difference: f64, output: Option<&str>) -> String {
    match output {
        None => "; outputs are equal".to_string(),
        Some(_) => format!("; outputs are equal to {difference:.2e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_listed_as_people_do() {
        let without = |name: &str| RuntimeChange::WithoutOptimizer(name.to_string());
        assert_eq!(phrase(&[without("A")]), "without A");
        let all = [without("A"), RuntimeChange::Arena(false), without("B"), without("C")];
        assert_eq!(phrase(&all), "without A, B and C, with arena off");
    }
}

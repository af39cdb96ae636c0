//! The answer, in a few sentences.

use super::result::TuneResult;
use crate::content::study::verified::VerifiedRatio;
use crate::content::words::{list, stem};
use onnxray_analyzer::comparison::Verdict;
use onnxray_analyzer::quantity::percent;
use onnxray_analyzer::study::{Study, Tried, Tuning};
use onnxray_format::RuntimeChange;
use onnxray_text::difference::{confidence, signed_difference, slower_or_faster};
use onnxray_text::{counted, printable};

/// What pays, its effect on outputs, and what pays only at a price.
pub(super) fn headline(result: &TuneResult) -> Vec<String> {
    let mut sentences = vec![answer(result)];
    sentences.extend(beside(&result.tuning));
    sentences
}

fn answer(result: &TuneResult) -> String {
    let tuning = &result.tuning;
    let model = printable(stem(&tuning.run.file.model));
    let Some(best) = &tuning.best else { return nothing(tuning, &model) };
    let changes = phrase(&tuning.run.named(&best.changes));
    let Some(verified) = &result.verified else {
        return format!(
            "Nothing is recommended for {model} yet: {changes}, it was faster in the search; that \
             was not verified."
        );
    };
    match verified.ratio() {
        // First: faster with other outputs is another model.
        VerifiedRatio { verdict: Some(Verdict::Faster), .. } if result.changes_outputs() => {
            format!(
                "Nothing is recommended for {model}: {changes}, it is faster, but its outputs differ by \
             up to {:.2e} of the largest value on inputs that the search did not see, more than {}.",
                result.farthest().map_or(0.0, |far| far.relative),
                tuning.limit
            )
        }
        VerifiedRatio { ratio: Some(ratio), interval, verdict: Some(Verdict::Faster) } => {
            let interval =
                confidence(ratio, interval).map_or(String::new(), |text| format!(" ({text})"));
            let outputs = match (result.farthest(), &result.held_out) {
                (Some(far), Some(all)) => {
                    let outputs = outputs(far.relative, far.output.as_deref());
                    format!("{outputs} on {} inputs that the search did not see", all.len())
                }
                _ => {
                    let output = best.output.as_deref();
                    best.loss.map_or(String::new(), |loss| outputs(loss, output))
                }
            };
            format!("{model} is {}{interval} {changes}{outputs}.", slower_or_faster(ratio))
        }
        VerifiedRatio { ratio: Some(ratio), interval, .. } => format!(
            "Nothing is recommended for {model}: {changes}, it was faster in the search, but not in \
             the launches that verify it, {}.",
            signed_difference(ratio, interval)
        ),
        VerifiedRatio { ratio: None, .. } => {
            format!(
                "Nothing is recommended for {model}: {changes}, it was faster in the search; that \
                 could not be verified."
            )
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
    match tuning.single.iter().any(is_open) {
        true => format!(
            "Nothing is recommended for {model}: {of_all}; a quieter machine decides more \
             (--restart)."
        ),
        false => format!(
            "Nothing that was tried makes {model} faster: of {}, none gains {least} % or more{}{}.",
            counted(tuning.single.len() as u64, "change", "changes"),
            match tuning.single.iter().any(|tried| tried.verdict == Verdict::Faster) {
                true => " at no other cost",
                false => "",
            },
            largest(tuning).map_or(String::new(), |effect| format!("; largest effect: {effect}"))
        ),
    }
}

/// The change that the model is fastest with, of those that would cost nothing else.
fn largest(tuning: &Tuning) -> Option<String> {
    let known = tuning.single.iter().filter(|tried| tried.is_admissible());
    let known = known.filter_map(|tried| Some((tried, tried.effect?)));
    let (tried, effect) = known.min_by(|(_, a), (_, b)| a.ratio.total_cmp(&b.ratio))?;
    let difference = signed_difference(effect.ratio, Some(effect.interval));
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
    let runs = |verdict| move |tried: &Tried| tried.failed.is_none() && tried.verdict == verdict;
    let kinds = [
        (count(&runs(Verdict::Faster)), "faster"),
        (count(&runs(Verdict::Slower)), "slower"),
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

/// The fastest of those that are faster, and are not recommended.
fn beside(tuning: &Tuning) -> Vec<String> {
    let costly = tuning.single.iter().filter(|tried| {
        tried.verdict == Verdict::Faster && !tried.is_admissible() && tried.failed.is_none()
    });
    let mut costly: Vec<(&Tried, f64)> =
        costly.filter_map(|tried| Some((tried, tried.effect?.ratio))).collect();
    costly.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    let said = |(tried, ratio): &(&Tried, f64)| {
        let why = match tried.loses_too_much {
            true => "changes the outputs",
            false => "takes more threads",
        };
        format!(
            "{} ({}, {why})",
            printable(&tuning.run.list(&tried.changes)),
            slower_or_faster(*ratio)
        )
    };
    // Three are enough for a sentence: the table has all.
    let listed: Vec<String> = costly.iter().take(3).map(said).collect();
    match listed.is_empty() {
        true => Vec::new(),
        false => vec![format!("Faster, but not recommended: {}.", listed.join("; "))],
    }
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

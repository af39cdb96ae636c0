//! The word in front, and a line that says what it rests on.

use super::result::{Evidence, JudgeResult, interval};
use crate::content::comparison::{is_negligible, launches_needed};
use onnxray_analyzer::study::Verified;
use onnxray_analyzer::study::cost_of;
use onnxray_analyzer::study::{Judgement, Word};
use onnxray_format::Objective;
use onnxray_text::difference::{Adjectives, difference_from, signed, signed_difference};
use onnxray_text::{counted, printable};

/// A word as reports write it, of what is judged by this.
pub(super) fn named(word: Option<Word>, objective: Objective) -> &'static str {
    match word {
        Some(word @ (Word::Faster | Word::Slower)) => {
            // As `compare` says it of costs.
            let [less, more] = match objective {
                Objective::Latency | Objective::Start => ["faster", "slower"],
                Objective::Cpu | Objective::Memory => ["lower", "higher"],
            };
            if word == Word::Faster { less } else { more }
        }
        Some(Word::Same) => "same",
        Some(Word::Inconclusive) => "inconclusive",
        Some(Word::Different) => "different",
        Some(Word::Harness) => "harness",
        None => "not comparable",
    }
}

/// The word of a result.
pub(super) fn word(result: &JudgeResult) -> &'static str {
    named(result.word(), result.objective())
}

pub(super) fn headline(result: &JudgeResult) -> Vec<String> {
    let text = match &result.judgement {
        Ok(Evidence::Measured(judged)) => sentence(result, judged),
        Ok(Evidence::Recorded(own)) => of_recordings(result, own),
        Err(why) => printable(why),
    };
    let [a, b] = &result.names;
    let unknown = match result.recorded() {
        Some(_) => " Outputs are not compared, and no copy of A tells what the machine does.",
        None => "",
    };
    let mut lines = vec![
        format!("{}  {text}{}", word(result).to_uppercase(), confirmed(result)),
        format!("A is {}, B is {}.{unknown}", printable(a), printable(b)),
    ];
    lines.extend(result.measured().and_then(beside));
    lines
}

/// What else B costs, next to A.
fn beside(judged: &Judgement) -> Option<String> {
    let told = judged.beside.iter().map(|(objective, own)| {
        let ends = interval(own);
        let (name, adjectives) = (figure(*objective), adjectives(*objective));
        format!("{name} {}", adjectives.signed_difference(own.mean.exp(), ends))
    });
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| format!("Beside, B / A: {}.", told.join(", ")))
}

/// What is judged, as reports call it.
pub(super) fn figure(objective: Objective) -> &'static str {
    cost_of(objective).map_or("latency", |cost| cost.name())
}

fn adjectives(objective: Objective) -> Adjectives {
    match objective {
        Objective::Latency => Adjectives::LATENCY,
        Objective::Start => Adjectives::DURATION,
        Objective::Cpu | Objective::Memory => Adjectives::AMOUNT,
    }
}

/// What became of the word that was to be confirmed.
fn confirmed(result: &JudgeResult) -> String {
    let is_confirmed = result.first == Some(result.word());
    result.first.map_or(String::new(), |first| {
        let said = named(first, result.objective()).to_uppercase();
        format!("; {}confirmed: the bundle says {said}", if is_confirmed { "" } else { "not " })
    })
}

fn sentence(result: &JudgeResult, judged: &Judgement) -> String {
    let launches = judged.candidate.map_or(0, |own| own.launches) as u64;
    let launches = counted(launches, "launch", "launches");
    // What is known from before took no time now.
    let spent = match result.launches {
        0 => launches,
        _ => format!("{launches}, {:.0} s", result.spent.as_secs_f64()),
    };
    let threshold = judged.options.threshold * 100.0;
    let tokens = judged.changed_tokens.filter(|_| judged.run.generation.is_some());
    let tokens = tokens.map_or(String::new(), |changed| match changed {
        0.0 => ", all tokens the same".to_string(),
        ..0.0005 => ", fewer than 0.1 % of tokens others".to_string(),
        changed => format!(", {:.1} % of tokens others", changed * 100.0),
    });
    let outputs = match judged.loss {
        Some(0.0) => "outputs equal".to_string(),
        Some(loss) => format!("outputs equal to {loss:.0e}{tokens}"),
        None => "outputs not compared".to_string(),
    };
    let Some((ratio, ends)) = result.ratio() else {
        return match (&judged.failed, result.word()) {
            (Some(why), _) => format!("B does not run: {}", printable(why)),
            (None, Some(Word::Different)) => different(result, judged),
            (None, _) => {
                "no launch fits into the time limit; give it a larger --time-limit".to_string()
            }
        };
    };
    match result.word() {
        Some(Word::Faster | Word::Slower) => {
            let difference = match judged.options.objective {
                Objective::Latency => format!("B is {}", difference_from("A", ratio, ends)),
                cost => {
                    format!("B: {} {}", figure(cost), adjectives(cost).difference(ratio, ends))
                }
            };
            let cause =
                result.cause().map_or(String::new(), |cause| format!(", {}", printable(&cause)));
            format!("{difference}{cause}, {outputs}; {spent}")
        }
        Some(Word::Same) => format!(
            "B is within {threshold} % of A: {}, {outputs}; {spent}",
            signed_difference(ratio, ends)
        ),
        Some(Word::Different) => different(result, judged),
        Some(Word::Harness) => {
            let control = judged.control.map_or(1.0, |own| own.mean.exp());
            format!(
                "A differs from its own copy by {} in the same turns: this machine cannot tell; {spent}",
                signed(control)
            )
        }
        Some(Word::Inconclusive) | None => {
            let known = match ends {
                Some(_) => match judged.options.objective {
                    Objective::Latency => signed_difference(ratio, ends),
                    cost => format!("{} {}", figure(cost), signed_difference(ratio, ends)),
                },
                None => "too few launches".to_string(),
            };
            if let Some(why) = &judged.failed {
                return format!("a launch failed: {}", printable(why));
            }
            // What repeats a bundle begins anew each time.
            let how = match result.first {
                Some(_) => "give it a larger --time-limit",
                None => "run it again to go on, or with a larger --time-limit",
            };
            let more = match (judged.launches_needed(), result.needed()) {
                (Some(_), Some(needed)) => {
                    let needed = duration(needed.as_secs());
                    format!("about {needed} more would decide if the spread stays; {how}")
                }
                // Of too few launches, no spread is known.
                (None, _) if ends.is_some() => {
                    format!(
                        "how many more launches would decide is unknown: stop other programs, give it a \
                         larger --threshold, or {how}"
                    )
                }
                _ => how.to_string(),
            };
            format!("{known} after {spent}; {more}")
        }
    }
}

fn of_recordings(result: &JudgeResult, recorded: &Verified) -> String {
    let compared = recorded.comparison.decisive();
    let (change, basis) = (&compared.change, compared.basis.text());
    let Some((ratio, ends)) = result.ratio() else { return basis };
    let signed = || signed_difference(ratio, ends);
    let threshold = recorded.comparison.noise_threshold;
    match result.word() {
        Some(Word::Faster | Word::Slower) => {
            format!("B is {}; {basis}", difference_from("A", ratio, ends))
        }
        Some(Word::Same) => {
            let within = match is_negligible(compared, threshold) {
                true => "two steps of the clock".to_string(),
                false => format!("{} %", threshold.0 * 100.0),
            };
            format!("B is within {within} of A: {}; {basis}", signed())
        }
        _ => {
            let reason = change.reason.map(|reason| format!("; {}", reason.text()));
            let is_few = compared.basis.is_few();
            let comparison = &recorded.comparison;
            let needed =
                change.launches_needed.map(|needed| launches_needed(comparison, needed, is_few));
            let turns =
                (needed.is_none() || !compared.basis.is_in_turns()).then(|| TURNS.to_string());
            let next: String = [needed, turns]
                .into_iter()
                .flatten()
                .map(|step| format!(". {}", step.trim_end_matches('.')))
                .collect();
            format!("{}{}; {basis}{next}", signed(), reason.unwrap_or_default())
        }
    }
}

/// What tells more than launches of one side after those of the other.
const TURNS: &str = "Launches in turns tell more: onnxray judge A.onnx B.onnx";

fn different(result: &JudgeResult, judged: &Judgement) -> String {
    let limit = judged.options.max_loss;
    match judged.loss.filter(|&loss| loss > limit) {
        Some(loss) => {
            let output = judged.output.as_deref().map(printable).unwrap_or_default();
            format!("outputs differ by {loss:.2} (limit {limit}, --max-loss) at output {output}")
        }
        None => format!(
            "outputs differ by {:.2} (limit {limit}, --max-loss) on inputs that are not timed",
            result.held_out.unwrap_or(f64::NAN)
        ),
    }
}

/// `40 s`, `4 minutes`
fn duration(seconds: u64) -> String {
    match seconds {
        0..90 => format!("{} s", seconds.max(1)),
        _ => counted(seconds.div_ceil(60), "minute", "minutes"),
    }
}

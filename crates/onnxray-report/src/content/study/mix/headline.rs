//! The answer, in a few sentences.

use super::result::MixResult;
use super::words;
use crate::content::study::verified::Told;
use crate::content::study::verified::VerifiedRatio;
use crate::content::words::stem;
use onnxray_analyzer::comparison::Verdict;
use onnxray_analyzer::quantity::percent;
use onnxray_analyzer::study::{HeldOut, Mixing, Tried};
use onnxray_text::difference::{difference_from, signed_difference};
use onnxray_text::{counted, printable};

/// Names of both models and of the mix in sentences, and what is known of them.
struct Headline<'a> {
    mixing: &'a Mixing,
    held_out: Option<&'a HeldOut>,
    a: String,
    b: String,
    mixed: String,
}

/// Tells if a mix pays, by how much, and what its outputs lose.
pub(super) fn headline(result: &MixResult) -> Vec<String> {
    let mixed = result.written.as_deref().map(|file| printable(stem(file)));
    let mut sentences = said(&result.mixing, result.held_out.as_ref(), mixed, result.ratios());
    sentences.extend(costs(result));
    sentences
}

/// What a recommended mix costs beside its latency, where that differs from the better model.
fn costs(result: &MixResult) -> Option<String> {
    let differing = result.recommended().and(result.verifying())?.differing_costs();
    let [a, b] = words::models(&result.mixing.run);
    let name = if result.mixing.is_b_better() { b } else { a };
    (!differing.is_empty()).then(|| format!("Next to {name}: {}.", differing.join(", ")))
}

pub(super) fn said(
    mixing: &Mixing,
    held_out: Option<&HeldOut>,
    mixed: Option<String>,
    verified: Option<[VerifiedRatio; 2]>,
) -> Vec<String> {
    let [a, b] = words::models(&mixing.run);
    let said = Headline { mixing, held_out, a, b, mixed: mixed.unwrap_or("the mix".to_string()) };
    let Headline { a, b, .. } = &said;
    let is_early = mixing.is_searching();
    // From the least known on: each case relies on those above not to hold.
    match (&mixing.best, mixing.mixed(), verified) {
        (None, ..) => vec![said.unknown("nothing was measured")],
        (Some(Tried { failed: Some(reason), .. }), ..) => {
            vec![said.unknown(&format!("{a} failed, {}", printable(reason)))]
        }
        (_, Some(mix), Some(verified)) => said.verified(mix, verified),
        (_, Some(mix), None) => said.not_verified(mix),
        (Some(_), None, _) if is_early => vec![
            format!(
                "Out of time: of {}, none is known to be faster than {a} and {b}. Run the same \
                 command again to continue.",
                counted(mixing.mixes.len() as u64, "mix", "mixes"),
            ),
            said.b_next_to_a(),
        ],
        (Some(best), None, _) => said.none(best),
    }
}

impl Headline<'_> {
    fn unknown(&self, why: &str) -> String {
        let why = why.trim_end_matches('.');
        format!("Nothing is known of mixes of {} and {}: {why}.", self.a, self.b)
    }

    fn verified(&self, mix: &Tried, verified: [VerifiedRatio; 2]) -> Vec<String> {
        let is_b = self.mixing.is_b_better();
        let [better, other] = if is_b { [1, 0] } else { [0, 1] }.map(|place| verified[place]);
        let [name, other_name] = if is_b { [&self.b, &self.a] } else { [&self.a, &self.b] };
        let Headline { a, b, mixed, .. } = self;
        let mut sentences = match better {
            VerifiedRatio { ratio: None, .. } => {
                vec![format!(
                    "No mix of {a} and {b} is recommended: the best one was faster in the search; \
                     that could not be verified."
                )]
            }
            // First: what loses too much is not recommended, however fast it is.
            VerifiedRatio { verdict: Some(Verdict::Faster), .. } if self.is_far() => {
                vec![self.too_far(), self.b_next_to_a()]
            }
            VerifiedRatio { ratio: Some(ratio), interval, verdict: Some(Verdict::Faster) } => {
                let than = difference_from(name, ratio, interval);
                let other = said_next_to(other_name, other);
                vec![
                    capital(&format!("{mixed} is {than}{other}{}.", self.outputs(mix))),
                    format!("It takes {}.", words::taken(&self.mixing.run, &mix.changes, b)),
                ]
            }
            VerifiedRatio { ratio: Some(ratio), interval, .. } => vec![
                format!(
                    "No mix of {a} and {b} is recommended: the best one was faster than {name} in \
                     the search, but not in the launches that verify it, {}.",
                    signed_difference(ratio, interval)
                ),
                self.b_next_to_a(),
            ],
        };
        sentences.extend(self.ended_early());
        sentences
    }

    fn not_verified(&self, mix: &Tried) -> Vec<String> {
        let Headline { mixing, a, b, .. } = self;
        let (name, ratio, interval) = match mixing.is_b_better() {
            true => {
                // Both ratios are to A: their quotient has no interval.
                let of_b = mixing.b.as_ref().and_then(|b| b.ratio);
                let ratio = mix.ratio.zip(of_b).map(|(mix, of_b)| mix / of_b);
                (b, ratio, None)
            }
            false => (a, mix.ratio, mix.effect.map(|effect| effect.interval)),
        };
        let faster = match ratio {
            Some(ratio) => difference_from(name, ratio, interval),
            None => format!("faster than {name}"),
        };
        let mut sentences = vec![
            format!("A mix of {a} and {b} was {faster} in the search; it was not verified."),
            format!("It takes {}.", words::taken(&mixing.run, &mix.changes, b)),
        ];
        sentences.extend(self.ended_early());
        sentences
    }

    /// All of A, or all of B.
    fn none(&self, best: &Tried) -> Vec<String> {
        let Headline { mixing, a, b, .. } = self;
        let least = percent(mixing.options.smallest_gain);
        // All of A and all of B were measured, too, and are not mixes.
        let mixed = mixing.mixes.iter().filter(|mix| {
            !mix.changes.is_empty() && !mixing.is_all_of_b(mix) && mix.ratio.is_some()
        });
        let count =
            counted(mixed.count() as u64, "mix that was measured", "mixes that were measured");
        let within = match mixing.limit {
            Some(_) => " without losing too much",
            None => "",
        };
        // Without changes, nothing of B is all of B, and is A.
        if mixing.is_all_of_b(best) && !best.changes.is_empty() {
            return vec![
                format!(
                    "No mix of {a} and {b} is faster than {b} as it is: of {count}, none gains \
                 {least} % or more{within}."
                ),
                self.b_next_to_a(),
            ];
        }
        vec![
            format!(
                "No mix of {a} and {b} is faster than {a}: of {count}, none gains {least} % or \
             more{within}."
            ),
            self.b_next_to_a(),
        ]
    }

    /// Latency and loss of B as it is.
    fn b_next_to_a(&self) -> String {
        let Headline { mixing, a, b, .. } = self;
        let known = mixing.b.as_ref();
        if let Some(reason) = known.and_then(|own| own.failed.as_ref()) {
            return format!("{b} failed: {}.", printable(reason).trim_end_matches('.'));
        }
        let Some((own, ratio)) = known.and_then(|own| Some((own, own.ratio?))) else {
            return format!("Nothing is known of {b}: it was not measured.");
        };
        let interval = own.effect.map(|effect| effect.interval);
        // Only an interval without 1 tells which of them is faster.
        let is_sure = interval.is_some_and(|(low, high)| low > 1.0 || high < 1.0);
        let text = match is_sure {
            true => format!("{b} is {}", difference_from(a, ratio, interval)),
            false => format!("{b} next to {a}: {}", signed_difference(ratio, interval)),
        };
        let lost = words::loss(mixing, own);
        let lost = lost.map_or(String::new(), |lost| format!("; its outputs lose {lost}"));
        let limit = match (own.is_admissible(), mixing.limit) {
            (false, Some(limit)) => format!(", more than {}", words::figure(limit)),
            _ => String::new(),
        };
        format!("{text}{lost}{limit}.")
    }

    /// True if the mix loses more than it may on inputs held out, or if its loss there is unknown.
    fn is_far(&self) -> bool {
        match self.held_out {
            Some(held_out) => !self.mixing.is_near(held_out),
            None => self.mixing.run.search.loss_inputs.held_out > 0,
        }
    }

    fn too_far(&self) -> String {
        let Headline { mixing, held_out, a, b, .. } = self;
        let why = match held_out {
            None => "its outputs cannot be compared on inputs that the search did not see".into(),
            Some(held_out) => {
                let limit = mixing
                    .limit_held_out(held_out)
                    .map_or(String::new(), |limit| format!(", more than {}", words::figure(limit)));
                let lost = words::spread(&held_out.mix);
                format!("it loses {lost} on inputs that the search did not see{limit}")
            }
        };
        format!("No mix of {a} and {b} is recommended: the best one is faster, but {why}.")
    }

    /// Losses of the mix and of B, on inputs held out where there are any.
    fn outputs(&self, mix: &Tried) -> String {
        let Headline { mixing, b, .. } = self;
        if let Some(held_out) = self.held_out {
            let measure = words::measured_in(&mixing.run, mix);
            let lost = words::spread(&held_out.mix);
            let of_b = held_out.b.as_ref().map(|own| format!(", {b}'s {}", words::spread(own)));
            let worse = held_out.worse.filter(|&worse| worse > 0).map(|worse| {
                format!(", and more than {b}'s on {worse} of {}", held_out.mix.inputs)
            });
            let [of_b, worse] = [of_b, worse].map(Option::unwrap_or_default);
            let inputs = "on inputs that the search did not see";
            return format!("; its outputs lose {lost}{measure} {inputs}{of_b}{worse}");
        }
        let Some(lost) = words::loss(mixing, mix) else { return String::new() };
        let of_b = mixing.b.as_ref().and_then(|own| {
            // The measure was named with the mix's loss: once is enough if both are alike.
            let text = match words::is_alike(&mixing.run, own, mix) && mix.loss != Some(0.0) {
                true => words::figure(own.loss?),
                false => words::loss(mixing, own)?,
            };
            Some(format!(", {b}'s {text}"))
        });
        format!("; its outputs lose {lost}{}", of_b.unwrap_or_default())
    }

    fn ended_early(&self) -> Option<String> {
        let is_early = self.mixing.is_searching();
        is_early.then(|| {
            "Out of time for other mixes: run the same command again to continue.".to_string()
        })
    }
}

fn said_next_to(name: &str, verified: VerifiedRatio) -> String {
    let VerifiedRatio { ratio, interval, verdict } = verified;
    match (ratio, verdict) {
        (None, _) => String::new(),
        (Some(ratio), Some(Verdict::Faster | Verdict::Slower)) => {
            format!(" and {}", difference_from(name, ratio, interval))
        }
        (Some(ratio), _) => format!("; next to {name}: {}", signed_difference(ratio, interval)),
    }
}

/// The mix that has no file begins a sentence; names stay as they are.
fn capital(sentence: &str) -> String {
    match sentence.strip_prefix("the mix ") {
        Some(rest) => format!("The mix {rest}"),
        None => sentence.to_string(),
    }
}

//! What a tuning makes lower, in words.

use onnxray_analyzer::statistics::rate_text;
use onnxray_analyzer::study::{Effect, Tried};
use onnxray_format::{Objective, TuneRun};
use onnxray_text::difference::Adjectives;

/// What is made lower: how it is called, and what is said of more and less of it.
#[derive(Clone)]
pub(super) struct Words {
    /// `CPU time at 20/s`
    pub name: String,
    /// Of sizes: `8.0 % lower`
    pub adjectives: Adjectives,
    /// Less of it.
    pub better: &'static str,
    /// More of it.
    pub worse: &'static str,
    /// Whether the name is of the model itself, which is faster then.
    pub is_speed: bool,
}

/// `latency at 20/s 26.3 % higher (95 % CI 5.1 to 51.8 %)`, in the search: what speaks against a change
/// that gains.
pub(super) fn latency_difference(run: &TuneRun, tried: &Tried) -> String {
    let Words { name, adjectives, .. } = Words::of(run, Objective::Latency);
    let effect = tried.effects.get(&Objective::Latency);
    effect.map_or(String::new(), |Effect { ratio, interval, .. }| {
        format!("{name} {}", adjectives.difference(*ratio, Some(*interval)))
    })
}

impl Words {
    /// What a run has for an objective.
    pub(super) fn of(run: &TuneRun, objective: Objective) -> Words {
        let name = match objective {
            Objective::Latency => "latency",
            Objective::Cpu => "CPU time",
            Objective::Memory => "memory at peak",
            Objective::Start => "start",
        };
        let is_paced = matches!(objective, Objective::Latency | Objective::Cpu);
        let name = match run.rate.filter(|_| is_paced) {
            Some(rate) => format!("{name} at {}", rate_text(rate)),
            None => name.to_string(),
        };
        let (adjectives, better, worse) = match objective {
            Objective::Start => (Adjectives::DURATION, "shorter", "longer"),
            _ => (Adjectives::AMOUNT, "lower", "higher"),
        };
        Words { name, adjectives, better, worse, is_speed: false }
    }

    /// What decides in a run.
    pub(super) fn deciding(run: &TuneRun) -> Words {
        let words = Words::of(run, run.objective());
        match (run.objective(), run.rate) {
            (Objective::Latency, None) => Words {
                adjectives: Adjectives::LATENCY,
                better: "faster",
                worse: "slower",
                is_speed: true,
                ..words
            },
            _ => words,
        }
    }

    /// What a model, or something of it, is: `it is`, `CPU time at 20/s is`.
    pub(super) fn subject(&self) -> &str {
        if self.is_speed { "it" } else { &self.name }
    }
}

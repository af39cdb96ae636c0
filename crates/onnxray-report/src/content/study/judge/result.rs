//! What a report of a judgement is made of.

use crate::content::study::Verified;
use onnxray_analyzer::study::{Judgement, Sequence, Word};
use onnxray_format::Objective;
use std::time::Duration;

/// What a candidate has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Faster than the baseline.
    Faster,
    /// The same, or faster.
    NotSlower,
    /// The same.
    Same,
}

impl Expected {
    /// All of them.
    pub const ALL: [Expected; 3] = [Expected::Faster, Expected::NotSlower, Expected::Same];

    /// As it is asked for.
    pub fn text(self) -> &'static str {
        match self {
            Expected::Faster => "faster",
            Expected::NotSlower => "not-slower",
            Expected::Same => "same",
        }
    }
}

/// What came of a judgement.
pub struct JudgeResult {
    /// What launches say, or why both cannot be compared.
    pub judgement: Result<Judgement, String>,
    /// Largest distance of B's outputs on inputs that no launch saw; `None` without any.
    pub held_out: Option<f64>,
    /// Both interleaved, where they differ.
    pub verified: Option<Verified>,
    /// A and B, as people call them.
    pub names: [String; 2],
    /// What B has to be.
    pub expected: Expected,
    /// How long this run took.
    pub spent: Duration,
    /// Launches of this run.
    pub launches: usize,
    /// The command.
    pub command: String,
}

impl JudgeResult {
    /// The word; `None` where both cannot be compared.
    pub fn word(&self) -> Option<Word> {
        let judged = self.judgement.as_ref().ok()?;
        // What no launch saw counts as well.
        let is_far = self.held_out.is_some_and(|loss| loss > judged.options.max_loss);
        Some(if is_far { Word::Different } else { judged.word })
    }

    /// Whether it came out as expected; `None` if no word says so.
    pub fn passed(&self) -> Option<bool> {
        match (self.word()?, self.expected) {
            (Word::Faster, Expected::Faster | Expected::NotSlower) => Some(true),
            (Word::Same, Expected::NotSlower | Expected::Same) => Some(true),
            (Word::Faster | Word::Same | Word::Slower, _) => Some(false),
            (Word::Inconclusive | Word::Different | Word::Harness, _) => None,
        }
    }

    pub(super) fn candidate(&self) -> Option<Sequence> {
        self.judgement.as_ref().ok()?.candidate
    }

    pub(super) fn control(&self) -> Option<Sequence> {
        self.judgement.as_ref().ok()?.control
    }

    /// What B is judged by; latency where both cannot be compared.
    pub fn objective(&self) -> Objective {
        self.judgement.as_ref().map_or(Objective::Latency, |judged| judged.options.objective)
    }

    /// About how long it takes until a word is said, beyond this run; `None` if there is no telling.
    pub fn needed(&self) -> Option<Duration> {
        let judged = self.judgement.as_ref().ok()?;
        let more = judged.launches_needed()?.saturating_sub(judged.candidate?.launches).max(1);
        let is_open = self.word() == Some(Word::Inconclusive) && self.launches > 0;
        is_open.then(|| self.spent / self.launches as u32 * more as u32)
    }
}

/// Ends of a ratio; `None` with too few launches.
pub(super) fn interval(own: &Sequence) -> Option<(f64, f64)> {
    own.half_width?;
    let [low, high] = own.ends().map(f64::exp);
    Some((low, high))
}

//! What a report of a judgement is made of.

use crate::content::study::verified::Told;
use onnxray_analyzer::comparison::Verdict;
use onnxray_analyzer::study::Verified;
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

/// What a word rests on.
pub enum Evidence {
    /// Launches of A, B and A's copy.
    Measured(Box<Judgement>),
    /// Two recordings, whose comparison has the verdict.
    Recorded(Box<Verified>),
}

/// What came of a judgement.
pub struct JudgeResult {
    /// What both say, or why they cannot be compared.
    pub judgement: Result<Evidence, String>,
    /// Largest distance of B's outputs on inputs that no launch saw; `None` without any.
    pub held_out: Option<f64>,
    /// Both interleaved, where they differ.
    pub verified: Option<Verified>,
    /// The largest cause of the difference, in words, where these recordings are no longer there.
    pub known_cause: Option<String>,
    /// A and B, as people call them.
    pub names: [String; 2],
    /// What B has to be.
    pub expected: Expected,
    /// How long this run took.
    pub spent: Duration,
    pub launches: usize,
    pub command: String,
    /// The word that this was to confirm, if any, which is `None` where it was not comparable.
    pub first: Option<Option<Word>>,
}

impl JudgeResult {
    /// The word; `None` where both cannot be compared.
    pub fn word(&self) -> Option<Word> {
        Some(match self.judgement.as_ref().ok()? {
            // What no launch saw counts as well.
            Evidence::Measured(own) if self.held_out > Some(own.options.max_loss) => {
                Word::Different
            }
            Evidence::Measured(own) => own.word,
            Evidence::Recorded(own) => match own.ratio().verdict {
                Some(Verdict::Faster) => Word::Faster,
                Some(Verdict::Slower) => Word::Slower,
                Some(Verdict::Same) => Word::Same,
                Some(Verdict::Inconclusive | Verdict::NotTested) | None => Word::Inconclusive,
            },
        })
    }

    /// Why a side did not run.
    pub fn failed(&self) -> Option<&str> {
        self.measured()?.failed.as_deref()
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

    /// What launches say, if it was measured.
    pub fn measured(&self) -> Option<&Judgement> {
        match self.judgement.as_ref().ok()? {
            Evidence::Measured(own) => Some(own),
            Evidence::Recorded(_) => None,
        }
    }

    pub(super) fn recorded(&self) -> Option<&Verified> {
        match self.judgement.as_ref().ok()? {
            Evidence::Measured(_) => None,
            Evidence::Recorded(own) => Some(own),
        }
    }

    /// Recordings of both, whether they are judged or tell where both differ.
    pub(super) fn verified(&self) -> Option<&Verified> {
        self.recorded().or(self.verified.as_ref())
    }

    /// B's figure / A's, and the ends of its interval.
    pub(super) fn ratio(&self) -> Option<(f64, Option<(f64, f64)>)> {
        match self.judgement.as_ref().ok()? {
            Evidence::Measured(own) => own.candidate.map(|own| (own.mean.exp(), interval(&own))),
            Evidence::Recorded(own) => Some((own.ratio().ratio?, own.ratio().interval)),
        }
    }

    pub(super) fn threshold(&self) -> Option<f64> {
        Some(match self.judgement.as_ref().ok()? {
            Evidence::Measured(own) => own.options.threshold,
            Evidence::Recorded(own) => own.comparison.noise_threshold.0,
        })
    }

    /// The largest cause of the difference, in words: `65 % of it in blocks.*/mlp/fc1 (x24)`.
    pub fn cause(&self) -> Option<String> {
        let is_slower = self.word() == Some(Word::Slower);
        let cause = self.verified().and_then(|own| own.largest_cause(is_slower));
        cause.or(self.known_cause.clone())
    }

    /// What B is judged by; latency where both cannot be compared.
    pub fn objective(&self) -> Objective {
        self.measured().map_or(Objective::Latency, |judged| judged.options.objective)
    }

    /// About how long it takes until a word is said, beyond this run; `None` if there is no telling.
    pub fn needed(&self) -> Option<Duration> {
        let judged = self.measured()?;
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

//! The word, from all launches so far.

use super::sequence::Sequence;
use crate::comparison::FEWEST_LAUNCHES;
use crate::statistics::median;
use crate::study::evidence::other_cores;
use onnxray_format::{JudgeRun, JudgeTrial, Judged, MixQuality, Objective, Variant};

/// What a candidate is, next to its baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// Faster by more than the threshold.
    Faster,
    /// Slower by more than the threshold.
    Slower,
    /// Within the threshold.
    Same,
    /// Not known yet.
    Inconclusive,
    /// Its outputs are others.
    Different,
    /// The baseline differs from its own copy: what this machine measures is not the candidate.
    Harness,
}

/// When a word is said.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JudgeOptions {
    /// What B is judged by.
    pub objective: Objective,
    /// Share of it up to which a difference does not matter.
    pub threshold: f64,
    /// Largest distance of the outputs.
    pub max_loss: f64,
}

/// What launches say of a candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// What was measured.
    pub run: JudgeRun,
    /// When a word is said.
    pub options: JudgeOptions,
    /// The word.
    pub word: Word,
    /// Logarithms of what B is judged by / A's; `None` without launches.
    pub candidate: Option<Sequence>,
    /// The same of A's copy; `None` without one.
    pub control: Option<Sequence>,
    /// Logarithms of B's / that of A's copy in the same launch; `None` without one.
    pub apart: Option<Sequence>,
    /// The same of everything else that is known of B.
    pub beside: Vec<(Objective, Sequence)>,
    /// The largest distance of B's outputs over launches; `None` if unknown.
    pub loss: Option<f64>,
    /// The output with that distance.
    pub output: Option<String>,
    /// Largest share of tokens that are others, over launches; `None` if unknown.
    pub changed_tokens: Option<f64>,
    /// Why B, or A's copy, did not run in a launch.
    pub failed: Option<String>,
    /// Number of launches, also of those that failed.
    pub launches: usize,
    /// Latency of A in nanoseconds: the median over launches; `None` without any.
    pub baseline_ns: Option<f64>,
    /// Most cores that other programs used in a launch; `None` if unknown.
    pub other_cores: Option<f64>,
}

impl Judgement {
    /// Whether another launch would change nothing.
    pub fn is_decided(&self) -> bool {
        self.word != Word::Inconclusive || self.failed.is_some()
    }

    /// B's latency / A's, and the ends of its interval.
    pub fn ratio(&self) -> Option<(f64, [f64; 2])> {
        self.candidate.map(|own| (own.mean.exp(), own.ends().map(f64::exp)))
    }

    /// Launches that it takes in all if spread and estimate stay; `None` beyond a thousand, as near the
    /// threshold.
    pub fn launches_needed(&self) -> Option<usize> {
        let candidate = self.candidate?;
        // Within the threshold, the interval has to lie within it; beyond, outside.
        let edge = (candidate.mean.abs() - self.options.threshold.ln_1p()).abs();
        let own = candidate.launches_for(edge)?;
        // B has to differ from A's copy as well where it is beyond the threshold.
        let is_beyond = candidate.mean.abs() > self.options.threshold.ln_1p();
        let apart = match self.apart.filter(|_| is_beyond && self.run.has_control) {
            Some(apart) => apart.launches_for(apart.mean.abs())?,
            None => own,
        };
        Some(own.max(apart).max(FEWEST_LAUNCHES))
    }
}

/// Judges a candidate by all launches so far.
pub fn judge(run: &JudgeRun, trials: &[&JudgeTrial], options: JudgeOptions) -> Judgement {
    let of = |side: Judged| {
        let variants = trials.iter().flat_map(|trial| &trial.variants);
        variants.filter(move |variant| variant.changes == [side])
    };
    let sequence = |side, objective| {
        let ratios = of(side).filter_map(|own| figure(own, objective));
        Sequence::of(&ratios.map(f64::ln).collect::<Vec<f64>>())
    };
    let apart = trials.iter().filter_map(|trial| {
        let [b, copy] = [Judged::Candidate, Judged::Control].map(|side| {
            let own = trial.variants.iter().find(|variant| variant.changes == [side])?;
            figure(own, options.objective)
        });
        Some((b? / copy?).ln())
    });
    let others = Objective::ALL.into_iter().filter(|other| *other != options.objective);
    let beside = others.filter_map(|other| Some((other, sequence(Judged::Candidate, other)?)));
    let failed = of(Judged::Candidate).chain(of(Judged::Control));
    let failed = failed.filter_map(|variant| variant.failed.clone()).next();
    let losses = of(Judged::Candidate).filter_map(|own| Some((own.quality.loss?, own)));
    let largest = losses.max_by(|a, b| a.0.total_cmp(&b.0));
    let bases: Vec<f64> = trials.iter().filter_map(|trial| trial.base_ns).collect();
    let mut judged = Judgement {
        run: run.clone(),
        options,
        word: Word::Inconclusive,
        candidate: sequence(Judged::Candidate, options.objective),
        control: sequence(Judged::Control, options.objective),
        apart: Sequence::of(&apart.collect::<Vec<f64>>()),
        beside: beside.collect(),
        loss: largest.map(|(loss, _)| loss),
        output: largest.and_then(|(_, own)| own.quality.output.clone()),
        changed_tokens: of(Judged::Candidate)
            .filter_map(|own| own.quality.changed_tokens)
            .reduce(f64::max),
        failed,
        launches: trials.len(),
        baseline_ns: median(&bases),
        other_cores: other_cores(trials.iter().copied()),
    };
    judged.word = word(&judged);
    judged
}

/// A side's figure / A's.
fn figure(own: &Variant<Judged, MixQuality>, objective: Objective) -> Option<f64> {
    match objective {
        Objective::Latency => own.ratio,
        cost => own.costs?.of(cost),
    }
}

fn word(judged: &Judgement) -> Word {
    let Judgement { options, candidate, control, apart, .. } = judged;
    // Other outputs are another model, however fast it is.
    if judged.loss.is_some_and(|loss| loss > options.max_loss) {
        return Word::Different;
    }
    let Some(candidate) = candidate.filter(|own| own.launches >= FEWEST_LAUNCHES) else {
        return Word::Inconclusive;
    };
    // In logarithms, faster and slower are alike.
    let band = options.threshold.ln_1p();
    let [low, high] = candidate.ends();
    // B has to differ from A's copy as well, launch by launch.
    let [from_copy, to_copy] = match (judged.run.has_control, control, apart) {
        (false, ..) => [low, high],
        (true, Some(control), Some(apart)) => {
            let [lowest, highest] = control.ends();
            if lowest > band || highest < -band {
                return Word::Harness;
            }
            apart.ends()
        }
        (true, ..) => return Word::Inconclusive,
    };
    if high < -band && to_copy < 0.0 {
        Word::Faster
    } else if low > band && from_copy > 0.0 {
        Word::Slower
    } else if low >= -band && high <= band {
        Word::Same
    } else {
        Word::Inconclusive
    }
}

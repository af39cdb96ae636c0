//! What came of a descent.

use super::descent::Found;
use super::evidence::{Evidence, Step, base_ns, other_cores};
use super::options::StudyOptions;
use super::plan::{Study, TrialOf};
use super::sets::Set;
use super::taken::{Judging, TriedChange};
use super::tried::Tried;
use onnxray_format::{MixRun, Stage};

/// Mixes of two models, A and B: a change is taken from B.
pub type Mixing = Descent<MixRun>;

/// Result of a descent so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Descent<S> {
    /// Models, engine, machine and changes.
    pub run: S,
    /// Thresholds.
    pub options: StudyOptions,
    /// Largest admissible loss: `max_loss`, or else that of all changes, but at least rounding's;
    /// `None` if unknown.
    pub limit: Option<f64>,
    /// Latency of the base, in nanoseconds: the median over launches; `None` without one.
    pub base_ns: Option<f64>,
    /// Most cores that other programs used in a launch; `None` if unknown.
    pub other_cores: Option<f64>,
    /// All changes at once; `None` if they were not measured.
    pub b: Option<Tried>,
    /// Each change, in the order of the run.
    pub changes: Vec<TriedChange>,
    /// All mixes that were measured, the fastest first, those that failed at the end.
    pub mixes: Vec<Tried>,
    /// The best one: the base if nothing is better; `None` if nothing was measured.
    pub best: Option<Tried>,
    /// 1 + the sum of the gains of its changes, each alone on the base; `None` if one was not
    /// measured alone.
    pub predicted: Option<f64>,
    /// Next step.
    pub next: Step,
}

/// Evaluates the launches of a run so far.
pub fn descend<S: Study>(run: &S, trials: &[&TrialOf<S>], options: StudyOptions) -> Descent<S> {
    let mut evidence = Evidence::of(run, trials, Stage::Single, options);
    let all = evidence.sets.all();
    let of_all = evidence.known.distance(&all).map(|own| own.loss.max(run.rounding()));
    evidence.limit = options.max_loss.or(of_all);
    let Found { best, next } = evidence.found();
    let mut mixes: Vec<Tried> = evidence.known.variants().map(|set| evidence.tried(set)).collect();
    let speed = |mix: &Tried| mix.ratio.filter(|_| mix.failed.is_none()).unwrap_or(f64::INFINITY);
    mixes.sort_by(|a, b| speed(a).total_cmp(&speed(b)).then(a.changes.cmp(&b.changes)));
    let judging = Judging { evidence: &evidence, best: &best };
    let changes: Vec<TriedChange> =
        (0..evidence.sets.count() as u32).map(|change| judging.change(change)).collect();
    let parts = best.iter().map(|&change| {
        // The gain of a change includes those that it needs.
        let alone = changes.get(change as usize)?.alone.as_ref()?;
        Some((alone.changes.clone(), alone.ratio?))
    });
    let parts: Option<Vec<(Set, f64)>> = parts.collect();
    Descent {
        run: run.clone(),
        options,
        limit: evidence.limit,
        base_ns: base_ns::<S>(trials),
        other_cores: other_cores(trials.iter().copied()),
        b: evidence.measured(&all),
        best: evidence.measured(&best),
        predicted: parts.map(predicted),
        changes,
        mixes,
        next,
    }
}

/// 1 + what each brings by itself, where those that need others bring theirs along.
fn predicted(parts: Vec<(Set, f64)>) -> f64 {
    let is_within = |set: &Set, other: &Set| {
        set.len() < other.len() && set.iter().all(|own| other.contains(own))
    };
    let outer =
        parts.iter().filter(|(set, _)| !parts.iter().any(|(other, _)| is_within(set, other)));
    // Changes that need each other make the same mix, which counts once.
    let mut seen: Vec<&Set> = Vec::new();
    let mut sum = 1.0;
    for (set, ratio) in outer {
        if !seen.contains(&set) {
            seen.push(set);
            sum += ratio - 1.0;
        }
    }
    sum
}

impl<S: Study> Descent<S> {
    /// Measured mixes to which no other is both faster and nearer to the base, from the fastest
    /// to the nearest.
    pub fn front(&self) -> Vec<&Tried> {
        let mut front: Vec<&Tried> = Vec::new();
        let mut least = f64::INFINITY;
        for mix in self.mixes.iter().filter(|mix| mix.failed.is_none() && mix.ratio.is_some()) {
            let Some(loss) = mix.loss else { continue };
            if loss < least {
                least = loss;
                front.push(mix);
            }
        }
        front
    }

    /// True if the search is not done.
    pub fn is_searching(&self) -> bool {
        self.next != Step::Nothing
    }

    /// The best mix, if it is neither all of A nor all of B.
    pub fn mixed(&self) -> Option<&Tried> {
        let is_mixed = |mix: &&Tried| !mix.changes.is_empty() && !self.is_all_of_b(mix);
        self.best.as_ref().filter(is_mixed)
    }

    /// True if a mix is all of B.
    pub fn is_all_of_b(&self, mix: &Tried) -> bool {
        mix.changes.len() == self.changes.len()
    }

    /// True if B is faster than A, and admissible.
    pub fn is_b_better(&self) -> bool {
        let is_better = |b: &Tried| b.is_admissible() && b.ratio.is_some_and(|ratio| ratio < 1.0);
        self.b.as_ref().is_some_and(is_better)
    }
}

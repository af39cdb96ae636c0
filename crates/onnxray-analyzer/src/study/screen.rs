//! Every change by itself, then those that pay together.
//!
//! Every change is measured by itself in a few launches; those that may pay still, in more. Of
//! those that pay, combinations are measured, and the best one is recorded next to the base, in
//! launches that none of this saw. All of it follows from what was measured so far, so that a
//! search that was killed goes on where it was.

use super::evidence::{Evidence, Step, base_ns, fewest, other_cores};
use super::looks::{FIRST_LAUNCHES, LAUNCHES, MOST_LAUNCHES, is_between};
use super::options::StudyOptions;
use super::plan::{Study, TrialOf};
use super::sets::{Set, Sets};
use super::tried::Tried;
use onnxray_format::{Stage, TuneRun};

/// Launches of every change where fresh processes measure, which take their time.
pub(super) const FIRST_STARTS: usize = 3;
pub(super) const COMBINED_LAUNCHES: usize = 5;
/// Combinations that leave out one change are tried for no more changes than this.
const MOST_LEFT_OUT: usize = 8;

/// Changes of the runtime, and what came of them.
pub type Tuning = Screening<TuneRun>;

/// Result of a screening so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Screening<S> {
    /// Model, engine, machine and changes.
    pub run: S,
    /// Thresholds.
    pub options: StudyOptions,
    /// Largest admissible loss; infinite if none was set.
    pub limit: f64,
    /// Latency of the base, in nanoseconds, the median over launches; `None` without one.
    pub base_ns: Option<f64>,
    /// Most cores that other programs used in a launch; `None` if unknown.
    pub other_cores: Option<f64>,
    /// Each change by itself, in the order in which they are planned.
    pub single: Vec<Tried>,
    /// Combinations of those that pay; empty if fewer than two do.
    pub combined: Vec<Tried>,
    /// Recommended combination, as measured; `None` if nothing pays, or if too little is measured.
    pub best: Option<Tried>,
    /// Product of the ratios of its single changes, as if effects added up; `None` if nothing is
    /// recommended.
    pub predicted: Option<f64>,
    /// Next step.
    pub next: Step,
    /// Once that is nothing: what decides more of what is undecided, if there is time; nothing if
    /// something is recommended, or if all is decided that forty launches decide.
    pub further: Step,
}

/// Evaluates the launches of a run so far.
pub fn screen<S: Study>(run: &S, trials: &[&TrialOf<S>], options: StudyOptions) -> Screening<S> {
    let limit = options.max_loss.unwrap_or(f64::INFINITY);
    let evidence =
        |stage| Evidence { limit: Some(limit), ..Evidence::of(run, trials, stage, options) };
    let alone = evidence(Stage::Single);
    let singles: Vec<Set> =
        (0..alone.sets.count() as u32).map(|change| alone.sets.with(&[], &[change])).collect();
    let single = alone.judged(&singles);
    // docs/studies/tuning.md: five launches for all, five more where the interval leaves a gain.
    let gained = run.has_starts().then(|| most_gained(&single)).flatten();
    let next = step(&alone, &single, |tried| match tried.launches {
        ..FIRST_STARTS => tried.failed.is_none(),
        ..FIRST_LAUNCHES if !run.has_starts() => tried.failed.is_none(),
        // Of fresh processes, what is decided early has no more.
        launches @ ..=FIRST_LAUNCHES if run.has_starts() => match tried.pays() {
            true => launches < FIRST_LAUNCHES,
            false => tried.may_pay(options.smallest_gain) && tried.may_add(gained, &options),
        },
        FIRST_STARTS..LAUNCHES => tried.may_pay(options.smallest_gain),
        _ => false,
    });
    let mut screening = Screening {
        run: run.clone(),
        options,
        limit,
        base_ns: base_ns::<S>(trials),
        other_cores: other_cores(trials.iter().copied()),
        single,
        combined: Vec::new(),
        best: None,
        predicted: None,
        next,
        further: Step::Nothing,
    };
    if screening.next != Step::Nothing {
        return screening.so_far();
    }
    // Between two looks nothing is decided: to look after every launch finds what is not there.
    screening.further = step(&alone, &screening.single, |tried| {
        is_between(tried.launches) && tried.failed.is_none()
    });
    if screening.further != Step::Nothing {
        return screening.so_far();
    }
    // Combinations are made of what pays: all single changes come first.
    screening.combine(&evidence(Stage::Combined));
    if screening.next == Step::Nothing && screening.best.is_none() {
        screening.further = step(&alone, &screening.single, |tried| {
            tried.launches < MOST_LAUNCHES && !tried.pays() && tried.may_pay(options.smallest_gain)
        });
    }
    screening
}

impl<S: Study> Screening<S> {
    /// True if a launch more would tell more.
    pub fn is_searching(&self) -> bool {
        self.next != Step::Nothing || self.further != Step::Nothing
    }

    /// The changes that pay by themselves, from the largest gain to the smallest; of those that
    /// exclude each other, the first one.
    pub fn gains(&self) -> Vec<&Tried> {
        let ratio = |tried: &Tried| tried.effect.map_or(1.0, |effect| effect.ratio);
        let mut paying: Vec<&Tried> = self.single.iter().filter(|tried| tried.pays()).collect();
        paying.sort_by(|a, b| ratio(a).total_cmp(&ratio(b)));
        let sets = Sets::of(&self.run);
        let mut kept: Vec<&Tried> = Vec::new();
        for tried in paying {
            if !kept.iter().any(|other| sets.conflict(&other.changes, &tried.changes)) {
                kept.push(tried);
            }
        }
        kept
    }

    /// The share of the search that is done, if what pays goes on to pay: of the launches that are
    /// needed, those that there are.
    pub fn done(&self) -> f64 {
        let all = self.single.iter().chain(&self.combined);
        let (mut done, mut needed) = (0, 0);
        for tried in all {
            let is_open = tried.pays() || tried.effect.is_none();
            let most = if is_open { LAUNCHES } else { FIRST_LAUNCHES };
            done += tried.launches.min(most);
            needed += most;
        }
        done as f64 / needed.max(1) as f64
    }

    fn combine(&mut self, evidence: &Evidence<S>) {
        let mut gains: Vec<Tried> = self.gains().into_iter().cloned().collect();
        let Some(first) = gains.first().cloned() else { return };
        if self.run.has_starts() {
            let gained = first.effect.map(|effect| effect.ratio);
            gains.retain(|tried| *tried == first || tried.may_add(gained, &self.options));
        }
        // A single change that pays was measured by itself already.
        if gains.len() == 1 {
            return self.recommend(first);
        }
        let combined = evidence.judged(&combinations(&gains));
        self.next = step(evidence, &combined, |tried| {
            tried.launches < COMBINED_LAUNCHES && tried.failed.is_none()
        });
        let best =
            (self.next == Step::Nothing).then(|| best(&combined, &self.options)).flatten().cloned();
        self.combined = combined;
        match best {
            Some(best) => self.recommend(best),
            None if self.next != Step::Nothing => self.recommend_so_far(),
            None => {}
        }
    }

    fn so_far(mut self) -> Screening<S> {
        self.recommend_so_far();
        self
    }

    /// What gains most by itself, should time be up: fresh processes take long, and others verify it.
    fn recommend_so_far(&mut self) {
        let first = self.gains().first().map(|&first| first.clone());
        if let Some(first) = first.filter(|_| self.run.has_starts()) {
            self.recommend(first);
        }
    }

    fn recommend(&mut self, best: Tried) {
        let of_change = |change: &u32| {
            let own = self.single.iter().find(|tried| tried.changes == [*change]);
            own.and_then(|tried| Some(tried.effect?.ratio))
        };
        self.predicted =
            best.changes.iter().map(of_change).try_fold(1.0, |all, own| Some(all * own?));
        self.best = Some(best);
    }
}

/// The first one, the first two and so on, and all but each one of them.
fn combinations(gains: &[Tried]) -> Vec<Vec<u32>> {
    let mut planned: Vec<Vec<u32>> =
        (1..=gains.len()).map(|count| joined(&gains[..count], None)).collect();
    if gains.len() <= MOST_LEFT_OUT {
        for left_out in 0..gains.len() {
            let rest = joined(gains, Some(left_out));
            // Without the last one is a combination already.
            if !planned.contains(&rest) {
                planned.push(rest);
            }
        }
    }
    planned
}

/// Changes of all but one, those of the largest gain first.
fn joined(gains: &[Tried], left_out: Option<usize>) -> Vec<u32> {
    let mut joined: Vec<u32> = Vec::new();
    let taken = gains.iter().enumerate().filter(|(place, _)| Some(*place) != left_out);
    for &change in taken.flat_map(|(_, tried)| &tried.changes) {
        if !joined.contains(&change) {
            joined.push(change);
        }
    }
    joined
}

/// The fastest that pays or, where others are as fast within what does not matter, that of them
/// with the fewest changes.
fn best<'a>(combined: &'a [Tried], options: &StudyOptions) -> Option<&'a Tried> {
    let ratio = |tried: &Tried| tried.effect.map_or(f64::INFINITY, |effect| effect.ratio);
    let paying: Vec<&Tried> = combined.iter().filter(|tried| tried.pays()).collect();
    let least = paying.iter().map(|tried| ratio(tried)).min_by(f64::total_cmp)?;
    let as_fast = paying.into_iter().filter(|tried| ratio(tried) <= least + options.smallest_gain);
    as_fast
        .min_by(|a, b| (a.changes.len().cmp(&b.changes.len())).then(ratio(a).total_cmp(&ratio(b))))
}

/// The ratio of the change that gains most; `None` if none pays so far.
fn most_gained(single: &[Tried]) -> Option<f64> {
    let paying = single.iter().filter(|tried| tried.pays());
    paying.filter_map(|tried| Some(tried.effect?.ratio)).min_by(f64::total_cmp)
}

/// A launch of those that want one and were measured least often; nothing if none does.
fn step<S: Study>(evidence: &Evidence<S>, tried: &[Tried], wants: impl Fn(&Tried) -> bool) -> Step {
    let wanting = tried.iter().filter(|tried| wants(tried));
    let counted = wanting.map(|tried| (tried.launches, tried.changes.clone())).collect();
    fewest(counted).map_or(Step::Nothing, |variants| evidence.measure(variants))
}

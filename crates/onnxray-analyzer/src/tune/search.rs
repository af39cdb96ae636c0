//! What is to be measured next, and what came of all that was.
//!
//! Every change is measured by itself in a few launches; those that may pay still, in more. Of
//! those that pay, combinations are measured, and the best one is recorded next to the base, in
//! launches that none of this saw. All of it follows from what was measured so far, so that a
//! tuning that was killed goes on where it was.

use super::options::{COMBINED_LAUNCHES, FIRST_LAUNCHES, LAUNCHES, MOST_LEFT_OUT, TuneOptions};
use super::tried::{Tried, tried};
use crate::statistics::median;
use onnxray_format::{RuntimeChange, Stage, TuneRun, TuneTrial};

/// Next step of a search.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Measure these variants in a launch.
    Measure {
        /// Stage that the launch belongs to.
        stage: Stage,
        /// Its number within the stage.
        number: u32,
        /// Variants with the fewest launches so far.
        variants: Vec<Vec<RuntimeChange>>,
    },
    /// Nothing: what is recommended is known.
    Nothing,
}

/// Result of a tuning so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuning {
    /// Model, engine, machine and changes.
    pub run: TuneRun,
    /// Thresholds.
    pub options: TuneOptions,
    /// Latency of the model as it is, in nanoseconds, the median over launches; `None` without
    /// one.
    pub base_ns: Option<f64>,
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
}

/// Evaluates the launches of a run so far.
pub fn tuning(run: &TuneRun, launches: &[&TuneTrial], options: TuneOptions) -> Tuning {
    let singles: Vec<Vec<RuntimeChange>> =
        run.changes.iter().map(|change| vec![change.clone()]).collect();
    let single = tried(run, launches, (Stage::Single, &singles), &options);
    // docs/statistics.md#tuning: five launches for all, five more where the interval leaves a gain.
    let wants = |tried: &Tried| match tried.launches {
        ..FIRST_LAUNCHES => tried.failed.is_none(),
        FIRST_LAUNCHES..LAUNCHES => tried.may_pay(&options),
        _ => false,
    };
    let next = step(launches, Stage::Single, &single, wants);
    let mut tuning = Tuning {
        run: run.clone(),
        options,
        base_ns: base(launches),
        single,
        combined: Vec::new(),
        best: None,
        predicted: None,
        next,
    };
    // Combinations are made of what pays: all single changes come first.
    if tuning.next == Step::Nothing {
        tuning.combine(launches);
    }
    tuning
}

impl Tuning {
    /// The changes that pay by themselves, from the largest gain to the smallest; of those that
    /// set the same, the first one.
    pub fn gains(&self) -> Vec<&Tried> {
        let ratio = |tried: &Tried| tried.effect.map_or(1.0, |effect| effect.ratio);
        let mut paying: Vec<&Tried> = self.single.iter().filter(|tried| tried.pays()).collect();
        paying.sort_by(|a, b| ratio(a).total_cmp(&ratio(b)));
        let mut kept: Vec<&Tried> = Vec::new();
        for tried in paying {
            // Of two values of one setting, only the better can be taken.
            let is_new = |change: &RuntimeChange| {
                let known = kept.iter().flat_map(|other| &other.changes);
                known.into_iter().all(|known| known.setting() != change.setting())
            };
            if tried.changes.iter().all(is_new) {
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

    fn combine(&mut self, launches: &[&TuneTrial]) {
        let gains: Vec<Tried> = self.gains().into_iter().cloned().collect();
        let Some(first) = gains.first() else { return };
        // A single change that pays was measured by itself already.
        if gains.len() == 1 {
            return self.recommend(first.clone());
        }
        let changes: Vec<RuntimeChange> =
            gains.iter().flat_map(|tried| tried.changes.clone()).collect();
        let planned = combinations(&changes);
        let (run, options) = (&self.run, &self.options);
        let combined = tried(run, launches, (Stage::Combined, &planned), options);
        let wants = |tried: &Tried| tried.launches < COMBINED_LAUNCHES && tried.failed.is_none();
        self.next = step(launches, Stage::Combined, &combined, wants);
        let best = (self.next == Step::Nothing).then(|| best(&combined, options)).flatten();
        self.combined = combined;
        if let Some(best) = best {
            self.recommend(best);
        }
    }

    fn recommend(&mut self, best: Tried) {
        let of_change = |change: &RuntimeChange| {
            let own = self.single.iter().find(|tried| tried.changes == [change.clone()]);
            own.and_then(|tried| Some(tried.effect?.ratio))
        };
        self.predicted =
            best.changes.iter().map(of_change).try_fold(1.0, |all, own| Some(all * own?));
        self.best = Some(best);
    }
}

/// The first one, the first two and so on, and all but each one of them.
fn combinations(changes: &[RuntimeChange]) -> Vec<Vec<RuntimeChange>> {
    let mut planned: Vec<Vec<RuntimeChange>> =
        (1..=changes.len()).map(|count| changes[..count].to_vec()).collect();
    if changes.len() <= MOST_LEFT_OUT {
        for left_out in changes {
            let rest: Vec<_> =
                changes.iter().filter(|change| *change != left_out).cloned().collect();
            // Without the last one is a combination already.
            if !planned.contains(&rest) {
                planned.push(rest);
            }
        }
    }
    planned
}

/// The fastest that pays or, where others are as fast within what does not matter, that of them
/// with the fewest changes.
fn best(combined: &[Tried], options: &TuneOptions) -> Option<Tried> {
    let ratio = |tried: &Tried| tried.effect.map_or(f64::INFINITY, |effect| effect.ratio);
    let paying: Vec<&Tried> = combined.iter().filter(|tried| tried.pays()).collect();
    let least = paying.iter().map(|tried| ratio(tried)).min_by(f64::total_cmp)?;
    let as_fast = paying.into_iter().filter(|tried| ratio(tried) <= least + options.smallest_gain);
    let by_size = |a: &&Tried, b: &&Tried| {
        (a.changes.len().cmp(&b.changes.len())).then(ratio(a).total_cmp(&ratio(b)))
    };
    as_fast.min_by(by_size).cloned()
}

/// A launch of those that want one and were measured least often; nothing if none does.
fn step(
    launches: &[&TuneTrial],
    stage: Stage,
    tried: &[Tried],
    wants: impl Fn(&Tried) -> bool,
) -> Step {
    let wanting: Vec<&Tried> = tried.iter().filter(|tried| wants(tried)).collect();
    let Some(least) = wanting.iter().map(|tried| tried.launches).min() else {
        return Step::Nothing;
    };
    let number = launches.iter().filter(|launch| launch.stage == stage);
    let number = number.map(|launch| launch.number + 1).max().unwrap_or(0);
    let variants = wanting.into_iter().filter(|tried| tried.launches == least);
    Step::Measure { stage, number, variants: variants.map(|tried| tried.changes.clone()).collect() }
}

fn base(launches: &[&TuneTrial]) -> Option<f64> {
    median(&launches.iter().filter_map(|launch| launch.base_ns).collect::<Vec<f64>>())
}

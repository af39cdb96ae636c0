//! What came of all that was measured of mixes.

use super::found::{Mix, Taken, TriedChange};
use super::known::Known;
use super::options::{FIRST_LAUNCHES, MixOptions};
use super::search::{MixStep, Search};
use super::sets::{Needs, Set};
use crate::statistics::median;
use crate::tune::Effect;
use onnxray_format::{MixRun, MixTrial};

/// Result of mixing two models so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Mixing {
    /// Models, engine, machine and changes.
    pub run: MixRun,
    /// Thresholds.
    pub options: MixOptions,
    /// Latency of A, written as mixes are, in nanoseconds: the median over launches; `None`
    /// without one.
    pub base_ns: Option<f64>,
    /// Largest admissible loss; `None` if unknown.
    pub limit: Option<f64>,
    /// All of B, as a mix; `None` if it was not measured.
    pub b: Option<Mix>,
    /// Each change, in the order of the run.
    pub changes: Vec<TriedChange>,
    /// All mixes that were measured, the fastest first, those that failed at the end.
    pub mixes: Vec<Mix>,
    /// The best one: all of A if nothing is better; `None` if nothing was measured.
    pub best: Option<Mix>,
    /// 1 + the sum of the gains of its changes, each alone on A; `None` if one was not measured
    /// alone.
    pub predicted: Option<f64>,
    /// Next step.
    pub next: MixStep,
}

/// Evaluates the launches of a run so far.
pub fn mixing(run: &MixRun, launches: &[&MixTrial], options: MixOptions) -> Mixing {
    let (known, needs) = (Known::of(launches), Needs::of(run));
    let search = Search { run, known: &known, needs: &needs, options };
    let found = search.found();
    let mix = |set: &[u32]| Mix::of(&known, set, search.is_admissible(set));
    let measured = |set: &[u32]| known.launches(set).next().map(|_| mix(set));
    let mut mixes: Vec<Mix> = known.mixes().map(mix).collect();
    let speed = |mix: &Mix| mix.ratio.filter(|_| mix.failed.is_none()).unwrap_or(f64::INFINITY);
    mixes.sort_by(|a, b| speed(a).total_cmp(&speed(b)).then(a.from_b.cmp(&b.from_b)));
    let changes: Vec<TriedChange> = (0..needs.count() as u32)
        .map(|change| Judging { search: &search, best: &found.best }.change(change, measured))
        .collect();
    let parts = found.best.iter().map(|&change| {
        // The gain of a change includes those that it needs.
        let alone = changes[change as usize].alone.as_ref()?;
        Some((alone.from_b.clone(), alone.ratio?))
    });
    let parts: Option<Vec<(Set, f64)>> = parts.collect();
    Mixing {
        run: run.clone(),
        options,
        base_ns: median(&launches.iter().filter_map(|launch| launch.base_ns).collect::<Vec<f64>>()),
        limit: search.limit(),
        b: measured(&needs.all()),
        best: measured(&found.best),
        predicted: parts.map(predicted),
        changes,
        mixes,
        next: found.next,
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

impl Mixing {
    /// Measured mixes to which no other is both faster and nearer to A, from the fastest to the
    /// nearest.
    pub fn front(&self) -> Vec<&Mix> {
        let mut front: Vec<&Mix> = Vec::new();
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
        self.next != MixStep::Nothing
    }

    /// The best mix, if it is neither all of A nor all of B.
    pub fn mixed(&self) -> Option<&Mix> {
        let is_mixed = |mix: &&Mix| !mix.from_b.is_empty() && !self.is_all_of_b(mix);
        self.best.as_ref().filter(is_mixed)
    }

    /// True if a mix is all of B.
    pub fn is_all_of_b(&self, mix: &Mix) -> bool {
        mix.from_b.len() == self.changes.len()
    }

    /// True if B is faster than A, and admissible.
    pub fn is_b_better(&self) -> bool {
        let is_better = |b: &Mix| b.is_admissible && b.ratio.is_some_and(|ratio| ratio < 1.0);
        self.b.as_ref().is_some_and(is_better)
    }
}

/// Explains what became of each change.
struct Judging<'a> {
    search: &'a Search<'a>,
    best: &'a Set,
}

impl Judging<'_> {
    fn change(&self, change: u32, measured: impl Fn(&[u32]) -> Option<Mix>) -> TriedChange {
        let Search { known, needs, .. } = self.search;
        let all = needs.all();
        let rest = needs.without(&all, &[change]);
        let ratios: Vec<f64> = known.logarithms(&all, &rest).into_iter().map(f64::exp).collect();
        let other = needs.flipped(self.best, &[change]);
        let in_best = known.gain(self.best, &other, FIRST_LAUNCHES).map(f64::exp);
        let is_taken = self.best.binary_search(&change).is_ok();
        TriedChange {
            alone: measured(&needs.with(&[], &[change])),
            without: measured(&rest),
            in_b: Effect::of(&ratios).map(|(effect, _)| effect),
            in_best,
            is_taken,
            taken: self.why(change, is_taken, &other, in_best),
        }
    }

    fn why(&self, change: u32, is_taken: bool, other: &Set, in_best: Option<f64>) -> Taken {
        let Search { known, needs, options, .. } = self.search;
        if is_taken {
            let is_needed = self.best.iter().any(|&user| {
                user != change && needs.with(&[], &[user]).binary_search(&change).is_ok()
            });
            // Asked first: what needs this change could not stay without it, whatever it gains
            // itself.
            return match in_best {
                Some(_) if is_needed => Taken::Needed,
                Some(ratio) if ratio < 1.0 - options.smallest_gain => Taken::Gains,
                Some(_) => Taken::Kept,
                None if is_needed => Taken::Needed,
                None => Taken::Unknown,
            };
        }
        if let Some(reason) = known.failure(other) {
            return Taken::Failed(reason.to_string());
        }
        // More than this change came along with it.
        let brings_others = other.len() > self.best.len() + 1;
        // `in_best` is best / other: below 1, the mix is slower with the change.
        match in_best {
            None => Taken::Unknown,
            Some(_) if !self.search.is_admissible(other) && !brings_others => Taken::Loses,
            Some(_) if !self.search.is_admissible(other) => Taken::NeedsTooMuch,
            Some(ratio) if ratio < 1.0 - options.smallest_gain && brings_others => {
                Taken::NeedsTooMuch
            }
            Some(ratio) if ratio < 1.0 - options.smallest_gain => Taken::Costs,
            Some(_) => Taken::NoGain,
        }
    }
}

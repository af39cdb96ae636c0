//! From the better of the base and all changes to what is better, change by change.
//!
//! From the better of both, each change is taken the other way by itself; those that gain, also
//! together: the best two, the best three and so on. The search goes on from the best of all
//! these, once more launches have shown that it is better, until nothing gains. All of it follows
//! from what was measured so far, so that a search that was killed goes on where it was.

use super::evidence::{Evidence, Step, fewest};
use super::plan::Study;
use super::sets::Set;
use std::collections::{BTreeMap, BTreeSet};

/// Launches of every variant that is tried.
pub(super) const FIRST_LAUNCHES: usize = 2;
/// Launches of a variant before the search goes on from it: those behind the first decide.
const SURE_LAUNCHES: usize = 5;
/// Improvements after which the search ends in any case.
const MOST_STEPS: usize = 12;
/// More changes than this are tried in groups first.
const MOST_SINGLE: usize = 40;
/// Up to this many changes, three that lie one after the other are tried at once as well.
const MOST_IN_THREES: usize = 12;
/// Groups whose changes are tried singly as well, at each step.
const MOST_SPLIT: usize = 6;

/// State of a search.
pub(super) struct Found {
    /// The best variant so far.
    pub(super) best: Set,
    pub(super) next: Step,
}

impl<S: Study> Evidence<'_, S> {
    /// Changes that are flipped together: single ones; of more than `MOST_SINGLE`, those of one
    /// group, or runs of neighbours if these are too many.
    fn units(&self) -> Vec<Set> {
        let count = self.sets.count();
        if count <= MOST_SINGLE {
            return (0..count as u32).map(|change| vec![change]).collect();
        }
        let mut groups: BTreeMap<Option<(&str, &str)>, Set> = BTreeMap::new();
        for change in 0..count as u32 {
            groups.entry(self.study.group(change)).or_default().push(change);
        }
        if groups.len() <= MOST_SINGLE && !groups.contains_key(&None) {
            return groups.into_values().collect();
        }
        self.sets.all().chunks(count.div_ceil(MOST_SINGLE)).map(<[u32]>::to_vec).collect()
    }

    /// All changes and none, each unit alone and all but it.
    pub(super) fn singles(&self) -> Vec<Set> {
        let all = self.sets.all();
        let mut sets = vec![all.clone(), Vec::new()];
        let units = self.units();
        sets.extend(units.iter().map(|unit| self.sets.with(&[], unit)));
        sets.extend(units.iter().map(|unit| self.sets.without(&all, unit)));
        distinct(sets)
    }

    pub(super) fn found(&self) -> Found {
        let all = self.sets.all();
        let runs = self.known.failure(&all).is_none();
        // If all changes do not run, others are measured next to the base.
        let first = if runs { all.clone() } else { Vec::new() };
        if let Some(next) = self.missing(&self.singles(), &first, FIRST_LAUNCHES) {
            return Found { best: self.better(&first), next };
        }
        let mut best = self.better(&first);
        for _ in 0..MOST_STEPS {
            match self.step(&best) {
                Ok(Some(better)) => best = better,
                Ok(None) => break,
                Err(next) => return Found { best, next },
            }
        }
        Found { best, next: Step::Nothing }
    }

    /// The better of the base and all changes.
    fn better(&self, all: &[u32]) -> Set {
        let gain = self.known.gain(all, &[], FIRST_LAUNCHES);
        match self.is_admissible(all) && gain.is_some_and(|gain| gain < 0.0) {
            true => all.to_vec(),
            false => Vec::new(),
        }
    }

    /// A better set than this, if one is known; an error with what is to be measured to know.
    fn step(&self, from: &Set) -> Result<Option<Set>, Step> {
        let units = self.units_near(from);
        // Pairs and threes only where single units gain nothing.
        let mut nears = vec![units.clone(), neighbours(&units, 2)];
        if units.len() <= MOST_IN_THREES {
            nears.push(neighbours(&units, 3));
        }
        for near in nears {
            if let Some(better) = self.step_by(from, &near)? {
                return Ok(Some(better));
            }
        }
        Ok(None)
    }

    /// As `step`, by flipping one or several of these units.
    fn step_by(&self, from: &Set, units: &[Set]) -> Result<Option<Set>, Step> {
        let flips: Vec<(usize, Set)> =
            units.iter().map(|unit| self.sets.flipped(from, unit)).enumerate().collect();
        let sets = distinct(flips.iter().map(|(_, set)| set.clone()).collect());
        self.all_measured(&sets, from, FIRST_LAUNCHES)?;
        let mut gains: Vec<(f64, usize)> = Vec::new();
        for (unit, set) in &flips {
            match self.known.gain(set, from, FIRST_LAUNCHES) {
                Some(gain) if gain < 0.0 && set != from => gains.push((gain, *unit)),
                _ => {}
            }
        }
        // Ties by number: the same launches always lead to the same step.
        gains.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let gaining: Vec<&Set> = gains.iter().map(|(_, unit)| &units[*unit]).collect();
        // Gains do not add up, since islands share the cost of their conversions: measured, too.
        let together = distinct(self.together(from, &gaining));
        self.all_measured(&together, from, FIRST_LAUNCHES)?;
        let mut candidates: Vec<(f64, &Set)> = sets
            .iter()
            .chain(&together)
            .filter(|set| *set != from && self.is_admissible(set))
            .filter_map(|set| Some((self.known.gain(set, from, FIRST_LAUNCHES)?, set)))
            .filter(|(gain, _)| *gain < self.threshold())
            .collect();
        candidates.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(b.1)));
        // The best of many looks better than it is, in the launches that chose it.
        for (_, candidate) in candidates.into_iter().take(2) {
            self.all_measured(std::slice::from_ref(candidate), from, SURE_LAUNCHES)?;
            let gain = self.known.gain_behind(candidate, from, FIRST_LAUNCHES, SURE_LAUNCHES);
            if gain.is_some_and(|gain| gain < self.threshold()) {
                return Ok(Some(candidate.clone()));
            }
        }
        Ok(None)
    }

    /// Logarithm of the ratio that a set has to be below.
    fn threshold(&self) -> f64 {
        (1.0 - self.options.smallest_gain).ln()
    }

    /// Units, with the changes of those that matter most also singly.
    fn units_near(&self, from: &[u32]) -> Vec<Set> {
        let mut near = self.units();
        let mut effects: Vec<(f64, usize)> = Vec::new();
        for (place, unit) in near.iter().enumerate().filter(|(_, unit)| unit.len() > 1) {
            let flipped = self.sets.flipped(from, unit);
            let gain = self.known.gain(&flipped, from, FIRST_LAUNCHES);
            // A group that changes nothing may hold changes that cancel out; those are few.
            effects.extend(
                gain.filter(|gain| gain.abs() > -self.threshold()).map(|gain| (gain.abs(), place)),
            );
        }
        effects.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        for (_, place) in effects.into_iter().take(MOST_SPLIT) {
            let singly: Vec<Set> = near[place].iter().map(|&change| vec![change]).collect();
            near.extend(singly);
        }
        near
    }

    /// The first two, the first three and so on, in steps that grow; all of them at the end.
    fn together(&self, from: &[u32], gaining: &[&Set]) -> Vec<Set> {
        let mut sets = Vec::new();
        let (mut set, mut next) = (from.to_vec(), 2);
        for (number, unit) in gaining.iter().enumerate() {
            set = match unit.iter().all(|change| from.binary_search(change).is_ok()) {
                true => self.sets.without(&set, unit),
                false => self.sets.with(&set, unit),
            };
            let count = number + 1;
            if count == next || count == gaining.len() && count > 1 {
                sets.push(set.clone());
                next = count + 1 + count / 4;
            }
        }
        sets
    }

    fn all_measured(&self, sets: &[Set], from: &[u32], launches: usize) -> Result<(), Step> {
        self.missing(sets, from, launches).map_or(Ok(()), Err)
    }

    /// A launch of those that were not measured as often next to `from`: first that, then those
    /// that were measured least often.
    fn missing(&self, sets: &[Set], from: &[u32], launches: usize) -> Option<Step> {
        let counted = sets.iter().filter(|set| *set != from && self.known.failure(set).is_none());
        let counted = counted.map(|set| (self.known.logarithms(set, from).len(), set.clone()));
        let chosen = fewest(counted.filter(|(count, _)| *count < launches).collect())?;
        // `from` runs in the same launch, so that each ratio is within a launch.
        Some(self.measure(std::iter::once(from.to_vec()).chain(chosen).collect()))
    }
}

/// Units that lie one after the other, `count` at a time: an island of changes may
/// cost more at its ends than its parts gain one by one.
fn neighbours(units: &[Set], count: usize) -> Vec<Set> {
    let joined = units.windows(count).map(|units| {
        let changes: BTreeSet<u32> = units.iter().flatten().copied().collect();
        changes.into_iter().collect()
    });
    joined.collect()
}

/// Drops repeated sets, and keeps the order.
fn distinct(sets: Vec<Set>) -> Vec<Set> {
    let mut seen = BTreeSet::new();
    sets.into_iter().filter(|set| seen.insert(set.clone())).collect()
}

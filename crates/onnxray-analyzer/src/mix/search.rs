//! The best mix, and what is to be measured next to find it.
//!
//! From the better of A and B, each change is taken the other way by itself; those that gain, also
//! together: the best two, the best three and so on. The search goes on from the best of all
//! these, once more launches have shown that it is better, until nothing gains. All of it follows
//! from what was measured so far, so that a mix that was killed goes on where it was.

use super::known::Known;
use super::options::{
    FIRST_LAUNCHES, MOST_IN_THREES, MOST_SINGLE, MOST_SPLIT, MOST_STEPS, MixOptions, SURE_LAUNCHES,
    rounding,
};
use super::sets::{Needs, Set};
use onnxray_format::MixRun;
use std::collections::{BTreeMap, BTreeSet};

/// Next step of a search.
#[derive(Clone, Debug, PartialEq)]
pub enum MixStep {
    /// Measure these mixes in a launch: changes that each takes from B. What the others are
    /// compared with is the first.
    Measure(Vec<Vec<u32>>),
    /// Nothing: what is recommended is known.
    Nothing,
}

/// State of a search.
pub(super) struct Found {
    /// The best mix so far.
    pub(super) best: Set,
    pub(super) next: MixStep,
}

pub(super) struct Search<'a> {
    pub(super) run: &'a MixRun,
    pub(super) known: &'a Known<'a>,
    pub(super) needs: &'a Needs,
    pub(super) options: MixOptions,
}

impl Search<'_> {
    /// Largest admissible loss: `max_loss`, or else B's, but at least rounding's; `None` if B's is
    /// unknown.
    pub(super) fn limit(&self) -> Option<f64> {
        let of_b = || Some(self.known.loss(&self.needs.all())?.max(rounding(self.run)));
        self.options.max_loss.or_else(of_b)
    }

    /// True if a mix runs and its loss is within the limit.
    pub(super) fn is_admissible(&self, set: &[u32]) -> bool {
        let within = |loss: f64| self.limit().is_some_and(|limit| loss <= limit);
        // A is admissible by definition.
        self.known.failure(set).is_none()
            && (set.is_empty() || self.known.loss(set).is_some_and(within))
    }

    /// Changes that are flipped together: single ones; of more than `MOST_SINGLE`, those of one
    /// operator type in one block, or runs of neighbours if these are too many.
    fn units(&self) -> Vec<Set> {
        let count = self.needs.count();
        if count <= MOST_SINGLE {
            return (0..count as u32).map(|change| vec![change]).collect();
        }
        let mut groups: BTreeMap<(&str, &str), Set> = BTreeMap::new();
        for (number, change) in self.run.changes.iter().enumerate() {
            let part = block(change.tensor.as_deref().unwrap_or_default());
            groups.entry((part, &change.operator_type)).or_default().push(number as u32);
        }
        if groups.len() <= MOST_SINGLE {
            return groups.into_values().collect();
        }
        self.needs.all().chunks(count.div_ceil(MOST_SINGLE)).map(<[u32]>::to_vec).collect()
    }

    /// A and B themselves, and each unit alone on A and all but it on B.
    pub(super) fn singles(&self) -> Vec<Set> {
        let all = self.needs.all();
        let mut sets = vec![all.clone(), Vec::new()];
        let units = self.units();
        sets.extend(units.iter().map(|unit| self.needs.with(&[], unit)));
        sets.extend(units.iter().map(|unit| self.needs.without(&all, unit)));
        distinct(sets)
    }

    pub(super) fn found(&self) -> Found {
        let all = self.needs.all();
        let b = self.known.failure(&all).is_none();
        // If B does not run, mixes are measured next to A.
        let first = if b { all.clone() } else { Vec::new() };
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
        Found { best, next: MixStep::Nothing }
    }

    /// The better of A and B.
    fn better(&self, b: &[u32]) -> Set {
        let gain = self.known.gain(b, &[], FIRST_LAUNCHES);
        match self.is_admissible(b) && gain.is_some_and(|gain| gain < 0.0) {
            true => b.to_vec(),
            false => Vec::new(),
        }
    }

    /// A better mix than this, if one is known; an error with what is to be measured to know.
    fn step(&self, from: &Set) -> Result<Option<Set>, MixStep> {
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
    fn step_by(&self, from: &Set, units: &[Set]) -> Result<Option<Set>, MixStep> {
        let flips: Vec<(usize, Set)> =
            units.iter().map(|unit| self.needs.flipped(from, unit)).enumerate().collect();
        let sets = distinct(flips.iter().map(|(_, set)| set.clone()).collect());
        self.measured(&sets, from, FIRST_LAUNCHES)?;
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
        self.measured(&together, from, FIRST_LAUNCHES)?;
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
            self.measured(std::slice::from_ref(candidate), from, SURE_LAUNCHES)?;
            let gain = self.known.gain_behind(candidate, from, FIRST_LAUNCHES, SURE_LAUNCHES);
            if gain.is_some_and(|gain| gain < self.threshold()) {
                return Ok(Some(candidate.clone()));
            }
        }
        Ok(None)
    }

    /// Logarithm of the ratio that a mix has to be below.
    fn threshold(&self) -> f64 {
        (1.0 - self.options.smallest_gain).ln()
    }

    /// Units, with the changes of those that matter most also singly.
    fn units_near(&self, from: &[u32]) -> Vec<Set> {
        let mut near = self.units();
        let mut effects: Vec<(f64, usize)> = Vec::new();
        for (place, unit) in near.iter().enumerate().filter(|(_, unit)| unit.len() > 1) {
            let flipped = self.needs.flipped(from, unit);
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
                true => self.needs.without(&set, unit),
                false => self.needs.with(&set, unit),
            };
            let count = number + 1;
            if count == next || count == gaining.len() && count > 1 {
                sets.push(set.clone());
                next = count + 1 + count / 4;
            }
        }
        sets
    }

    fn measured(&self, sets: &[Set], from: &[u32], launches: usize) -> Result<(), MixStep> {
        self.missing(sets, from, launches).map_or(Ok(()), Err)
    }

    /// A launch of those that were not measured as often next to `from`: first that, then those
    /// that were measured least often.
    fn missing(&self, sets: &[Set], from: &[u32], launches: usize) -> Option<MixStep> {
        let counted = sets.iter().filter(|set| *set != from && self.known.failure(set).is_none());
        let counted = counted.map(|set| (self.known.logarithms(set, from).len(), set));
        let wanting: Vec<(usize, &Set)> = counted.filter(|(count, _)| *count < launches).collect();
        let least = wanting.iter().map(|(count, _)| *count).min()?;
        let chosen = wanting.into_iter().filter(|(count, _)| *count == least);
        let chosen = chosen.map(|(_, set)| set.clone());
        // `from` runs in the same launch, so that each ratio is within a launch.
        Some(MixStep::Measure(std::iter::once(from.to_vec()).chain(chosen).collect()))
    }
}

/// Units that lie one behind the other, `count` at a time: an island in the other model's way may
/// cost more at its ends than its parts gain one by one.
fn neighbours(units: &[Set], count: usize) -> Vec<Set> {
    let joined = units.windows(count).map(|units| {
        let changes: BTreeSet<u32> = units.iter().flatten().copied().collect();
        changes.into_iter().collect()
    });
    joined.collect()
}

/// The first part of a name that ends with a number, such as `/layers.3`: a block of the model.
fn block(name: &str) -> &str {
    let is_numbered =
        |part: &str| part.chars().next_back().is_some_and(|last| last.is_ascii_digit());
    let mut end = 0;
    for part in name.split_inclusive(['/', '.']) {
        end += part.len();
        if is_numbered(part.trim_end_matches(['/', '.'])) {
            return &name[..end];
        }
    }
    ""
}

/// Drops repeated sets, and keeps the order.
fn distinct(sets: Vec<Set>) -> Vec<Set> {
    let mut seen = BTreeSet::new();
    sets.into_iter().filter(|set| seen.insert(set.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_numbered_parts_of_names() {
        assert_eq!(block("/encoder/layers.3/attention/MatMul_output_0"), "/encoder/layers.3/");
        assert_eq!(block("/stages/stages.0/layers/layers.1/Conv"), "/stages/stages.0/");
        assert_eq!(block("logits"), "");
    }
}

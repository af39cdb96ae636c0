//! Sets of changes that can hold together: with each of them what it needs, and nothing that it
//! excludes.

use super::plan::Study;
use std::collections::BTreeSet;

/// Numbers of changes, ascending.
pub(super) type Set = Vec<u32>;

/// What changes need of each other, and which exclude each other.
pub(super) struct Sets {
    /// Of each change, all that have to come along.
    along: Vec<BTreeSet<u32>>,
    /// Of each change, all that cannot stay without it.
    dependent: Vec<BTreeSet<u32>>,
    /// Of each change, all that cannot hold beside it.
    conflicts: Vec<BTreeSet<u32>>,
}

impl Sets {
    pub(super) fn of(study: &impl Study) -> Sets {
        let count = study.changes().len();
        let numbers = 0..count as u32;
        let mut along: Vec<BTreeSet<u32>> = Vec::new();
        for first in numbers.clone() {
            let (mut found, mut open) = (BTreeSet::from([first]), vec![first]);
            while let Some(change) = open.pop() {
                open.extend(study.needs(change).iter().filter(|&&other| found.insert(other)));
            }
            along.push(found);
        }
        let mut dependent = vec![BTreeSet::new(); count];
        for (change, needed) in along.iter().enumerate() {
            for &other in needed {
                if let Some(dependent) = dependent.get_mut(other as usize) {
                    dependent.insert(change as u32);
                }
            }
        }
        let beside = |one: u32| {
            numbers.clone().filter(|&other| other != one && study.is_conflict(one, other)).collect()
        };
        Sets { conflicts: numbers.clone().map(beside).collect(), along, dependent }
    }

    pub(super) fn count(&self) -> usize {
        self.along.len()
    }

    /// All changes; of those that exclude each other, the first.
    pub(super) fn all(&self) -> Set {
        let mut all: Set = Vec::new();
        for change in 0..self.count() as u32 {
            if !self.conflict(&all, &[change]) {
                all.push(change);
            }
        }
        all
    }

    /// True if a change of one cannot hold beside one of the other.
    pub(super) fn conflict(&self, one: &[u32], other: &[u32]) -> bool {
        let excluded = |change: &u32| self.conflicts.get(*change as usize);
        let mut excluded = one.iter().filter_map(excluded).filter(|own| !own.is_empty());
        excluded.any(|own| other.iter().any(|change| own.contains(change)))
    }

    /// The set with these changes and what they need, without what they exclude.
    pub(super) fn with(&self, set: &[u32], changes: &[u32]) -> Set {
        let along = changes.iter().flat_map(|&change| &self.along[change as usize]).copied();
        let along: Set = along.collect::<BTreeSet<u32>>().into_iter().collect();
        let excluded: Set =
            set.iter().copied().filter(|&own| self.conflict(&[own], &along)).collect();
        let kept = self.without(set, &excluded);
        along.into_iter().chain(kept).collect::<BTreeSet<u32>>().into_iter().collect()
    }

    /// The set without these changes, and without what cannot stay without them.
    pub(super) fn without(&self, set: &[u32], changes: &[u32]) -> Set {
        let gone: BTreeSet<u32> =
            changes.iter().flat_map(|&change| &self.dependent[change as usize]).copied().collect();
        set.iter().filter(|change| !gone.contains(change)).copied().collect()
    }

    /// The set with the other way of a unit: all of it, or nothing of it if it has all already.
    pub(super) fn flipped(&self, set: &[u32], unit: &[u32]) -> Set {
        match unit.iter().all(|change| set.binary_search(change).is_ok()) {
            true => self.without(set, unit),
            false => self.with(set, unit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::simulations::{descent, screen};
    use super::*;
    use onnxray_format::RuntimeChange;

    #[test]
    fn what_is_needed_comes_along_and_goes_with_it() {
        let sets = Sets::of(&descent::run(&[&[1], &[2], &[], &[]]));
        assert_eq!(sets.with(&[], &[0]), [0, 1, 2]);
        assert_eq!(sets.with(&[3], &[1]), [1, 2, 3]);
        assert_eq!(sets.without(&[0, 1, 2, 3], &[2]), [3]);
        assert_eq!(sets.without(&[0, 1, 2, 3], &[0]), [1, 2, 3]);
        assert_eq!(sets.flipped(&[1, 2], &[2]), [] as [u32; 0]);
        assert_eq!(sets.flipped(&[1, 2], &[0]), [0, 1, 2]);
        assert_eq!(sets.flipped(&[2], &[1, 2]), [1, 2]);
    }

    #[test]
    fn what_is_excluded_gives_way() {
        let [two, four] = [2, 4].map(RuntimeChange::Threads);
        let sets = Sets::of(&screen::run(vec![two, RuntimeChange::Arena(false), four]));
        assert_eq!(sets.all(), [0, 1]);
        assert_eq!(sets.with(&[0, 1], &[2]), [1, 2]);
        assert!(sets.conflict(&[0], &[1, 2]) && !sets.conflict(&[1], &[0, 2]));
    }
}

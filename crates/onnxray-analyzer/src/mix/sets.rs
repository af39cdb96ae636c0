//! Sets of changes that may be taken from B: with each of them what it needs.

use onnxray_format::MixRun;
use std::collections::BTreeSet;

/// Changes that are taken from B, ascending.
pub(super) type Set = Vec<u32>;

/// What changes need of each other.
pub(super) struct Needs {
    /// Of each change, all that have to come along.
    along: Vec<BTreeSet<u32>>,
    /// Of each change, all that cannot stay without it.
    dependent: Vec<BTreeSet<u32>>,
}

impl Needs {
    pub(super) fn of(run: &MixRun) -> Needs {
        let count = run.changes.len();
        let mut along: Vec<BTreeSet<u32>> = Vec::new();
        for first in 0..count as u32 {
            let (mut found, mut open) = (BTreeSet::from([first]), vec![first]);
            while let Some(change) = open.pop() {
                let needs = run.changes.get(change as usize).map_or(&[][..], |own| &own.needs);
                open.extend(needs.iter().filter(|&&other| found.insert(other)));
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
        Needs { along, dependent }
    }

    pub(super) fn count(&self) -> usize {
        self.along.len()
    }

    pub(super) fn all(&self) -> Set {
        (0..self.count() as u32).collect()
    }

    /// The set with these changes taken from B, and what they need.
    pub(super) fn with(&self, set: &[u32], changes: &[u32]) -> Set {
        let along = changes.iter().flat_map(|&change| &self.along[change as usize]);
        along.chain(set).copied().collect::<BTreeSet<u32>>().into_iter().collect()
    }

    /// The set with these changes left to A, and what cannot stay without them.
    pub(super) fn without(&self, set: &[u32], changes: &[u32]) -> Set {
        let gone: BTreeSet<u32> =
            changes.iter().flat_map(|&change| &self.dependent[change as usize]).copied().collect();
        set.iter().filter(|change| !gone.contains(change)).copied().collect()
    }

    /// The set with the other way of a unit: all of it from B, or all of it from A if it is B's
    /// already.
    pub(super) fn flipped(&self, set: &[u32], unit: &[u32]) -> Set {
        match unit.iter().all(|change| set.binary_search(change).is_ok()) {
            true => self.without(set, unit),
            false => self.with(set, unit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mix::simulations::run;

    #[test]
    fn what_is_needed_comes_along_and_goes_with_it() {
        let needs = Needs::of(&run(&[&[1], &[2], &[], &[]]));
        assert_eq!(needs.with(&[], &[0]), [0, 1, 2]);
        assert_eq!(needs.with(&[3], &[1]), [1, 2, 3]);
        assert_eq!(needs.without(&[0, 1, 2, 3], &[2]), [3]);
        assert_eq!(needs.without(&[0, 1, 2, 3], &[0]), [1, 2, 3]);
        assert_eq!(needs.flipped(&[1, 2], &[2]), [] as [u32; 0]);
        assert_eq!(needs.flipped(&[1, 2], &[0]), [0, 1, 2]);
        assert_eq!(needs.flipped(&[2], &[1, 2]), [1, 2]);
    }
}

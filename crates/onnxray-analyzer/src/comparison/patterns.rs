//! Layers that repeat, folded: one row for groups of one name but for numbers, of the same types
//! and shapes.
//!
//! What chance does to 40 layers averages out in their sum, so that a pattern shows a difference
//! that none of its members would.

use super::{Compared, Group};
use crate::patterns::patterns;
use crate::units::Milliseconds;
use onnxray_format::Operator;

/// A row of folded layers: a pattern, or a layer that is in none.
#[derive(Clone, Debug)]
pub struct Folded {
    /// Of a pattern with `*` for the numbers that differ: `blocks.*/mlp/fc1`.
    pub name: String,
    /// Positions among the comparison's groups, ascending; one for a layer that is in no pattern.
    pub members: Vec<usize>,
    /// The sums of its members' times, judged as one group. p is adjusted over all rows. Mean
    /// difference and contribution are the sums of the members'.
    pub compared: Compared,
    /// Set if members differ from the pattern for sure.
    pub unlike: Option<Unlike>,
}

/// Members of a pattern whose ratios differ from the pattern's by more than chance and the noise
/// threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unlike {
    /// Position among the comparison's groups of the one that is farthest off, in time.
    pub member: usize,
    /// How many there are.
    pub count: usize,
}

impl Folded {
    /// It has several members.
    pub fn is_pattern(&self) -> bool {
        self.members.len() > 1
    }
}

/// A row before it is judged.
pub(crate) struct Fold {
    name: String,
    /// Positions of groups, ascending.
    pub(crate) members: Vec<usize>,
}

impl Fold {
    pub(crate) fn is_pattern(&self) -> bool {
        self.members.len() > 1
    }

    /// `groups` are the judged groups.
    pub(crate) fn judged(
        &self,
        mut compared: Compared,
        unlike: Option<Unlike>,
        groups: &[Compared],
    ) -> Folded {
        let members = || self.members.iter().filter_map(|&member| groups.get(member));
        // Not of the pattern's own typical times, as medians of sums are not sums of medians:
        // folded or not, the parts of a difference are the same.
        let parts = members().filter_map(|member| member.change.contribution);
        compared.change.contribution = parts.reduce(|sum, part| sum + part);
        let parts = members().filter_map(|member| member.change.mean_difference);
        let parts = parts.map(|part| part.0).reduce(|sum, part| sum + part);
        compared.change.mean_difference = parts.map(Milliseconds);
        Folded { name: self.name.clone(), members: self.members.clone(), compared, unlike }
    }
}

/// Rows in the order of their first members; none where nothing repeats. `main` are the operators
/// that groups are named after, `types` the lists of their types.
pub(crate) fn folds(
    groups: &[Group],
    main: &[[Option<&Operator>; 2]],
    types: &[[String; 2]],
) -> Vec<Fold> {
    let both = (0..groups.len()).filter_map(|at| match main[at] {
        [Some(a), Some(b)] if groups[at].is_matched() => Some((at, [a, b])),
        _ => None,
    });
    let both: Vec<(usize, [&Operator; 2])> = both.collect();
    let found = patterns(both.iter().map(|&(at, main)| {
        let shapes = main.map(|operator| {
            operator.outputs.iter().map(|tensor| tensor.shape.as_deref()).collect::<Vec<_>>()
        });
        let named_after = main.map(|operator| operator.operator_type.as_str());
        (main[0].name.as_str(), (named_after, &types[at], shapes))
    }));
    if found.is_empty() {
        return Vec::new();
    }
    let mut is_in_pattern = vec![false; groups.len()];
    let mut folds = Vec::new();
    for pattern in found {
        let members: Vec<usize> = pattern.members.into_iter().map(|place| both[place].0).collect();
        members.iter().for_each(|&member| is_in_pattern[member] = true);
        folds.push(Fold { name: pattern.name, members });
    }
    let lone = (0..groups.len()).filter(|&at| !is_in_pattern[at]);
    folds.extend(lone.map(|at| {
        let name = main[at].iter().flatten().next().map(|operator| operator.name.clone());
        Fold { name: name.unwrap_or_default(), members: vec![at] }
    }));
    folds.sort_unstable_by_key(|fold| fold.members[0]);
    folds
}

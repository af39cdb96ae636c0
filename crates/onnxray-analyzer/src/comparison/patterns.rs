//! Layers that repeat, folded: one row for groups of one name but for numbers, of the same types
//! and shapes.
//!
//! What chance does to 40 layers averages out in their sum, so that a pattern shows a difference
//! that none of its members would.

use super::{Compared, Group};
use crate::patterns::{Pattern, patterns};
use crate::units::Milliseconds;
use onnxray_format::Operator;
use std::collections::{HashMap, HashSet};

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
    let names = told_apart(&found, |pattern| {
        let main = pattern.members.first().and_then(|&member| both.get(member));
        let shape = main.and_then(|(_, [_, b])| b.outputs.first());
        let types = main.map_or("", |(_, [_, b])| &b.operator_type);
        [shape.map_or(String::new(), |shape| shape.shape_text("x")), types.to_string()]
    });
    let mut is_in_pattern = vec![false; groups.len()];
    let mut folds = Vec::new();
    for (pattern, name) in found.into_iter().zip(names) {
        let members: Vec<usize> = pattern.members.into_iter().map(|place| both[place].0).collect();
        members.iter().for_each(|&member| is_in_pattern[member] = true);
        folds.push(Fold { name, members });
    }
    let lone = (0..groups.len()).filter(|&at| !is_in_pattern[at]);
    folds.extend(lone.map(|at| {
        let name = main[at].iter().flatten().next().map(|operator| operator.name.clone());
        Fold { name: name.unwrap_or_default(), members: vec![at] }
    }));
    folds.sort_unstable_by_key(|fold| fold.members[0]);
    folds
}

/// Names of patterns. Those that several have end in the first of the `marks` (shape, type) in which
/// these differ, or in their place among them.
fn told_apart(patterns: &[Pattern], marks: impl Fn(&Pattern) -> [String; 2]) -> Vec<String> {
    let marked: Vec<[String; 2]> = patterns.iter().map(marks).collect();
    let mut of_name: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, pattern) in patterns.iter().enumerate() {
        of_name.entry(&pattern.name).or_default().push(at);
    }
    let name = |(at, pattern): (usize, &Pattern)| {
        let alike = &of_name[pattern.name.as_str()];
        let differs = |mark: &usize| {
            let own = |&other: &usize| marked[other][*mark].as_str();
            alike.iter().map(own).collect::<HashSet<&str>>().len() == alike.len()
        };
        let name = &pattern.name;
        match (alike.len(), (0..2).find(differs)) {
            (1, _) => name.clone(),
            (_, Some(mark)) => format!("{name} [{}]", marked[at][mark]),
            (_, None) => {
                let place = alike.iter().position(|&other| other == at).unwrap_or(0);
                format!("{name} [{}]", place + 1)
            }
        }
    };
    patterns.iter().enumerate().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_one_name_are_told_apart() {
        let of = |marks: &[[&str; 2]]| {
            let pattern = |at: usize| Pattern { name: "blocks.*/fc".into(), members: vec![at] };
            let mut all: Vec<Pattern> = (0..marks.len()).map(pattern).collect();
            all.push(Pattern { name: "head.*".into(), members: vec![99] });
            let mark = |pattern: &Pattern| {
                marks.get(pattern.members[0]).copied().unwrap_or_default().map(String::from)
            };
            told_apart(&all, mark)
        };
        assert_eq!(of(&[["1x8", "MatMul"]]), ["blocks.*/fc", "head.*"]);
        let shapes = of(&[["1x8", "MatMul"], ["1x16", "MatMul"]]);
        assert_eq!(shapes, ["blocks.*/fc [1x8]", "blocks.*/fc [1x16]", "head.*"]);
        let types = of(&[["1x8", "MatMul"], ["1x8", "Gemm"]]);
        assert_eq!(types, ["blocks.*/fc [MatMul]", "blocks.*/fc [Gemm]", "head.*"]);
        let places = of(&[["1x8", "Gemm"], ["1x8", "Gemm"], ["1x9", "Add"]]);
        assert_eq!(places[..3], ["blocks.*/fc [1]", "blocks.*/fc [2]", "blocks.*/fc [3]"]);
    }
}

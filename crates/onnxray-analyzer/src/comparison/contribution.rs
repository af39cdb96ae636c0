//! What the difference of the whole is made of.
//!
//! In each group, the types of one side stand against those of the other that do the
//! same kind of work, such as products; where the types that take most time have no such
//! counterpart, these two. Every other type of the group is work of its own, such as a
//! quantization that B adds. Causes of one name add up over groups, and all causes to the
//! difference of the whole. Only means add up, so that a few slow iterations can be a cause
//! that no typical time shows.

use super::alignment::{Kind, work};
use super::conservation::{OVERHEAD, beyond_layers};
use super::recording::type_name;
use super::stragglers::{self, Stragglers};
use super::timing::{Measured, Whole};
use super::typical::Typical;
use super::{Compared, ComparedGroup, Conservation, Recording, Side};
use crate::units::Milliseconds;
use onnxray_format::Operator;
use std::collections::BTreeMap;

/// A part of the difference.
#[derive(Clone, Debug, PartialEq)]
pub struct Cause {
    /// `MatMul → MatMulInteger`, `DynamicQuantizeLinear, only in B`.
    pub name: String,
    /// Groups in which it is.
    pub groups: u64,
    /// Per iteration, by side; what a side does not have takes no time.
    pub means: [Milliseconds; 2],
    /// Mean of B minus mean of A.
    pub difference: Milliseconds,
    /// Of the difference of the whole, as a share; `None` if there is none.
    pub contribution: Option<f64>,
    /// Why typical times do not show it; `None` if they do, or are not known.
    pub stragglers: Option<Stragglers>,
}

/// A cause before its means are taken.
#[derive(Default)]
struct Part {
    groups: u64,
    sums: [Option<f64>; 2],
    /// By side, numbers of operators.
    members: [Vec<u32>; 2],
}

impl Part {
    /// Adds times and operators; groups are counted by who knows whether it is another one.
    fn join(&mut self, other: Part) {
        for (side, members) in other.members.into_iter().enumerate() {
            let sums = [self.sums[side], other.sums[side]];
            self.sums[side] = sums.into_iter().flatten().reduce(|a, b| a + b);
            self.members[side].extend(members);
        }
    }
}

/// What causes are made from.
pub(crate) struct Parts<'a> {
    pub(crate) recordings: [&'a Recording; 2],
    pub(crate) groups: &'a [ComparedGroup],
    pub(crate) operators: &'a [Vec<Operator>; 2],
    pub(crate) measured: &'a [Measured; 2],
    pub(crate) conservation: &'a [Conservation; 2],
    pub(crate) total: &'a Compared,
    pub(crate) typical: &'a Typical,
}

/// The largest part first. Empty if the sides have no common unit.
pub(crate) fn causes(parts: &Parts) -> Vec<Cause> {
    if parts.total.change.mean_difference.is_none() {
        return Vec::new();
    }
    let [a, b] = parts.measured.each_ref().map(|side| side.mean(side.whole));
    let whole = Milliseconds(b.0 - a.0);
    let mut found: BTreeMap<String, Part> = BTreeMap::new();
    let mut add = |name: String, part: Part| {
        let known = found.entry(name).or_default();
        known.groups += 1;
        known.join(part);
    };
    for group in parts.groups {
        for (name, part) in of_group(group, parts.operators, parts.measured) {
            add(name, part);
        }
    }
    for (name, sums) in beyond_layers(parts.conservation) {
        add(name.to_string(), Part { sums: sums.map(Some), ..Part::default() });
    }
    let mut causes: Vec<Cause> = found
        .into_iter()
        .map(|(name, part)| {
            // What a side does not execute takes no time there.
            let mean = |side: usize| parts.measured[side].mean(part.sums[side].unwrap_or(0.0));
            let means = [mean(0), mean(1)];
            let difference = Milliseconds(means[1].0 - means[0].0);
            let contribution = (whole.0 != 0.0).then(|| difference.0 / whole.0);
            let stragglers = parts.stragglers(&name, &part, difference, whole);
            Cause { name, groups: part.groups, means, difference, contribution, stragglers }
        })
        .collect();
    causes.sort_by(|a, b| b.difference.0.abs().total_cmp(&a.difference.0.abs()));
    causes
}

impl Parts<'_> {
    /// What slow iterations have to do with a cause, if typical times do not show it.
    fn stragglers(
        &self,
        name: &str,
        part: &Part,
        mean: Milliseconds,
        whole: Milliseconds,
    ) -> Option<Stragglers> {
        let latency = self.total.sides[0].mean?;
        let [Some(a), Some(b)] = &self.typical.timelines else { return None };
        let timelines = [a, b];
        if !stragglers::is_large(mean, whole, latency) {
            return None;
        }
        let mut times = [Vec::new(), Vec::new()];
        for (side, into) in times.iter_mut().enumerate() {
            let timeline = timelines[side];
            match (name, part.members.iter().all(Vec::is_empty)) {
                (OVERHEAD, true) if self.measured[side].whole_is == Whole::Wall => {
                    into.clone_from(timeline.overhead.as_ref()?);
                }
                (_, true) => return None,
                (_, false) if timeline.tells_operators() => {
                    timeline.time_per_iteration(part.members[side].iter().copied(), into);
                }
                (_, false) => return None,
            }
        }
        stragglers::explain(self.recordings, timelines, &times, mean)
    }
}

/// The types of a group, and what each takes.
type Types<'a> = BTreeMap<&'a str, Part>;

/// Names and parts of the causes in a group.
fn of_group(
    group: &ComparedGroup,
    operators: &[Vec<Operator>; 2],
    measured: &[Measured; 2],
) -> Vec<(String, Part)> {
    let mut works: BTreeMap<Kind, Types> = BTreeMap::new();
    for (side, number) in [(Side::A, 0), (Side::B, 1)] {
        for member in group.group.members(side) {
            let at = member.operator as usize;
            let Some(operator) = operators[number].get(at) else { continue };
            let time = measured[number].sums.get(at).copied().flatten().unwrap_or(0.0);
            let name = type_name(operator);
            let known = works.entry(work(name)).or_default().entry(name).or_default();
            known.sums[number] = Some(known.sums[number].unwrap_or(0.0) + time);
            known.members[number].push(member.operator);
        }
    }
    let mut causes: Vec<(String, Part)> = main_pair(group, &mut works).into_iter().collect();
    for types in works.into_values() {
        let [a, b] = [0, 1].map(|side| types_of(&types, side));
        if a != b && !a.is_empty() && !b.is_empty() {
            let name = format!("{} → {}", a.join(" + "), b.join(" + "));
            causes.push((name, joined(types)));
        } else {
            causes.extend(types.into_iter().map(|(name, part)| (alone(name, &part), part)));
        }
    }
    causes
}

/// The types that take most time on both sides, taken out of `works` where the other side has
/// nothing of their kind.
fn main_pair<'a>(
    group: &'a ComparedGroup,
    works: &mut BTreeMap<Kind<'a>, Types<'a>>,
) -> Option<(String, Part)> {
    let [a, b] = group.main_types.each_ref().map(String::as_str);
    let is_lone = |name: &str, other: usize| {
        let types = works.get(&work(name));
        types.is_some_and(|types| types_of(types, other).is_empty())
    };
    if !group.group.is_matched() || !is_lone(a, 1) || !is_lone(b, 0) {
        return None;
    }
    let pair = [a, b].map(|name| Some((name, works.get_mut(&work(name))?.remove(name)?)));
    let pair = pair.into_iter().flatten().collect();
    Some((format!("{a} → {b}"), joined(pair)))
}

/// Those that a side has.
fn types_of<'a>(types: &Types<'a>, side: usize) -> Vec<&'a str> {
    types.iter().filter(|(_, part)| part.sums[side].is_some()).map(|(&name, _)| name).collect()
}

fn joined(types: Types) -> Part {
    types.into_values().fold(Part::default(), |mut all, part| {
        all.join(part);
        all
    })
}

/// What a type is called that stands against itself or nothing.
fn alone(name: &str, part: &Part) -> String {
    match part.sums {
        [Some(_), None] => format!("{name}, only in A"),
        [None, Some(_)] => format!("{name}, only in B"),
        _ => name.to_string(),
    }
}

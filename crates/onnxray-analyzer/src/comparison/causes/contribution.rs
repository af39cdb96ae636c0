//! What the difference of the whole is made of.
//!
//! In each group, the types of one side stand against those of the other that do the
//! same kind of work, such as products; where the types that take most time have no such
//! counterpart, these two. Every other type of the group is work of its own, such as a
//! quantization that B adds. Causes of one name are one over all groups; patterns of layers that
//! stand out have names of their own.
//!
//! A cause's times are typical times, as those of layers: of the same iterations, located in the
//! same way, so that the cause that is one layer is what the table of layers says of it. Typical
//! times do not add up to that of the whole, exactly: what is left has a row of its own, which is
//! not a cause.

use super::conservation::{OUTSIDE, OVERHEAD, SIDE_BY_SIDE, TIMED_APART};
use super::patterns::names_of_patterns;
use crate::comparison::alignment::{Kind, work};
use crate::comparison::judging::change::Judge;
use crate::comparison::recording::type_name;
use crate::comparison::{ComparedGroup, ComparedType, Conservation, Folded, Side};
use crate::units::Milliseconds;
use onnxray_format::Operator;
use std::collections::BTreeMap;

/// A part of the difference.
#[derive(Clone, Debug, PartialEq)]
pub struct Cause {
    /// `MatMul → MatMulInteger`, `DynamicQuantizeLinear, only in B`.
    pub name: String,
    /// Number of groups that have it.
    pub groups: u64,
    /// Typical time per iteration, by side; what a side does not have takes no time.
    pub times: [Milliseconds; 2],
    /// Time of B minus time of A.
    pub difference: Milliseconds,
    /// Share of the difference of the whole; `None` if that is 0, or if no cause has most of it.
    pub contribution: Option<f64>,
    /// The rest that no cause has: nothing follows from it.
    pub is_rest: bool,
}

/// What no cause has of the whole, and what no type has: each is of its own table.
const REST_OF_CAUSES: &str = "unattributed to causes";
const REST_OF_TYPES: &str = "unattributed to types";

/// A cause before its times are taken.
#[derive(Default)]
struct Part {
    /// Numbers of operators, by side.
    members: [Vec<u32>; 2],
}

impl Part {
    fn join(&mut self, other: Part) {
        for (side, members) in other.members.into_iter().enumerate() {
            self.members[side].extend(members);
        }
    }
}

/// What has one name, over all groups.
#[derive(Default)]
struct Found<'a> {
    groups: u64,
    /// Set if this is all of one layer.
    layer: Option<&'a ComparedGroup>,
    part: Part,
}

impl Found<'_> {
    /// Typical times of all its operators together: beside other programs, each layer is interrupted
    /// seldom and all of them often, so that layers' own typical times add up to far less.
    fn times(&self, judge: &Judge) -> [f64; 2] {
        let times = match self.layer {
            // The layer's own times: both tables then have the same figure.
            Some(group) => group.compared.sides.each_ref().map(|side| side.typical),
            None => judge.times_of(self.part.members.each_ref().map(|members| &members[..])),
        };
        times.map(|time| time.map_or(0.0, |time| time.0))
    }
}

/// Inputs of [`causes`].
pub(crate) struct Parts<'a> {
    pub(crate) judge: &'a Judge<'a>,
    pub(crate) groups: &'a [ComparedGroup],
    pub(crate) folded: &'a [Folded],
    pub(crate) operators: &'a [Vec<Operator>; 2],
    pub(crate) conservation: &'a [Conservation; 2],
    /// Sum of all causes, by side.
    pub(crate) whole: [Milliseconds; 2],
}

impl Parts<'_> {
    /// What some parts leave of the wholes, and its name. Typical times of parts do not add up to
    /// that of the whole; a row of its own makes them.
    fn rest(
        &self,
        name: &'static str,
        times: impl Iterator<Item = [f64; 2]>,
    ) -> (&'static str, [f64; 2]) {
        let wholes = self.whole.map(|whole| whole.0);
        let rest = times.fold(wholes, |[a, b], [of_a, of_b]| [a - of_a, b - of_b]);
        // Where layers are of another run, the overhead is in the rest as well, which then has a
        // name of its own.
        let is_apart = self.conservation.iter().any(|side| side.apart.is_some());
        (if is_apart { TIMED_APART } else { name }, rest)
    }

    fn is_more_than_rounding(&self, rest: [f64; 2]) -> bool {
        let [a, b] = self.whole.map(|whole| whole.0);
        rest.iter().any(|time| time.abs() > ROUNDING * a.max(b))
    }
}

/// Causes, largest first; the rest that no cause has comes last.
pub(crate) fn causes(parts: &Parts) -> Vec<Cause> {
    let mut found: BTreeMap<String, Found> = BTreeMap::new();
    let of_groups = parts.groups.iter().map(|group| of_group(group, parts.operators));
    let of_groups: Vec<Vec<(String, Part)>> = of_groups.collect();
    let only = of_groups.iter().map(|of_group| match &of_group[..] {
        [(name, _)] => Some(name.as_str()),
        _ => None,
    });
    let named = names_of_patterns(&only.collect::<Vec<_>>(), parts.groups, parts.folded);
    for (at, (group, of_group)) in parts.groups.iter().zip(of_groups).enumerate() {
        let is_one = of_group.len() == 1;
        for (name, part) in of_group {
            let name = named.get(&at).cloned().filter(|_| is_one).unwrap_or(name);
            let cause = found.entry(name).or_default();
            cause.groups += 1;
            cause.layer = (is_one && cause.groups == 1).then_some(group);
            cause.part.join(part);
        }
    }
    let mut found: Vec<(String, u64, [f64; 2])> = found
        .into_iter()
        .map(|(name, cause)| (name, cause.groups, cause.times(parts.judge)))
        .collect();
    for (name, times) in beyond_layers(parts) {
        found.push((name.to_string(), 1, times.map(|time| time.0)));
    }
    let [a, b] = parts.whole.map(|time| time.0);
    let (rest_name, rest) = parts.rest(REST_OF_CAUSES, found.iter().map(|(.., times)| *times));
    // Shares of a difference that the parts do not explain would say that they do.
    let is_explained =
        rest_name == TIMED_APART || (rest[1] - rest[0]).abs() <= MOST_REST * (b - a).abs();
    let has_shares = a != b && is_explained;
    let cause = |name: String, groups: u64, times: [f64; 2], is_rest: bool| {
        let difference = times[1] - times[0];
        Cause {
            name,
            groups,
            times: times.map(Milliseconds),
            difference: Milliseconds(difference),
            contribution: has_shares.then(|| difference / (b - a)),
            is_rest,
        }
    };
    let mut causes: Vec<Cause> =
        found.into_iter().map(|(name, groups, times)| cause(name, groups, times, false)).collect();
    // Names in order, so that equal causes never change places.
    causes.sort_by(|a, b| {
        let larger = b.difference.0.abs().total_cmp(&a.difference.0.abs());
        larger.then_with(|| a.name.cmp(&b.name))
    });
    if parts.is_more_than_rounding(rest) {
        causes.push(cause(rest_name.to_string(), 0, rest, true));
    }
    causes
}

/// What the wholes have beyond `types`, by name and side: parts outside layers, and the rest.
pub(crate) fn outside(
    parts: &Parts,
    types: &[ComparedType],
) -> Vec<(&'static str, [Milliseconds; 2])> {
    let mut outside = beyond_layers(parts);
    let of_types = types
        .iter()
        .map(|known| known.sides.each_ref().map(|side| side.as_ref().and_then(|side| side.time)));
    let of_types = of_types.map(|times| times.map(|time| time.map_or(0.0, |time| time.0)));
    let beyond = outside.iter().map(|(_, times)| times.map(|time| time.0));
    let (name, rest) = parts.rest(REST_OF_TYPES, of_types.chain(beyond));
    if parts.is_more_than_rounding(rest) {
        outside.push((name, rest.map(Milliseconds)));
    }
    outside
}

/// Part of the difference that no cause may have where causes have shares of it.
const MOST_REST: f64 = 0.5;

/// Share of the whole that sums of averages are off by.
const ROUNDING: f64 = 1e-9;

/// Parts of the wholes outside layers, by name and side: typical times where iterations tell, or
/// else means.
fn beyond_layers(parts: &Parts) -> Vec<(&'static str, [Milliseconds; 2])> {
    let sides = parts.conservation.each_ref();
    if sides.iter().any(|side| side.apart.is_some()) {
        return Vec::new();
    }
    let mean = |of: fn(&Conservation) -> Option<f64>| {
        sides.map(|side| Milliseconds::from_nanoseconds(of(side).unwrap_or(0.0) / side.iterations))
    };
    let mut beyond = Vec::new();
    // Blocks of x-rays leave none.
    if sides.iter().any(|side| side.overhead.is_some_and(|time| time > 0.0)) {
        let times = parts.judge.overheads();
        let name = if parts.judge.profiles_outside() { OUTSIDE } else { OVERHEAD };
        beyond.push((name, times.unwrap_or_else(|| mean(|side| side.overhead))));
    }
    if sides.iter().any(|side| side.concurrent.is_some_and(|time| time > 0.0)) {
        let times = parts.judge.side_by_side();
        let times = times.unwrap_or_else(|| mean(|side| side.concurrent));
        beyond.push((SIDE_BY_SIDE, times.map(|time| Milliseconds(-time.0))));
    }
    beyond
}

/// Operators of a group by type.
type Types<'a> = BTreeMap<&'a str, Part>;

/// Names and parts of the causes in a group.
fn of_group(group: &ComparedGroup, operators: &[Vec<Operator>; 2]) -> Vec<(String, Part)> {
    let mut works: BTreeMap<Kind, Types> = BTreeMap::new();
    for (side, number) in [(Side::A, 0), (Side::B, 1)] {
        for member in group.group.members(side) {
            let at = member.operator as usize;
            let Some(operator) = operators[number].get(at) else { continue };
            let name = type_name(operator);
            let known = works.entry(work(name)).or_default().entry(name).or_default();
            known.members[number].push(member.operator);
        }
    }
    // First, since it takes its types out of `works`: each operator is in one cause.
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

/// Types that a side has.
fn types_of<'a>(types: &Types<'a>, side: usize) -> Vec<&'a str> {
    let own = types.iter().filter(|(_, part)| !part.members[side].is_empty());
    own.map(|(&name, _)| name).collect()
}

fn joined(types: Types) -> Part {
    types.into_values().fold(Part::default(), |mut all, part| {
        all.join(part);
        all
    })
}

/// Name of a cause of one type: on both sides, or on one alone.
fn alone(name: &str, part: &Part) -> String {
    match part.members.each_ref().map(Vec::is_empty) {
        [false, true] => format!("{name}, only in A"),
        [true, false] => format!("{name}, only in B"),
        _ => name.to_string(),
    }
}

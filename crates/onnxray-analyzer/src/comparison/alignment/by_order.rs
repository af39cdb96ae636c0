//! Matches by kind, shapes and order, and by the place between neighbours.

use super::kind::{Kind, kind};
use super::sets::Sets;
use super::{Method, Side};
use onnxray_format::{Operator, Tensor};
use std::collections::{BTreeMap, HashMap, HashSet};

/// What two operators share that do the same work under other names. Dimensions are sorted and
/// without ones, because layouts differ.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Signature<'a> {
    kind: Kind<'a>,
    input: Option<Vec<u64>>,
    output: Option<Vec<u64>>,
}

fn dimensions(tensors: &[Tensor]) -> Option<Vec<u64>> {
    let shape = tensors.first()?.shape.as_ref()?;
    let mut dimensions: Vec<u64> = shape.iter().copied().filter(|&size| size != 1).collect();
    dimensions.sort_unstable();
    Some(dimensions)
}

/// Operators that do one work and have no counterpart, with the sets of their matched neighbours.
struct Lone {
    place: usize,
    first: usize,
    last: usize,
    before: Option<usize>,
    behind: Option<usize>,
}

impl Lone {
    fn signature<'a>(&self, operators: &'a [Operator]) -> Signature<'a> {
        Signature {
            kind: kind(&operators[self.first].operator_type),
            input: dimensions(&operators[self.first].inputs),
            output: dimensions(&operators[self.last].outputs),
        }
    }
}

/// The lone operators of a side that compute something, in order.
fn lone(operators: &[Operator], side: Side, sets: &mut Sets) -> Vec<Lone> {
    let mut found: Vec<Lone> = Vec::new();
    let mut known: HashMap<usize, usize> = HashMap::new();
    let mut before = None;
    let mut open = 0;
    for (operator, facts) in operators.iter().enumerate() {
        let place = sets.place(side, operator);
        if sets.is_matched(place) {
            let root = sets.root(place);
            before = Some(root);
            // All since the last matched operator have the same next neighbour.
            found[open..].iter_mut().for_each(|lone| lone.behind = Some(root));
            open = found.len();
        } else if !kind(&facts.operator_type).is_conversion() {
            // Steps of one work are one.
            let at = *known.entry(sets.root(place)).or_insert(found.len());
            match found.get_mut(at) {
                Some(lone) => lone.last = operator,
                None => found.push(Lone {
                    place,
                    first: operator,
                    last: operator,
                    before,
                    behind: None,
                }),
            }
        }
    }
    found
}

/// Lone operators of the same kind and shapes: in order, if both sides have as
/// many; otherwise in order among those with the same neighbour.
pub(crate) fn by_shapes(a: &[Operator], b: &[Operator], sets: &mut Sets) {
    // Each pass changes who is lone, so that neighbours are looked up again.
    pair(a, b, sets, |_, signature| signature.output.is_some().then_some(None));
    pair(a, b, sets, |lone, _| Some(Some(lone.before?)));
    pair(a, b, sets, |lone, _| Some(Some(lone.behind?)));
}

/// Links lone operators of equal signature and neighbour, if there are as many
/// of them on both sides.
fn pair(
    a: &[Operator],
    b: &[Operator],
    sets: &mut Sets,
    neighbour: impl Fn(&Lone, &Signature) -> Option<Option<usize>>,
) {
    // Ordered by signature: links do not depend on the order of a HashMap.
    let mut found: BTreeMap<(Signature, Option<usize>), [Vec<usize>; 2]> = BTreeMap::new();
    for (side, operators) in [(Side::A, a), (Side::B, b)] {
        for lone in lone(operators, side, sets) {
            let signature = lone.signature(operators);
            if let Some(neighbour) = neighbour(&lone, &signature) {
                found.entry((signature, neighbour)).or_default()[side as usize].push(lone.place);
            }
        }
    }
    for [first, second] in found.into_values() {
        // With unequal numbers, one is missing, and nobody knows which: order would shift all after
        // it.
        if first.len() == second.len() {
            first.iter().zip(second).for_each(|(&a, b)| sets.link(a, b, Method::Shape));
        }
    }
}

/// Lone operators of a side between two neighbours: places and kinds.
type Run<'a> = Vec<(usize, Kind<'a>)>;

/// Lone operators between the same two neighbours do the same work together.
pub(crate) fn by_place(a: &[Operator], b: &[Operator], sets: &mut Sets) {
    let mut runs: HashMap<(Option<usize>, Option<usize>), [Run; 2]> = HashMap::new();
    for (side, operators) in [(Side::A, a), (Side::B, b)] {
        for lone in lone(operators, side, sets) {
            // Without any neighbour, it would be everything.
            if lone.before.is_some() || lone.behind.is_some() {
                let run = runs.entry((lone.before, lone.behind)).or_default();
                run[side as usize].push((lone.place, kind(&operators[lone.first].operator_type)));
            }
        }
    }
    for [first, second] in runs.into_values() {
        let (first, second) = (unfused(&first, &second), unfused(&second, &first));
        if let (Some(&a), Some(&b)) = (first.first(), second.first()) {
            first.iter().for_each(|&place| sets.link(place, b, Method::Place));
            second.iter().for_each(|&place| sets.link(a, place, Method::Place));
        }
    }
}

/// The places of a run without elementwise operators that the other side does not
/// have there, if it has others: it fused them into what feeds them.
fn unfused(run: &[(usize, Kind)], other: &[(usize, Kind)]) -> Vec<usize> {
    let there: HashSet<Kind> = other.iter().map(|&(_, kind)| kind).collect();
    let is_fused = |kind: Kind| matches!(kind, Kind::Elementwise(_)) && !there.contains(&kind);
    match run.iter().all(|&(_, kind)| is_fused(kind)) {
        true => run.iter().map(|&(place, _)| place).collect(),
        false => {
            run.iter().filter(|&&(_, kind)| !is_fused(kind)).map(|&(place, _)| place).collect()
        }
    }
}

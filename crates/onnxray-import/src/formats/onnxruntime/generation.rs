//! Tells the prompt and the steps of a generation apart, by the sizes of what goes in.
//!
//! An application that generates text runs a decoder with the tokens of the prompt, and then
//! again and again with one token and a cache that grows. A profile has no inputs of the
//! model, but those of its nodes: among their sizes are the number of tokens that go in, of a
//! mask or a cache that grows by it, and many multiples of both.

use super::operators;
use crate::NO_ITERATION;
use crate::chrome::{Assembled, EventTrace};
use foldhash::fast::RandomState;
use onnxray_format::{Phase, Step};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The most operators, of those whose sizes vary, that are looked at.
const MOST_OPERATORS: usize = 256;
const MOST_ITERATIONS: usize = 1 << 16;
/// The fewest steps of one token that show a generation whose cache does not grow.
const FEWEST_STEPS: usize = 4;
const MOST_NAMED: usize = 3;

/// The sizes that vary from iteration to iteration.
pub(crate) struct Sizes {
    iterations: usize,
    /// Of each operator whose sizes vary, in order of their first execution: its name, and the
    /// label of its first execution in each iteration.
    varying: Vec<(String, Vec<Option<u32>>)>,
    /// What labels tell of inputs.
    inputs: HashMap<u32, Vec<Option<Vec<u64>>>, RandomState>,
}

impl Sizes {
    /// `assembled` has labels for operators.
    pub(crate) fn of(trace: &EventTrace, assembled: &Assembled) -> Sizes {
        let iterations = assembled.iterations.len();
        let mut sizes = Sizes { iterations, varying: Vec::new(), inputs: HashMap::default() };
        let of_label = operators::of_labels(trace);
        let several = operators_with_several(&of_label);
        if several.is_empty() || !(2..=MOST_ITERATIONS).contains(&iterations) {
            return sizes;
        }
        let mut positions: HashMap<u32, usize, RandomState> = HashMap::default();
        for chunk in &assembled.events.chunks {
            for (&label, &iteration) in chunk.operator.iter().zip(&chunk.iteration) {
                let Some(operator) = of_label[label as usize] else { continue };
                if iteration == NO_ITERATION || !several.contains(&operator) {
                    continue;
                }
                let next = sizes.varying.len();
                let position = *positions.entry(operator).or_insert(next);
                if position == next {
                    let name = trace.labels[label as usize].name();
                    let name = name.strip_suffix("_kernel_time").unwrap_or(&name).to_string();
                    sizes.varying.push((name, vec![None; iterations]));
                }
                sizes.varying[position].1[iteration as usize].get_or_insert(label);
            }
        }
        sizes.varying.retain(|(_, labels)| {
            let mut seen = labels.iter().flatten();
            let first = seen.next();
            seen.any(|label| Some(label) != first)
        });
        sizes.varying.truncate(MOST_OPERATORS);
        for &label in sizes.varying.iter().flat_map(|(_, labels)| labels).flatten() {
            sizes
                .inputs
                .entry(label)
                .or_insert_with(|| operators::input_sizes(&trace.labels[label as usize]));
        }
        sizes
    }

    /// What each iteration is a step of; `None` if they are not a generation.
    pub(crate) fn steps(&self) -> Option<Vec<Step>> {
        let series = self.series();
        let ones = vec![1; self.iterations];
        let tokens = series.iter().filter(|(values, _)| {
            values.contains(&1) && values.iter().any(|&tokens| tokens > 1) && !values.contains(&0)
        });
        let tokens: Vec<(&Vec<u64>, bool)> =
            tokens.map(|(values, &is_of)| (values, is_of)).collect();
        let grown = |tokens: &[u64]| series.keys().find_map(|grows| cached(tokens, grows));
        let found = tokens.iter().find_map(|&(tokens, _)| Some((tokens, grown(tokens)?)));
        // A prompt of one token has its begin in an empty cache.
        let single = || {
            let empty = series.keys().filter(|grows| grows.first() == Some(&0));
            Some((&ones, empty.into_iter().find_map(|grows| cached(&ones, grows))?))
        };
        let counted = || {
            let of_ids =
                tokens.iter().find(|&&(tokens, is_of_ids)| is_of_ids && is_stepwise(tokens));
            of_ids.map(|&(tokens, _)| (tokens, counted(tokens)))
        };
        let (tokens, cached) = found.or_else(single).or_else(counted)?;
        let step = |(&tokens, &cached): (&u64, &u64)| {
            let phase = if tokens > 1 || cached == 0 { Phase::Prefill } else { Phase::Decode };
            let (tokens, cached) = (u32::try_from(tokens).ok()?, u32::try_from(cached).ok()?);
            Some(Step { phase, tokens, cached })
        };
        let steps: Vec<Step> = tokens.iter().zip(&cached).map(step).collect::<Option<_>>()?;
        steps.iter().any(|step| step.phase == Phase::Decode).then_some(steps)
    }

    /// The sizes of all iterations, once each, and whether one of them may be of the numbers of
    /// tokens: the second axis of an input with two.
    fn series(&self) -> BTreeMap<Vec<u64>, bool> {
        let mut series = BTreeMap::new();
        for (_, labels) in &self.varying {
            let Some(labels) = labels.iter().copied().collect::<Option<Vec<u32>>>() else {
                continue;
            };
            let inputs: Vec<&[Option<Vec<u64>>]> =
                labels.iter().map(|label| self.inputs[label].as_slice()).collect();
            let count = inputs.iter().map(|inputs| inputs.len()).min().unwrap_or_default();
            for input in 0..count {
                let shapes = inputs.iter().map(|inputs| inputs[input].as_deref());
                let Some(shapes) = shapes.collect::<Option<Vec<&[u64]>>>() else { continue };
                let axes = shapes.iter().map(|shape| shape.len()).min().unwrap_or_default();
                for axis in 0..axes {
                    let values: Vec<u64> = shapes.iter().map(|shape| shape[axis]).collect();
                    if values.iter().any(|&value| value != values[0]) {
                        *series.entry(values).or_insert(false) |= (axis, axes) == (1, 2);
                    }
                }
            }
        }
        series
    }

    /// That runs took inputs of different shapes: those of the first operator whose inputs
    /// vary, of most runs first; `None` if all runs took the same.
    pub(crate) fn populations(&self) -> Option<String> {
        for (name, labels) in &self.varying {
            let mut counts: Vec<(String, usize)> = Vec::new();
            for label in labels.iter().flatten() {
                let inputs = &self.inputs[label];
                if inputs.is_empty() || inputs.contains(&None) {
                    continue;
                }
                let shapes = inputs.iter().flatten().map(|shape| text(shape));
                let shapes = shapes.collect::<Vec<_>>().join(", ");
                match counts.iter_mut().find(|(known, _)| *known == shapes) {
                    Some((_, count)) => *count += 1,
                    None => counts.push((shapes, 1)),
                }
            }
            if counts.len() < 2 {
                continue;
            }
            counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
            let named = counts.iter().take(MOST_NAMED).map(|(shape, count)| {
                format!("{shape} in {}", onnxray_text::counted(*count as u64, "run", "runs"))
            });
            let mut words = named.collect::<Vec<_>>().join("; ");
            if counts.len() > MOST_NAMED {
                let more = (counts.len() - MOST_NAMED) as u64;
                words +=
                    &format!("; {}", onnxray_text::counted(more, "other shape", "other shapes"));
            }
            return Some(format!(
                "runs are not alike: the inputs of {name} are {words}; the figures are of all of \
                 them"
            ));
        }
        None
    }
}

fn text(shape: &[u64]) -> String {
    match shape {
        [] => "a scalar".to_string(),
        sizes => sizes.iter().map(u64::to_string).collect::<Vec<_>>().join("x"),
    }
}

/// Operators that have several labels.
fn operators_with_several(of_label: &[Option<u32>]) -> HashSet<u32, RandomState> {
    let mut seen: HashSet<u32, RandomState> = HashSet::default();
    of_label.iter().flatten().copied().filter(|&operator| !seen.insert(operator)).collect()
}

/// Tokens in the cache before each iteration, if this size grows as a cache does that takes
/// `tokens` each time: before it does or behind. It begins anew with any prompt.
fn cached(tokens: &[u64], grows: &[u64]) -> Option<Vec<u64>> {
    let total = || {
        let cached = |(&grown, &tokens): (&u64, &u64)| grown.checked_sub(tokens);
        grows.iter().zip(tokens).map(cached).collect::<Option<Vec<u64>>>()
    };
    // Of a size that holds the tokens, the rest is the cache; another one is it.
    [total(), Some(grows.to_vec())].into_iter().flatten().find(|cached| is_cache(tokens, cached))
}

fn is_cache(tokens: &[u64], cached: &[u64]) -> bool {
    let follows = |at: usize| {
        let goes_on = cached[at] == cached[at - 1] + tokens[at - 1];
        // A prompt, which may be one token, needs no cache.
        goes_on || cached[at] == 0 || tokens[at] > 1 && cached[at] <= cached[at - 1]
    };
    let steps = (1..cached.len()).filter(|&at| cached[at] > cached[at - 1]).count();
    // Of two runs, sizes may be so by chance.
    let fewest = if cached[0] == 0 { 1 } else { 2 };
    steps >= fewest && (1..cached.len()).all(follows)
}

/// Whether there is a prompt, and steps of one token behind each.
fn is_stepwise(tokens: &[u64]) -> bool {
    let mut units = tokens.split(|&tokens| tokens > 1);
    let before = units.next().unwrap_or_default();
    let units: Vec<&[u64]> = units.collect();
    let Some((last, others)) = units.split_last() else { return false };
    let steps: usize = units.iter().map(|steps| steps.len()).sum();
    before.is_empty()
        && steps >= FEWEST_STEPS
        && !last.is_empty()
        && others.iter().all(|steps| steps.len() + 1 >= FEWEST_STEPS)
}

/// Tokens that went in since the last prompt began.
fn counted(tokens: &[u64]) -> Vec<u64> {
    let mut sum = 0;
    let cached = |&tokens: &u64| {
        let before = if tokens > 1 { 0 } else { sum };
        sum = before + tokens;
        before
    };
    tokens.iter().map(cached).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_grows_by_what_went_in() {
        let grown = |tokens: &[u64], grows: &[u64]| cached(tokens, grows);
        // All tokens, as a mask has them, and those before.
        assert_eq!(grown(&[5, 1, 1], &[5, 6, 7]), Some(vec![0, 5, 6]));
        assert_eq!(grown(&[5, 1, 1], &[0, 5, 6]), Some(vec![0, 5, 6]));
        // A second prompt, and one that goes on with what is there.
        assert_eq!(grown(&[5, 1, 3, 1], &[5, 6, 3, 4]), Some(vec![0, 5, 0, 3]));
        assert_eq!(grown(&[5, 1, 3, 1], &[5, 6, 9, 10]), Some(vec![0, 5, 6, 9]));
        assert_eq!(grown(&[1, 1, 1, 1], &[0, 1, 2, 0]), Some(vec![0, 1, 2, 0]));
        for other in [[5, 1, 1], [5, 7, 8], [5, 5, 5], [64, 65, 64]] {
            assert_eq!(grown(&[5, 1, 1], &other), None, "{other:?}");
        }
        assert_eq!(grown(&[1, 2], &[3, 4]), None, "other sizes of two runs");
    }

    #[test]
    fn steps_of_one_token_are_counted_behind_their_prompt() {
        assert!(is_stepwise(&[5, 1, 1, 1, 1]) && is_stepwise(&[5, 1, 1, 1, 9, 1]));
        for other in [&[5, 1, 1][..], &[1, 1, 1, 1, 5], &[5, 7, 1, 1, 1, 1], &[5, 1, 3, 1, 1, 1, 1]]
        {
            assert!(!is_stepwise(other), "{other:?}");
        }
        assert_eq!(counted(&[5, 1, 1, 3, 1]), [0, 5, 6, 0, 3]);
    }
}

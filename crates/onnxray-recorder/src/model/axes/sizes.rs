//! Sizes that a graph computes from shapes, to reshape by.

use super::axis::{Axis, Origin};
use crate::model::graph::{Graph, Node};
use std::collections::{BTreeSet, HashMap};

/// An element of a tensor of sizes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Size {
    /// The axes that it is the size of.
    pub(super) origins: BTreeSet<Origin>,
    /// Its value if constant, -1 and 0 included.
    pub(super) value: Option<i64>,
}

/// Elements of known tensors of sizes, by name.
#[derive(Debug, Default)]
pub(super) struct Sizes(HashMap<String, Vec<Size>>);

impl Sizes {
    /// The elements of a tensor of sizes.
    pub(super) fn get(&self, graph: &Graph, name: &str) -> Option<Vec<Size>> {
        if let Some(known) = self.0.get(name) {
            return Some(known.clone());
        }
        let constant = |&number: &f64| Size { value: Some(number as i64), ..Size::default() };
        Some(graph.numbers(name)?.iter().map(constant).collect())
    }

    /// Notes what a node makes of sizes; `shape` are the axes of its first input.
    pub(super) fn follow(&mut self, graph: &Graph, node: &Node, shape: Option<&[Axis]>) {
        let Some(output) = node.output(0) else { return };
        if let Some(sizes) = self.of(graph, node, shape) {
            self.0.insert(output.to_string(), sizes);
        }
    }

    fn of(&self, graph: &Graph, node: &Node, shape: Option<&[Axis]>) -> Option<Vec<Size>> {
        let input = |index: usize| self.get(graph, node.input(index)?);
        let constants = |index: usize| graph.numbers(node.input(index)?);
        match node.operator_type.as_str() {
            "Shape" => {
                let size = |axis: &Axis| Size {
                    origins: axis.origins.clone(),
                    value: axis.size.map(|size| size as i64),
                };
                let sizes: Vec<Size> = shape?.iter().map(size).collect();
                part(&sizes, node.int("start").unwrap_or(0), node.int("end"))
            }
            "Cast" | "Identity" | "Unsqueeze" | "Squeeze" => input(0),
            "Gather" => {
                let sizes = input(0)?;
                let chosen = constants(1)?.iter().map(|&index| {
                    let index = index as i64;
                    let index = if index < 0 { index + sizes.len() as i64 } else { index };
                    sizes.get(usize::try_from(index).ok()?).cloned()
                });
                chosen.collect()
            }
            "Slice" => {
                let (start, end) = (constants(1)?, constants(2)?);
                let is_whole = constants(4).is_none_or(|steps| steps == [1.0]);
                let sizes = input(0).filter(|_| is_whole)?;
                part(&sizes, *start.first()? as i64, Some(*end.first()? as i64))
            }
            // An element that is computed is of unknown size, and one element still.
            "Concat" => {
                let parts = node
                    .inputs
                    .iter()
                    .map(|name| self.get(graph, name).unwrap_or_else(|| vec![Size::default()]));
                Some(parts.flatten().collect())
            }
            _ => None,
        }
    }
}

/// Elements from `start` up to `end`; negative ones count from the end.
fn part(sizes: &[Size], start: i64, end: Option<i64>) -> Option<Vec<Size>> {
    let count = sizes.len() as i64;
    let place = |place: i64| (if place < 0 { place + count } else { place }).clamp(0, count);
    let (start, end) = (place(start) as usize, place(end.unwrap_or(count)) as usize);
    Some(sizes.get(start..end.max(start))?.to_vec())
}

/// Axes of a reshaped tensor, outermost first. Followed are axes that stay, and the first one that
/// is split or merged with the next ones.
pub(super) fn reshaped(axes: &[Axis], sizes: &[Size]) -> Vec<Axis> {
    let known = |size: &Size| size.value.and_then(|value| u64::try_from(value).ok());
    let mut made: Vec<Axis> =
        // -1 and 0 are not sizes: what is left over, and what stays.
        sizes.iter().map(|size| Axis::of_size(known(size).filter(|&size| size > 0))).collect();
    let is_same = |size: &Size, axis: &Axis| {
        known(size).is_some() && known(size) == axis.size
            || !size.origins.is_empty() && size.origins == axis.origins
    };
    let mut from = 0;
    for (to, size) in sizes.iter().enumerate() {
        let Some(axis) = axes.get(from) else { break };
        let stays = is_same(size, axis) || size.value == Some(0);
        match size.value {
            // 0 keeps an axis; a size of the same origin or value is taken for it.
            _ if stays => made[to] = axis.clone(),
            // An axis that is added.
            Some(1) => continue,
            _ => {
                made[to].origins.clone_from(&axis.origins);
                // The first axis that is cut, or grows by the ones behind it, still begins with
                // this one; no later one can be told.
                from += 1;
                break;
            }
        }
        from += 1;
    }
    // From the end, up to what was found from the start.
    let ends = sizes.iter().zip(&mut made).rev().zip(axes.iter().skip(from).rev());
    for ((size, made), axis) in ends {
        if !made.origins.is_empty() || !is_same(size, axis) {
            break;
        }
        *made = axis.clone();
    }
    made
}

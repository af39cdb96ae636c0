//! An axis of a tensor: where it comes from, and its size.

use crate::model::graph::{GraphInput, InputDimension};
use std::collections::BTreeSet;

/// Positions of an input of the graph and of one of its axes.
pub(super) type Origin = (usize, usize);

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Axis {
    /// The axes of inputs that it is, or that it begins with where several became one.
    pub(super) origins: BTreeSet<Origin>,
    /// Its size where all inputs give it the same one.
    pub(super) size: Option<u64>,
}

impl Axis {
    pub(super) fn of_size(size: Option<u64>) -> Axis {
        Axis { size, ..Axis::default() }
    }

    /// Same origins, size unknown.
    pub(super) fn resized(&self) -> Axis {
        Axis { size: None, ..self.clone() }
    }

    /// Axis of both after broadcasting.
    fn with(&self, other: &Axis) -> Axis {
        let size = match (self.size, other.size) {
            // An axis of one element is repeated along the other: what is made is as long as the
            // other, even if nobody knows how long that is.
            (Some(1), size) | (size, Some(1)) => size,
            (one, other) => one.or(other),
        };
        Axis { origins: self.origins.union(&other.origins).copied().collect(), size }
    }
}

/// The axes of an input.
pub(super) fn of_input(number: usize, input: &GraphInput) -> Option<Vec<Axis>> {
    let axes = input.dimensions.as_ref()?.iter().enumerate().map(|(axis, dimension)| Axis {
        origins: [(number, axis)].into(),
        size: match dimension {
            InputDimension::Fixed(size) => Some(*size),
            InputDimension::Named(_) | InputDimension::Unnamed => None,
        },
    });
    Some(axes.collect())
}

/// Axes of the result of an element-wise operator.
pub(super) fn broadcast(one: &[Axis], other: &[Axis]) -> Vec<Axis> {
    let rank = one.len().max(other.len());
    // Aligned at the last axis, as ONNX broadcasts: the shorter one lacks the first axes.
    let at = |axes: &[Axis], place: usize| (place + axes.len()).checked_sub(rank);
    let axes = (0..rank).map(|place| match (at(one, place), at(other, place)) {
        (Some(a), Some(b)) => one[a].with(&other[b]),
        (Some(a), None) => one[a].clone(),
        (None, Some(b)) => other[b].clone(),
        (None, None) => Axis::default(),
    });
    axes.collect()
}

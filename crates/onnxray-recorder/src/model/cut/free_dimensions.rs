//! Which dimensions of tensors follow from free ones of a model's inputs.
//!
//! An engine optimizes a model of fixed shapes otherwise: of the bundled encoder, ONNX Runtime makes
//! `Gemm` and `SkipLayerNormalization` where shapes are fixed, and takes 2.2 instead of 1.8 ms. What is
//! behind a cut has inputs that are as free as they are in the whole.

use crate::model::graph::Graph;
use crate::model::sizes::dimensions::{BoundDimensions, GivenDimensions, bind};
use crate::model::sizes::expression::Expression;
use crate::model::tensor_table::TensorTable;
use std::collections::{HashMap, HashSet};

/// Shapes of tensors with the sizes of a run, and with twice these.
#[derive(Default)]
pub(crate) struct FreeDimensions {
    shapes: Option<[TensorTable; 2]>,
    /// The model's names, by both sizes.
    names: HashMap<[u64; 2], String>,
}

impl FreeDimensions {
    /// `infer` finds shapes of all tensors. Where it does not with twice the sizes, all dimensions are
    /// taken as fixed.
    pub(crate) fn of(
        graph: &Graph,
        bound: &BoundDimensions,
        infer: impl Fn(&BoundDimensions) -> Option<TensorTable>,
    ) -> FreeDimensions {
        if bound.dimensions.is_empty() {
            return FreeDimensions::default();
        }
        FreeDimensions::found(graph, bound, infer).unwrap_or_default()
    }

    fn found(
        graph: &Graph,
        bound: &BoundDimensions,
        infer: impl Fn(&BoundDimensions) -> Option<TensorTable>,
    ) -> Option<FreeDimensions> {
        let larger = larger(graph, bound)?;
        let both = bound.dimensions.iter().zip(&larger.dimensions);
        // Of several names for one size, the first one's.
        let names = both.rev().map(|(own, other)| ([own.size, other.size], own.name.clone()));
        let names = names.collect();
        Some(FreeDimensions { shapes: Some([infer(bound)?, infer(&larger)?]), names })
    }

    /// The name of a tensor's dimension that is free, where it has this size.
    pub(super) fn name(&self, tensor: &str, axis: usize, size: u64) -> Option<String> {
        let of = |table: &TensorTable| table.shape(tensor)?.get(axis).copied();
        let [own, larger] = self.shapes.as_ref()?;
        let both = [of(own)?, of(larger)?];
        // As a name of ours, so that equal ones are equal to the engine as well.
        let made_up = || format!("onnxray.{}.{}", both[0], both[1]);
        let is_free = both[0] == size && both[0] != both[1];
        is_free.then(|| self.names.get(&both).cloned().unwrap_or_else(made_up))
    }
}

/// The dimensions with twice the sizes; formulas have what follows from that.
fn larger(graph: &Graph, bound: &BoundDimensions) -> Option<BoundDimensions> {
    let names: HashSet<&str> = bound.dimensions.iter().map(|own| own.name.as_str()).collect();
    let is_formula = |name: &str| Expression::of(name, &|name| names.contains(name)).is_some();
    let free = bound.dimensions.iter().filter(|own| !is_formula(&own.name));
    let sizes = free.map(|own| (own.name.clone(), own.size.saturating_mul(2))).collect();
    let given = GivenDimensions { sizes, ..GivenDimensions::default() };
    let larger = bind(graph, &given).ok()?;
    (larger.dimensions.len() == bound.dimensions.len()).then_some(larger)
}

#[cfg(test)]
mod tests {
    use super::*;
    use onnxray_format::Dimension;

    #[test]
    fn a_dimension_that_follows_from_a_free_one_is_free() {
        let free = FreeDimensions {
            shapes: Some([
                TensorTable::of_shapes(&[("x", &[1, 64, 256]), ("y", &[4, 64, 64]), ("z", &[3])]),
                TensorTable::of_shapes(&[("x", &[2, 128, 256]), ("y", &[8, 128, 128])]),
            ]),
            names: [([1, 2], "batch".to_string()), ([64, 128], "sequence".to_string())].into(),
        };
        let names = |tensor: &str, shape: &[u64]| -> Vec<Option<String>> {
            let axes = shape.iter().enumerate();
            axes.map(|(axis, &size)| free.name(tensor, axis, size)).collect()
        };
        let named = |names: [&str; 3]| names.map(|own| (!own.is_empty()).then(|| own.to_string()));
        assert_eq!(names("x", &[1, 64, 256]), named(["batch", "sequence", ""]));
        assert_eq!(names("y", &[4, 64, 64]), named(["onnxray.4.8", "sequence", "sequence"]));
        assert_eq!(names("x", &[1, 63, 256]), named(["batch", "", ""]), "not of this size");
        assert_eq!([names("z", &[3]), names("w", &[1])], [vec![None], vec![None]], "unknown");
    }

    #[test]
    fn a_model_without_free_dimensions_has_none_and_neither_has_one_that_takes_no_other_sizes() {
        let table = || TensorTable::of_shapes(&[("x", &[1])]);
        let none = BoundDimensions::default();
        let found = FreeDimensions::of(&Graph::default(), &none, |_| Some(table()));
        assert!(found.shapes.is_none());
        let dimensions = vec![Dimension { name: "n".to_string(), size: 1 }];
        let one = BoundDimensions { dimensions, ..none };
        let found = FreeDimensions::of(&Graph::default(), &one, |_| None);
        assert_eq!(found.name("x", 0, 1), None);
    }
}

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

/// Other sizes of free dimensions, one after the other until a model takes them: twice the run's are more
/// than 128 tokens in an encoder that knows as many positions.
const OTHER_SIZES: [fn(u64) -> u64; 3] = [
    |size| size.saturating_mul(2).max(1),
    |size| if size > 1 { size / 2 } else { 2 },
    |size| size.saturating_add(1),
];

/// Shapes of tensors with the sizes of a run, and with other ones.
#[derive(Default)]
pub(crate) struct FreeDimensions {
    shapes: Option<[TensorTable; 2]>,
    /// The model's names, by both sizes.
    names: HashMap<[u64; 2], String>,
}

impl FreeDimensions {
    /// `infer` finds shapes of all tensors. Where it does not with other sizes, all dimensions are taken
    /// as fixed.
    pub(crate) fn of(
        graph: &Graph,
        bound: &BoundDimensions,
        infer: impl Fn(&BoundDimensions) -> Option<TensorTable>,
    ) -> FreeDimensions {
        if bound.dimensions.is_empty() {
            return FreeDimensions::default();
        }
        let Some(own) = infer(bound) else { return FreeDimensions::default() };
        let mut others = OTHER_SIZES.into_iter().filter_map(|other| {
            let other = resized(graph, bound, other)?;
            infer(&other).map(|shapes| (other, shapes))
        });
        let Some((other, shapes)) = others.next() else {
            return FreeDimensions::default();
        };
        let both = bound.dimensions.iter().zip(&other.dimensions);
        // Of several names for one size, the first one's.
        let names = both.rev().map(|(own, other)| ([own.size, other.size], own.name.clone()));
        let names = names.collect();
        FreeDimensions { shapes: Some([own, shapes]), names }
    }

    /// Whether all dimensions are taken as fixed.
    pub(super) fn is_empty(&self) -> bool {
        self.shapes.is_none()
    }

    /// The name of a tensor's dimension that is free, where it has this size.
    pub(super) fn name(&self, tensor: &str, axis: usize, size: u64) -> Option<String> {
        let of = |table: &TensorTable| table.shape(tensor)?.get(axis).copied();
        let [own, other] = self.shapes.as_ref()?;
        let both = [of(own)?, of(other)?];
        // As a name of ours, so that equal ones are equal to the engine as well.
        let made_up = || format!("onnxray.{}.{}", both[0], both[1]);
        let is_free = both[0] == size && both[0] != both[1];
        is_free.then(|| self.names.get(&both).cloned().unwrap_or_else(made_up))
    }
}

/// The dimensions with other sizes; formulas have what follows from that.
fn resized(
    graph: &Graph,
    bound: &BoundDimensions,
    other: fn(u64) -> u64,
) -> Option<BoundDimensions> {
    let names: HashSet<&str> = bound.dimensions.iter().map(|own| own.name.as_str()).collect();
    let is_formula = |name: &str| Expression::of(name, &|name| names.contains(name)).is_some();
    let free = bound.dimensions.iter().filter(|own| !is_formula(&own.name));
    let sizes = free.map(|own| (own.name.clone(), other(own.size))).collect();
    let given = GivenDimensions { sizes, ..GivenDimensions::default() };
    let resized = bind(graph, &given).ok()?;
    (resized.dimensions.len() == bound.dimensions.len()).then_some(resized)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::infer;
    use crate::model::file::OnnxFile;
    use onnxray_format::Dimension;
    use std::path::Path;

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

    #[test]
    fn a_model_that_takes_no_larger_sizes_is_asked_for_smaller_ones() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/models");
        let file = OnnxFile::read(&folder.join("encoder.onnx")).unwrap();
        let output = "/bert/encoder/layer.0/output/LayerNorm/LayerNormalization_output_0";
        // It knows 128 positions.
        for size in [64, 128] {
            let sizes = [("sequence".to_string(), size)].into();
            let given = GivenDimensions { sizes, ..GivenDimensions::default() };
            let bound = bind(&file.graph, &given).unwrap();
            let free = FreeDimensions::of(&file.graph, &bound, |bound| infer(&file, bound).ok());
            let name = |axis, size| free.name(output, axis, size);
            assert_eq!(name(1, size).as_deref(), Some("sequence"), "{size}");
            assert_eq!([name(0, 1).as_deref(), name(2, 256).as_deref()], [Some("batch"), None]);
        }
    }
}

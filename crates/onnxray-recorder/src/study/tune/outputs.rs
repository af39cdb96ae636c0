//! How the outputs of two runs differ.

use crate::tensor::{Element, Tensor, dispatch};
use onnxray_format::OutputDifference;

/// The largest relative difference over all outputs; the default if all are equal.
pub(super) fn difference(names: &[String], base: &[Tensor], other: &[Tensor]) -> OutputDifference {
    let mut largest = OutputDifference::default();
    for (number, (base, other)) in base.iter().zip(other).enumerate() {
        let (absolute, relative) = of_tensors(base, other);
        // Relative, since outputs have different units.
        if absolute > 0.0 && (largest.output.is_none() || relative > largest.relative) {
            let output = Some(names.get(number).cloned().unwrap_or_default());
            largest = OutputDifference { output, absolute, relative, loss: None };
        }
    }
    largest
}

/// The largest absolute difference, and that / the largest absolute value of the base.
fn of_tensors(base: &Tensor, other: &Tensor) -> (f64, f64) {
    if base.shape() != other.shape() || base.data_type() != other.data_type() {
        return (f64::INFINITY, f64::INFINITY);
    }
    dispatch!(T => if let Some((base, other)) = T::array(base).zip(T::array(other)) {
        let pairs = base.iter().zip(other).map(|(base, other)| (base.to_double(), other.to_double()));
        return of_numbers(pairs);
    });
    match base == other {
        true => (0.0, 0.0),
        false => (f64::INFINITY, f64::INFINITY),
    }
}

fn of_numbers(pairs: impl Iterator<Item = (f64, f64)>) -> (f64, f64) {
    let (mut absolute, mut scale) = (0.0f64, 0.0f64);
    for (base, other) in pairs {
        // `inf - inf` is NaN: equality has to be asked first.
        let is_same = base == other || base.is_nan() && other.is_nan();
        let difference = (other - base).abs();
        absolute = match is_same {
            true => absolute,
            false if difference.is_finite() => absolute.max(difference),
            false => f64::INFINITY,
        };
        // An infinite element would make every difference 0 in relation to it.
        if base.is_finite() {
            scale = scale.max(base.abs());
        }
    }
    match absolute {
        0.0 => (0.0, 0.0),
        // 1 / 0 is infinite.
        absolute => (absolute, absolute / scale),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::arr1;

    #[test]
    fn the_output_that_differs_most_is_named() {
        let names = ["a", "b", "c"].map(str::to_string);
        let tensor = |values: &[f32]| Tensor::from(arr1(values));
        let base = [tensor(&[1.0, -4.0]), tensor(&[0.5]), tensor(&[f32::NAN, 2.0])];
        assert_eq!(difference(&names, &base, &base), OutputDifference::default());
        let other = [tensor(&[1.5, -4.0]), tensor(&[0.75]), tensor(&[f32::NAN, 2.0])];
        let found = difference(&names, &base, &other);
        let expected = OutputDifference {
            output: Some("b".to_string()),
            absolute: 0.25,
            relative: 0.5,
            loss: None,
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn what_cannot_be_subtracted_differs_without_bound() {
        let of = |base: &[f32], other: &[f32]| {
            of_tensors(&Tensor::from(arr1(base)), &Tensor::from(arr1(other)))
        };
        assert_eq!(of(&[1.0], &[f32::NAN]).0, f64::INFINITY);
        assert_eq!(of(&[f32::INFINITY], &[1.0]).0, f64::INFINITY);
        assert_eq!(of(&[f32::INFINITY, 2.0], &[f32::INFINITY, 1.0]), (1.0, 0.5));
        assert_eq!(of(&[1.0], &[1.0, 1.0]).0, f64::INFINITY, "another shape");
        assert_eq!(of(&[0.0], &[1e-9]), (f64::from(1e-9f32), f64::INFINITY));
    }
}

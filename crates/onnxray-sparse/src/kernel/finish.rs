//! Steps, on vectors of sums.

use super::tile::load;
use crate::{Arithmetic, Operand, Step};
use fearless_simd::prelude::*;

/// Which elements a vector has.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Of the first lane.
    pub(super) output: usize,
    /// Of the first lane.
    pub(super) column: usize,
    /// Where the first lane lies in the product.
    pub(super) element: usize,
    /// Lanes that are elements.
    pub(super) count: usize,
}

/// Where lanes lead to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Along {
    Outputs,
    Columns,
}

/// Applies all steps to a vector of sums.
#[inline(always)]
pub(super) fn finish<S: Simd>(
    simd: S,
    steps: &[Step],
    along: Along,
    place: Place,
    sums: S::f32s,
) -> S::f32s {
    let mut sums = sums;
    for step in steps {
        let other = operand(simd, step.operand, along, place);
        sums = match step.arithmetic {
            Arithmetic::Add => sums + other,
            Arithmetic::Subtract => sums - other,
            Arithmetic::SubtractFrom => other - sums,
            Arithmetic::Multiply => sums * other,
            Arithmetic::Max => sums.max_precise(other),
            Arithmetic::Min => sums.min_precise(other),
            Arithmetic::LeakyRelu => {
                sums.simd_gt(S::f32s::splat(simd, 0.0)).select(sums, sums * other)
            }
        };
    }
    sums
}

#[inline(always)]
fn operand<S: Simd>(simd: S, operand: Operand, along: Along, place: Place) -> S::f32s {
    let (values, at, one_for_all) = match operand {
        Operand::Scalar(value) => return S::f32s::splat(simd, value),
        Operand::PerElement(values) => (values, place.element, false),
        Operand::PerOutput(values) => (values, place.output, along == Along::Columns),
        Operand::PerColumn(values) => (values, place.column, along == Along::Outputs),
    };
    if one_for_all {
        S::f32s::splat(simd, values[at])
    } else {
        load(simd, &values[at..at + place.count])
    }
}

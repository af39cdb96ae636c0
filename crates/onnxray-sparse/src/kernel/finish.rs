//! Steps, on vectors of sums.

use super::tile::load;
use super::transpose::MOST_LANES;
use crate::{Arithmetic, BLOCK_OUTPUTS, Operand, Step};
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
    let mut sums = [sums];
    for step in steps {
        let others = [operand(simd, step.operand, along, place)];
        combine::<S, 1>(simd, step.arithmetic, 1, &mut sums, &others);
    }
    sums[0]
}

/// The steps before the first one with an operand per element: what is done with tiles, and with rows.
pub(super) fn of_tiles_and_rows<'a, 'b>(steps: &'b [Step<'a>]) -> (&'b [Step<'a>], &'b [Step<'a>]) {
    let per_element = steps.iter().position(|step| matches!(step.operand, Operand::PerElement(_)));
    steps.split_at(per_element.unwrap_or(steps.len()))
}

/// Applies the steps before the first one with an operand per element to a tile: 4 outputs, each as
/// vectors along columns. `place` is that of the first vector. What a step is gets asked once for
/// all of them.
#[inline(always)]
pub(super) fn finish_tile<S: Simd, const VECTORS: usize>(
    simd: S,
    steps: &[Step],
    place: Place,
    sums: [[S::f32s; VECTORS]; BLOCK_OUTPUTS],
) -> [[S::f32s; VECTORS]; BLOCK_OUTPUTS] {
    let lanes = <S::f32s as SimdBase<S>>::LEN;
    let mut sums = sums;
    for step in steps {
        let mut others = [[S::f32s::splat(simd, 0.0); VECTORS]; BLOCK_OUTPUTS];
        match step.operand {
            Operand::Scalar(value) => {
                others = [[S::f32s::splat(simd, value); VECTORS]; BLOCK_OUTPUTS];
            }
            Operand::PerOutput(values) => {
                let values = &values[place.output..][..BLOCK_OUTPUTS];
                for output in 0..BLOCK_OUTPUTS {
                    others[output] = [S::f32s::splat(simd, values[output]); VECTORS];
                }
            }
            Operand::PerColumn(values) => {
                let mut row = others[0];
                for vector in 0..VECTORS {
                    // Columns that there are not have no value.
                    let first = (place.column + vector * lanes).min(values.len());
                    let count = lanes.min(values.len() - first);
                    row[vector] = load(simd, &values[first..first + count]);
                }
                others = [row; BLOCK_OUTPUTS];
            }
            // Its elements lie along outputs, as these sums do not.
            Operand::PerElement(_) => break,
        }
        for output in 0..BLOCK_OUTPUTS {
            let (sums, others) = (&mut sums[output], &others[output]);
            combine::<S, VECTORS>(simd, step.arithmetic, VECTORS, sums, others);
        }
    }
    sums
}

/// Applies all steps to vectors along columns of one output, of which `place` is the first.
#[inline(always)]
pub(super) fn finish_row<S: Simd, const VECTORS: usize>(
    simd: S,
    steps: &[Step],
    place: Place,
    columns: usize,
    sums: [S::f32s; VECTORS],
) -> [S::f32s; VECTORS] {
    let lanes = <S::f32s as SimdBase<S>>::LEN;
    let mut sums = sums;
    for step in steps {
        let mut others = [S::f32s::splat(simd, 0.0); VECTORS];
        for vector in 0..VECTORS {
            let past = vector * lanes;
            let place = Place {
                column: place.column + past,
                element: place.element + past,
                count: lanes.min(columns - place.column - past),
                ..place
            };
            others[vector] = operand(simd, step.operand, Along::Columns, place);
        }
        combine::<S, VECTORS>(simd, step.arithmetic, VECTORS, &mut sums, &others);
    }
    sums
}

/// Applies all steps to vectors along outputs, of one column after the other, of which `place` is the
/// first.
#[inline(always)]
pub(super) fn finish_columns<S: Simd>(
    simd: S,
    steps: &[Step],
    place: Place,
    outputs: usize,
    columns: usize,
    sums: &mut [S::f32s; MOST_LANES],
) {
    for step in steps {
        let mut others = [S::f32s::splat(simd, 0.0); MOST_LANES];
        for column in 0..columns {
            let element = place.element + column * outputs;
            let place = Place { column: place.column + column, element, ..place };
            others[column] = operand(simd, step.operand, Along::Outputs, place);
        }
        combine::<S, MOST_LANES>(simd, step.arithmetic, columns, sums, &others);
    }
}

/// One operation with each of the first `count` vectors.
#[inline(always)]
fn combine<S: Simd, const VECTORS: usize>(
    simd: S,
    arithmetic: Arithmetic,
    count: usize,
    sums: &mut [S::f32s; VECTORS],
    others: &[S::f32s; VECTORS],
) {
    let zero = S::f32s::splat(simd, 0.0);
    macro_rules! each {
        ($sum:ident, $other:ident => $result:expr) => {
            for vector in 0..count {
                let ($sum, $other) = (sums[vector], others[vector]);
                sums[vector] = $result;
            }
        };
    }
    match arithmetic {
        Arithmetic::Add => each!(sum, other => sum + other),
        Arithmetic::Subtract => each!(sum, other => sum - other),
        Arithmetic::SubtractFrom => each!(sum, other => other - sum),
        Arithmetic::Multiply => each!(sum, other => sum * other),
        Arithmetic::Max => each!(sum, other => sum.max_precise(other)),
        Arithmetic::Min => each!(sum, other => sum.min_precise(other)),
        Arithmetic::LeakyRelu => {
            each!(sum, other => sum.simd_gt(zero).select(sum, sum * other));
        }
    }
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

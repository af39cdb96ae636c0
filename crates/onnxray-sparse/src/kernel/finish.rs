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
        combine(simd, step.arithmetic, &mut sums, &others);
    }
    sums[0]
}

/// Applies steps to a tile: 4 outputs from `output` on, each as vectors along columns from `column`
/// on. What a step is gets asked once for all of them. It ends before [`steps_of_rows`].
#[inline(always)]
pub(super) fn finish_tile<S: Simd, const VECTORS: usize>(
    simd: S,
    steps: &[Step],
    output: usize,
    column: usize,
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
                let values = &values[output..][..BLOCK_OUTPUTS];
                for lane in 0..BLOCK_OUTPUTS {
                    others[lane] = [S::f32s::splat(simd, values[lane]); VECTORS];
                }
            }
            Operand::PerColumn(values) => {
                let mut row = others[0];
                for vector in 0..VECTORS {
                    // Columns that there are not have no value.
                    let first = (column + vector * lanes).min(values.len());
                    let count = lanes.min(values.len() - first);
                    row[vector] = load(simd, &values[first..first + count]);
                }
                others = [row; BLOCK_OUTPUTS];
            }
            Operand::PerElement(_) => break,
        }
        for lane in 0..BLOCK_OUTPUTS {
            combine(simd, step.arithmetic, &mut sums[lane], &others[lane]);
        }
    }
    sums
}

/// The steps from the first one with an operand per element on: elements lie along outputs, as the
/// sums of a tile do not.
pub(super) fn steps_of_rows<'a, 'b>(steps: &'b [Step<'a>]) -> &'b [Step<'a>] {
    let first = steps.iter().position(|step| matches!(step.operand, Operand::PerElement(_)));
    &steps[first.unwrap_or(steps.len())..]
}

/// Applies all steps to vectors along columns of one output, from `column` on, of which there are
/// `columns`.
#[inline(always)]
pub(super) fn finish_row<S: Simd, const VECTORS: usize>(
    simd: S,
    steps: &[Step],
    output: usize,
    column: usize,
    columns: usize,
    sums: [S::f32s; VECTORS],
) -> [S::f32s; VECTORS] {
    let lanes = <S::f32s as SimdBase<S>>::LEN;
    let mut sums = sums;
    for step in steps {
        let mut others = [S::f32s::splat(simd, 0.0); VECTORS];
        for vector in 0..VECTORS {
            let column = column + vector * lanes;
            let (element, count) = (output * columns + column, lanes.min(columns - column));
            let place = Place { output, column, element, count };
            others[vector] = operand(simd, step.operand, Along::Columns, place);
        }
        combine(simd, step.arithmetic, &mut sums, &others);
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
    sums: &mut [S::f32s],
) {
    for step in steps {
        let mut others = [S::f32s::splat(simd, 0.0); MOST_LANES];
        for column in 0..sums.len() {
            let element = place.element + column * outputs;
            let place = Place { column: place.column + column, element, ..place };
            others[column] = operand(simd, step.operand, Along::Outputs, place);
        }
        combine(simd, step.arithmetic, sums, &others);
    }
}

/// One operation with each of the vectors.
#[inline(always)]
fn combine<S: Simd>(simd: S, arithmetic: Arithmetic, sums: &mut [S::f32s], others: &[S::f32s]) {
    let zero = S::f32s::splat(simd, 0.0);
    macro_rules! each {
        ($sum:ident, $other:ident => $result:expr) => {
            for vector in 0..sums.len() {
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

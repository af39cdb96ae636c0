//! Outputs x columns from inputs x columns as they lie.

use super::finish::finish_row;
use super::product::Product;
use super::tile::{load, store, sums};
use crate::BLOCK_OUTPUTS;
use fearless_simd::prelude::*;
use onnxray_native::rows::Rows;

/// Vectors of a tile: as many as registers hold the sums of.
#[inline(always)]
fn most_vectors<S: Simd>(_: S) -> usize {
    let registers =
        if cfg!(target_arch = "x86_64") && <S::f32s as SimdBase<S>>::LEN < 16 { 16 } else { 32 };
    registers / 8
}

/// Writes the outputs of the groups from `first` on.
#[inline(always)]
pub(super) fn product<S: Simd>(simd: S, product: &Product, first: usize, rows: &mut [Rows]) {
    let lanes = <S::f32s as SimdBase<S>>::LEN;
    let columns = product.columns;
    if columns < lanes {
        let padded = padded(simd, product);
        tile::<S, 1>(simd, product, &padded, lanes, 0, first, rows);
        return;
    }
    let mut column = 0;
    while column < columns {
        let vectors =
            (columns - column).div_ceil(lanes).min(most_vectors(simd)).min(columns / lanes);
        // The last tile takes columns of the one before it again rather than some that are not there.
        let start = column.min(columns - vectors * lanes);
        match vectors {
            4 => tile::<S, 4>(simd, product, product.data, columns, start, first, rows),
            3 => tile::<S, 3>(simd, product, product.data, columns, start, first, rows),
            2 => tile::<S, 2>(simd, product, product.data, columns, start, first, rows),
            _ => tile::<S, 1>(simd, product, product.data, columns, start, first, rows),
        }
        column = start + vectors * lanes;
    }
}

/// Inputs x lanes, zero where there is no column.
#[inline(always)]
fn padded<S: Simd>(simd: S, product: &Product) -> Vec<f32> {
    let lanes = <S::f32s as SimdBase<S>>::LEN;
    let mut padded = vec![0.0; product.weight.inputs() * lanes];
    for (row, padded) in
        product.data.chunks_exact(product.columns).zip(padded.chunks_exact_mut(lanes))
    {
        store::<S>(load(simd, row), padded);
    }
    padded
}

#[inline(always)]
fn tile<S: Simd, const VECTORS: usize>(
    simd: S,
    product: &Product,
    data: &[f32],
    stride: usize,
    start: usize,
    first: usize,
    rows: &mut [Rows],
) {
    let lanes = <S::f32s as SimdBase<S>>::LEN;
    let columns = product.columns;
    for (group, rows) in (first..).zip(rows) {
        let sums = sums::<S, VECTORS>(simd, product.weight.group(group), data, stride, start);
        let mut finished = [[S::f32s::splat(simd, 0.0); BLOCK_OUTPUTS]; VECTORS];
        for lane in 0..BLOCK_OUTPUTS {
            let output = group * BLOCK_OUTPUTS + lane;
            let row = finish_row(simd, product.steps, output, start, columns, sums[lane]);
            for vector in 0..VECTORS {
                finished[vector][lane] = row[vector];
            }
        }
        for (column, vectors) in (start..).step_by(lanes).zip(&finished) {
            if columns < lanes {
                rows.write(column, columns, vectors, |row| row.as_slice());
            } else {
                rows.write(column, lanes, vectors, |row| row.as_slice());
            }
        }
    }
}

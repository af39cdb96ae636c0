//! Columns x outputs from panels.

use super::finish::{Place, finish_columns, finish_tile, steps_of_rows};
use super::pack::{VECTORS, pack_panel, panel_columns};
use super::product::Product;
use super::tile::sums;
use super::transpose::{MOST_LANES, transpose};
use crate::{BLOCK_OUTPUTS, Step};
use fearless_simd::prelude::*;
use onnxray_native::rows::Rows;

/// Elements of a line of the cache.
const LINE: usize = 16;

/// Packs and writes the columns from `first` on, which begins a panel.
#[inline(always)]
pub(super) fn product<S: Simd>(simd: S, product: &Product, first: usize, rows: &mut [Rows]) {
    let inputs = product.weight.inputs();
    let columns = panel_columns(simd);
    let mut room = vec![0.0; columns * inputs + LINE];
    // A vector that lies in two lines of the cache takes twice as long to load.
    let begin = room.as_ptr().align_offset(LINE * size_of::<f32>()).min(LINE);
    let packed = &mut room[begin..][..columns * inputs];
    for (panel, rows) in rows.chunks_mut(VECTORS).enumerate() {
        let first = first + panel * columns;
        let count: usize = rows.iter().map(Rows::count).sum();
        let data = &product.data[first * inputs..][..count * inputs];
        pack_panel(simd, data, inputs, packed);
        panel_product(simd, product, packed, first, rows);
    }
}

/// Writes the columns from `first` on, which begins a panel, from panels.
#[inline(always)]
pub(super) fn packed_product<S: Simd>(simd: S, product: &Product, first: usize, rows: &mut [Rows]) {
    let inputs = product.weight.inputs();
    let columns = panel_columns(simd);
    for (panel, rows) in rows.chunks_mut(VECTORS).enumerate() {
        let first = first + panel * columns;
        let data = &product.data[first * inputs..][..columns * inputs];
        panel_product(simd, product, data, first, rows);
    }
}

/// Sums of as many outputs as a vector has lanes are collected and transposed, so that whole rows
/// go out in their order: stores one row apart would wait for each other.
#[inline(always)]
fn panel_product<S: Simd>(
    simd: S,
    product: &Product,
    panel: &[f32],
    first: usize,
    rows: &mut [Rows],
) {
    let lanes = <S::f32s as SimdBase<S>>::LEN;
    let width = panel_columns(simd);
    let outputs = product.weight.outputs();
    let of_rows = steps_of_rows(product.steps);
    let mut collected = [[S::f32s::splat(simd, 0.0); MOST_LANES]; VECTORS];
    for output in (0..outputs).step_by(lanes) {
        let count = lanes.min(outputs - output);
        for row in (0..count).step_by(BLOCK_OUTPUTS) {
            let blocks = product.weight.group((output + row) / BLOCK_OUTPUTS);
            let sums = sums::<S, VECTORS>(simd, blocks, panel, width, 0);
            let sums = finish_tile(simd, product.steps, output + row, first, sums);
            for lane in 0..BLOCK_OUTPUTS {
                for vector in 0..VECTORS {
                    collected[vector][row + lane] = sums[lane][vector];
                }
            }
        }
        for vector in 0..VECTORS {
            let Some(rows) = rows.get_mut(vector) else { break };
            let column = first + vector * lanes;
            let place = Place { output, column, element: column * outputs + output, count };
            write(simd, of_rows, &mut collected[vector], place, rows);
        }
    }
}

/// Writes `place.count` outputs of a vector of columns, or of as many as there are `rows`.
#[inline(always)]
fn write<S: Simd>(
    simd: S,
    steps: &[Step],
    sums: &mut [S::f32s; MOST_LANES],
    place: Place,
    rows: &mut Rows,
) {
    let lanes = <S::f32s as SimdBase<S>>::LEN;
    let Place { output, count, .. } = place;
    let columns = rows.count();
    transpose::<S>(sums);
    finish_columns(simd, steps, place, rows.length(), &mut sums[..columns]);
    // Products take a ninth longer where the width of each copy is asked for at run time.
    if count == lanes {
        rows.write(output, lanes, &sums[..columns], |row| row.as_slice());
    } else {
        rows.write(output, count, &sums[..columns], |row| row.as_slice());
    }
}

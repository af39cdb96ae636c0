//! So few columns that vectors hold the outputs of a block instead.

use super::finish::{Along, Place, finish};
use super::product::Product;
use super::tile::{load, store};
use crate::BLOCK_OUTPUTS;
use crate::weight::Block;
use fearless_simd::f32x4;
use fearless_simd::prelude::*;
use onnxray_native::rows::Rows;

/// Most columns that are few.
pub(super) const MOST: usize = 4;

/// Columns x outputs from columns x inputs: writes the columns from `first` on.
#[inline(always)]
pub(super) fn tokens<S: Simd>(simd: S, product: &Product, first: usize, rows: &mut [Rows]) {
    let (outputs, inputs) = (product.weight.outputs(), product.weight.inputs());
    let Some(rows) = rows.first_mut() else { return };
    let columns = first..first + rows.count();
    for group in 0..product.weight.groups() {
        let output = group * BLOCK_OUTPUTS;
        let mut values = [[0.0; BLOCK_OUTPUTS]; MOST];
        for (column, values) in columns.clone().zip(&mut values) {
            let data = &product.data[column * inputs..][..inputs];
            let sums = sums(simd, product.weight.group(group), data, 1, 0);
            let place =
                Place { output, column, element: column * outputs + output, count: BLOCK_OUTPUTS };
            let sums = load(simd, sums.as_slice());
            store::<S>(finish(simd, product.steps, Along::Outputs, place, sums), values);
        }
        rows.write(output, BLOCK_OUTPUTS, &values[..columns.len()], |row| row);
    }
}

/// Outputs x columns from inputs x columns: writes the outputs of the groups from `first` on.
#[inline(always)]
pub(super) fn pixels<S: Simd>(simd: S, product: &Product, first: usize, rows: &mut [Rows]) {
    let columns = product.columns;
    for (group, rows) in (first..).zip(rows) {
        let mut values = [[0.0; MOST]; BLOCK_OUTPUTS];
        for column in 0..columns {
            let sums = sums(simd, product.weight.group(group), product.data, columns, column);
            for lane in 0..BLOCK_OUTPUTS {
                values[lane][column] = sums[lane];
            }
        }
        for (lane, row) in values.iter_mut().enumerate() {
            let row = &mut row[..columns];
            let output = group * BLOCK_OUTPUTS + lane;
            let place = Place { output, column: 0, element: output * columns, count: columns };
            let sums = finish(simd, product.steps, Along::Columns, place, load(simd, row));
            store::<S>(sums, row);
        }
        rows.write(0, columns, &values, |row| row);
    }
}

/// Sums of 4 outputs for one column. Sums of every other block go on while these wait.
#[inline(always)]
fn sums<S: Simd>(simd: S, blocks: &[Block], data: &[f32], stride: usize, first: usize) -> f32x4<S> {
    const CHAINS: usize = 4;
    let mut sums = [f32x4::splat(simd, 0.0); CHAINS];
    let parts = blocks.chunks_exact(CHAINS);
    for (chain, block) in parts.remainder().iter().enumerate() {
        sums[chain] = add(simd, block, data, stride, first, sums[chain]);
    }
    for blocks in parts {
        for chain in 0..CHAINS {
            sums[chain] = add(simd, &blocks[chain], data, stride, first, sums[chain]);
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

#[inline(always)]
fn add<S: Simd>(
    simd: S,
    block: &Block,
    data: &[f32],
    stride: usize,
    first: usize,
    sum: f32x4<S>,
) -> f32x4<S> {
    let input = data[block.input as usize * stride + first];
    f32x4::from_slice(simd, &block.values).mul_add(f32x4::splat(simd, input), sum)
}

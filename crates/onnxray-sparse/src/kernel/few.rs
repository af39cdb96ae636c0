//! So few columns that vectors hold the outputs of a block instead.

use super::finish::{Along, Place, finish};
use super::product::Product;
use super::tile::{load, store};
use crate::BLOCK_OUTPUTS;
use crate::weight::Block;
use fearless_simd::f32x4;
use fearless_simd::prelude::*;

/// Most columns that are few.
pub(super) const MOST: usize = 4;

/// Columns x outputs from columns x inputs: writes the columns from `first` on.
#[inline(always)]
pub(super) fn tokens<S: Simd>(simd: S, product: &Product, first: usize, rows: &mut [f32]) {
    let (outputs, inputs) = (product.weight.outputs(), product.weight.inputs());
    for (row, rows) in rows.chunks_exact_mut(outputs.max(1)).enumerate() {
        let column = first + row;
        let data = &product.data[column * inputs..][..inputs];
        for group in 0..product.weight.groups() {
            let sums = sums(simd, product.weight.group(group), data, 1, 0);
            let output = group * BLOCK_OUTPUTS;
            let place =
                Place { output, column, element: column * outputs + output, count: BLOCK_OUTPUTS };
            let sums =
                finish(simd, product.steps, Along::Outputs, place, load(simd, sums.as_slice()));
            store::<S>(sums, &mut rows[output..][..BLOCK_OUTPUTS]);
        }
    }
}

/// Outputs x columns from inputs x columns: writes the outputs of the groups from `first` on.
#[inline(always)]
pub(super) fn pixels<S: Simd>(simd: S, product: &Product, first: usize, rows: &mut [f32]) {
    let columns = product.columns;
    for (group, rows) in rows.chunks_exact_mut((BLOCK_OUTPUTS * columns).max(1)).enumerate() {
        let group = first + group;
        for column in 0..columns {
            let sums = sums(simd, product.weight.group(group), product.data, columns, column);
            for lane in 0..BLOCK_OUTPUTS {
                rows[lane * columns + column] = sums[lane];
            }
        }
        for (lane, row) in rows.chunks_exact_mut(columns).enumerate() {
            let output = group * BLOCK_OUTPUTS + lane;
            let place = Place { output, column: 0, element: output * columns, count: columns };
            let sums = finish(simd, product.steps, Along::Columns, place, load(simd, row));
            store::<S>(sums, row);
        }
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

//! The loop that all time goes into.

use crate::BLOCK_OUTPUTS;
use crate::weight::Block;
use fearless_simd::prelude::*;

/// Sums of 4 outputs x `VECTORS` vectors of columns, of which those of an input begin at
/// `input * stride + first` in `data`.
#[inline(always)]
pub(super) fn sums<S: Simd, const VECTORS: usize>(
    simd: S,
    blocks: &[Block],
    data: &[f32],
    stride: usize,
    first: usize,
) -> [[S::f32s; VECTORS]; BLOCK_OUTPUTS] {
    let lanes = <S::f32s as SimdBase<S>>::LEN;
    let zero = S::f32s::splat(simd, 0.0);
    let mut sums = [[zero; VECTORS]; BLOCK_OUTPUTS];
    for block in blocks {
        let at = block.input as usize * stride + first;
        let row = &data[at..at + VECTORS * lanes];
        let mut inputs = [zero; VECTORS];
        for vector in 0..VECTORS {
            let lanes = vector * lanes..(vector + 1) * lanes;
            inputs[vector] = S::f32s::from_slice(simd, &row[lanes]);
        }
        for output in 0..BLOCK_OUTPUTS {
            let value = S::f32s::splat(simd, block.values[output]);
            for vector in 0..VECTORS {
                sums[output][vector] = value.mul_add(inputs[vector], sums[output][vector]);
            }
        }
    }
    sums
}

/// As many elements as there are, and zeros.
#[inline(always)]
pub(super) fn load<S: Simd>(simd: S, elements: &[f32]) -> S::f32s {
    let lanes = <S::f32s as SimdBase<S>>::LEN;
    if elements.len() == lanes {
        return S::f32s::from_slice(simd, elements);
    }
    let mut vector = S::f32s::splat(simd, 0.0);
    vector.as_mut_slice()[..elements.len()].copy_from_slice(elements);
    vector
}

/// As many elements as there is room for.
#[inline(always)]
pub(super) fn store<S: Simd>(vector: S::f32s, elements: &mut [f32]) {
    let lanes = <S::f32s as SimdBase<S>>::LEN;
    if elements.len() == lanes {
        vector.store_slice(elements);
    } else {
        elements.copy_from_slice(&vector.as_slice()[..elements.len()]);
    }
}

//! Panels: the columns of an input lie together.

use super::tile::{load, store};
use super::transpose::{MOST_LANES, transpose};
use fearless_simd::prelude::*;

/// Vectors of a panel: with 4 outputs they are 8 chains of multiply-adds.
pub(super) const VECTORS: usize = 2;

/// Columns of a panel.
#[inline(always)]
pub(super) fn panel_columns<S: Simd>(_: S) -> usize {
    VECTORS * <S::f32s as SimdBase<S>>::LEN
}

/// Panels of inputs x columns of a panel, from `data`, columns x inputs. Columns that there are not
/// are zero.
#[inline(always)]
pub(super) fn panels<S: Simd>(simd: S, data: &[f32], inputs: usize, panels: &mut [f32]) {
    let columns = panel_columns(simd);
    let parts = data.chunks(columns * inputs);
    for (data, panel) in parts.zip(panels.chunks_exact_mut(columns * inputs)) {
        pack_panel(simd, data, inputs, panel);
    }
}

/// One panel of as many columns or fewer.
#[inline(always)]
pub(super) fn pack_panel<S: Simd>(simd: S, data: &[f32], inputs: usize, panel: &mut [f32]) {
    let lanes = <S::f32s as SimdBase<S>>::LEN;
    for part in 0..VECTORS {
        let data = data.get(part * lanes * inputs..).unwrap_or_default();
        let packed = if data.len() < lanes * inputs {
            0
        } else {
            pack_tiles(simd, data, inputs, part, panel)
        };
        pack_rest(simd, data, inputs, part, packed, panel);
    }
}

/// A vector of columns, tiles of as many inputs as columns: how many inputs they have in all. One
/// row of `data` after the other is read from its begin, which processors foresee.
#[inline(always)]
fn pack_tiles<S: Simd>(
    simd: S,
    data: &[f32],
    inputs: usize,
    part: usize,
    panel: &mut [f32],
) -> usize {
    let lanes = <S::f32s as SimdBase<S>>::LEN;
    let width = panel_columns(simd);
    let mut rows = [[].as_slice(); MOST_LANES];
    for lane in 0..lanes {
        rows[lane] = &data[lane * inputs..][..inputs];
    }
    for (tile, panel) in panel.chunks_exact_mut(lanes * width).enumerate() {
        let first = tile * lanes;
        let mut vectors = [S::f32s::splat(simd, 0.0); MOST_LANES];
        for lane in 0..lanes {
            vectors[lane] = S::f32s::from_slice(simd, &rows[lane][first..first + lanes]);
        }
        transpose::<S>(&mut vectors);
        for lane in 0..lanes {
            vectors[lane].store_slice(&mut panel[lane * width + part * lanes..][..lanes]);
        }
    }
    inputs / lanes * lanes
}

/// What no whole tile has: the inputs from `packed` on, and columns that there are not.
#[inline(always)]
fn pack_rest<S: Simd>(
    simd: S,
    data: &[f32],
    inputs: usize,
    part: usize,
    packed: usize,
    panel: &mut [f32],
) {
    let lanes = <S::f32s as SimdBase<S>>::LEN;
    let width = panel_columns(simd);
    let columns = data.len().checked_div(inputs).unwrap_or(0).min(lanes);
    for first in (packed..inputs).step_by(lanes) {
        let count = lanes.min(inputs - first);
        let mut vectors = [S::f32s::splat(simd, 0.0); MOST_LANES];
        for column in 0..columns {
            vectors[column] = load(simd, &data[column * inputs + first..][..count]);
        }
        transpose::<S>(&mut vectors);
        for row in 0..count {
            store::<S>(vectors[row], &mut panel[(first + row) * width + part * lanes..][..lanes]);
        }
    }
}

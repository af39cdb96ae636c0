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
    let width = panel_columns(simd);
    let columns = data.len().checked_div(inputs).unwrap_or(0);
    for first in (0..inputs).step_by(lanes) {
        let count = lanes.min(inputs - first);
        for part in (0..width).step_by(lanes) {
            let mut rows = [S::f32s::splat(simd, 0.0); MOST_LANES];
            for lane in 0..lanes {
                let column = part + lane;
                if column < columns {
                    rows[lane] = load(simd, &data[column * inputs + first..][..count]);
                }
            }
            transpose::<S>(&mut rows);
            for (row, lanes_of_input) in rows.iter().take(count).enumerate() {
                store::<S>(*lanes_of_input, &mut panel[(first + row) * width + part..][..lanes]);
            }
        }
    }
}

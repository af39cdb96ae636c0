//! Rows become columns.

use fearless_simd::prelude::*;

/// Lanes of the widest vectors.
pub(super) const MOST_LANES: usize = 16;

/// Transposes as many rows as a vector has lanes, the first ones of `rows`.
///
/// A perfect shuffle rotates the bits of row and column together by one; as many of them as either
/// has bits exchange the two.
#[inline(always)]
pub(super) fn transpose<S: Simd>(rows: &mut [S::f32s; MOST_LANES]) {
    let lanes = <S::f32s as SimdBase<S>>::LEN;
    if lanes >= 2 {
        shuffle::<S>(rows);
    }
    if lanes >= 4 {
        shuffle::<S>(rows);
    }
    if lanes >= 8 {
        shuffle::<S>(rows);
    }
    if lanes >= 16 {
        shuffle::<S>(rows);
    }
}

#[inline(always)]
fn shuffle<S: Simd>(rows: &mut [S::f32s; MOST_LANES]) {
    let half = <S::f32s as SimdBase<S>>::LEN / 2;
    let old = *rows;
    for row in 0..half {
        (rows[2 * row], rows[2 * row + 1]) = old[row].interleave(old[row + half]);
    }
}

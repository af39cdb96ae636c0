//! Where cuts are in the time of the whole, by two measurements that fail in different ways.
//!
//! Both sides of a cut say where it is, whatever its neighbours are, with the noise of two long runs. Blocks
//! that run one after the other, each a model of its own, have the noise of short runs, and each has what its
//! own cuts add. Cuts are where both agree best: the more one of them is off, the less it counts.

use crate::median::{median, without_outliers};

/// Where cuts are, as shares of the whole: by their sides, with the variance of these shares, and by shares of
/// the blocks between them, one more than cuts.
///
/// The least sum of squares of what positions `P` differ from the sides' `p`, over the variance `v` of these,
/// and of what blocks `P[k] - P[k-1]` differ from the row's `r`, over the variance of those. Of the difference
/// `d` of both measurements of a block, the variance is 2 `v` (`v` at either end) and the row's, so that the
/// latter is what the squares of `d` have more than `v` explains. A constant in all `r` cancels in the fit, so
/// `d` counts from its median.
///
/// Two neighbours have the cut between them in common, with opposite signs: what sides are off in all iterations
/// alike is seen in the products of their `d`. What blocks of the row are off adds up to nothing, as their shares
/// add up to the whole: of `n` blocks, products of neighbours have a mean of `-1 / (n - 1)` of the mean square
/// then, and about one over the root of `n - 1` as its standard deviation. Only what is beyond both is the
/// sides': of three blocks, nothing can be.
pub(super) fn agreed(sides: &[f64], variance: f64, row: &[f64]) -> Vec<f64> {
    let ends = [&[0.0], sides, &[1.0]].concat();
    let blocks = ends.windows(2).zip(row);
    let mut differences: Vec<f64> = blocks.map(|(ends, row)| ends[1] - ends[0] - row).collect();
    let Some(middle) = median(&differences) else { return sides.to_vec() };
    differences.iter_mut().for_each(|own| *own -= middle);
    let cuts = sides.len() as f64;
    // An outlier comes from the row: its products would be charged to the sides.
    let within = without_outliers(&differences);
    let products: f64 = within.windows(2).map(|pair| pair[0] * pair[1]).sum();
    let squares: f64 = differences.iter().map(|own| own * own).sum();
    let of_chance = squares / (cuts + 1.0) * (1.0 / cuts + 1.0 / cuts.sqrt());
    let of_sides = variance.max(-products / cuts - of_chance);
    let of_row = ((squares - 2.0 * cuts * of_sides) / (cuts + 1.0)).max(0.0);
    if of_sides > 0.0 { solved(sides, of_row / of_sides, row) } else { sides.to_vec() }
}

/// The positions with the least sum of squares, where a block's counts `1 / ratio` times as much as a cut's:
/// `(2 + ratio) P[k] - P[k-1] - P[k+1] = ratio p[k] + r[k] - r[k+1]`, with 0 before the first and 1 behind the
/// last, by elimination from the first to the last and back (Thomas 1949).
fn solved(sides: &[f64], ratio: f64, row: &[f64]) -> Vec<f64> {
    let last = sides.len() - 1;
    // What the next position counts in one, and the rest of it.
    let mut steps: Vec<(f64, f64)> = Vec::with_capacity(sides.len());
    for (at, side) in sides.iter().enumerate() {
        let behind = if at == last { 1.0 } else { 0.0 };
        let (factor, rest) = steps.last().copied().unwrap_or_default();
        let own = 2.0 + ratio - factor;
        steps.push((1.0 / own, (ratio * side + row[at] - row[at + 1] + behind + rest) / own));
    }
    let mut next = 0.0;
    let mut positions: Vec<f64> = Vec::with_capacity(sides.len());
    for (factor, rest) in steps.into_iter().rev() {
        next = rest + factor * next;
        positions.push(next);
    }
    positions.reverse();
    positions
}

/// Shares that blocks in a row have of the whole. What they take more than it, as one call more each, was added
/// by the cuts, half of each to both its blocks; what they take less falls on all by their length.
pub(super) fn shares_of_row(blocks: &[f64], whole: f64) -> Vec<f64> {
    let sum: f64 = blocks.iter().sum();
    let last = blocks.len() - 1;
    let added = ((sum - whole) / last as f64).max(0.0);
    let without = |(at, time): (usize, &f64)| {
        let ends = if at == 0 || at == last { 0.5 } else { 1.0 };
        time - ends * added
    };
    let rest = sum - added * last as f64;
    blocks.iter().enumerate().map(|block| without(block) / rest).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    fn is_near(found: &[f64], expected: &[f64]) {
        let is_near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9;
        assert!(found.len() == expected.len(), "{found:?}");
        assert!(found.iter().zip(expected).all(is_near), "{found:?} in place of {expected:?}");
    }

    /// Numbers that look like chance, the same ones each time: a mean of 0, a standard deviation of 1.
    pub(in super::super) fn chance(state: &mut u64) -> f64 {
        let mut sum = 0.0;
        for _ in 0..12 {
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            sum += (*state >> 11) as f64 / (1_u64 << 53) as f64;
        }
        sum - 6.0
    }

    /// Root of the mean square by which this many equal blocks are off, in a thousandth of the whole:
    /// by sides, in a row, and by both; noise of sides and of blocks in the same unit, and what the row has
    /// too much of each fourth block.
    fn errors(blocks: usize, (of_sides, of_row, too_much): (f64, f64, f64)) -> [f64; 3] {
        let (mut state, mut sums) = (1, [0.0; 3]);
        for _ in 0..300 {
            let of = |at: usize| at as f64 / blocks as f64;
            let sides: Vec<f64> =
                (1..blocks).map(|at| of(at) + of_sides * 1e-3 * chance(&mut state)).collect();
            let mut row: Vec<f64> = (0..blocks)
                .map(|at| {
                    let more = if at % 4 == 0 { too_much } else { 0.0 };
                    of(1) + 1e-3 * (of_row * chance(&mut state) + more)
                })
                .collect();
            let sum: f64 = row.iter().sum();
            row.iter_mut().for_each(|block| *block /= sum);
            let in_row: Vec<f64> = (1..blocks).map(|at| row[..at].iter().sum()).collect();
            let both = agreed(&sides, (of_sides * 1e-3).powi(2), &row);
            for (sum, positions) in sums.iter_mut().zip([sides, in_row, both]) {
                let ends = [&[0.0], &positions[..], &[1.0]].concat();
                let error = |pair: &[f64]| (pair[1] - pair[0] - of(1)).powi(2);
                *sum += ends.windows(2).map(error).sum::<f64>();
            }
        }
        sums.map(|sum| (sum / 300.0 / blocks as f64).sqrt() * 1e3)
    }

    #[test]
    fn blocks_are_those_of_the_measurement_that_is_less_off_or_better() {
        for blocks in [24, 6, 4, 3] {
            // Of two that are off alike, both are better than either.
            for noise in [(2.0, 2.0, 2.0), (2.0, 2.0, 0.0)] {
                let [sides, row, both] = errors(blocks, noise);
                assert!(both < sides.min(row), "{blocks}: {both} of {sides} and {row}");
            }
            // A row whose blocks are all off, or one in four, beside sides that are nearly exact: what tells
            // them apart is an estimate of its own.
            for noise in [(0.3, 3.0, 0.0), (0.3, 0.1, 8.0)] {
                let [sides, row, both] = errors(blocks, noise);
                assert!(both < sides * 1.35, "{blocks}: {both} of {sides} and {row}");
            }
            // Noisy sides of steady blocks.
            let [sides, _, both] = errors(blocks, (3.0, 0.4, 0.0));
            assert!(both < sides / 2.0, "{blocks}: {both} of {sides}");
        }
    }

    #[test]
    fn one_block_that_is_too_long_in_the_row_moves_no_cut() {
        for blocks in 3..9 {
            let of = |at: usize| at as f64 / blocks as f64;
            let sides: Vec<f64> = (1..blocks).map(of).collect();
            for long in 0..blocks {
                let mut row = vec![1.0 / (blocks as f64 + 0.2); blocks];
                row[long] *= 1.2;
                for (cut, place) in agreed(&sides, 1e-8, &row).iter().enumerate() {
                    let off = (place - sides[cut]).abs();
                    assert!(off < 0.001, "{off} of cut {cut} in {blocks} blocks");
                }
            }
        }
    }

    #[test]
    fn what_sides_are_off_in_all_iterations_is_seen_by_its_neighbours() {
        // Each second cut is 1 % of the whole too late, and no iteration knows.
        let off = |at: usize| if at.is_multiple_of(2) { 0.01 } else { 0.0 };
        let sides: Vec<f64> = (1..24).map(|at| at as f64 / 24.0 + off(at)).collect();
        let found = agreed(&sides, 1e-8, &[1.0 / 24.0; 24]);
        let errors = (1..24).map(|at| (found[at - 1] - at as f64 / 24.0).abs());
        let largest = errors.fold(0.0, f64::max);
        assert!(largest < 0.005, "{largest}");
    }

    #[test]
    fn what_is_exact_stays_as_it_was_measured() {
        is_near(&agreed(&[0.25, 0.5], 0.0, &[0.25, 0.25, 0.5]), &[0.25, 0.5]);
        // Sides without noise, which the row contradicts.
        is_near(&agreed(&[0.2, 0.3, 0.4], 0.0, &[0.4, 0.1, 0.1, 0.4]), &[0.2, 0.3, 0.4]);
        // All that differs is noise of sides.
        is_near(&agreed(&[0.3, 0.5, 0.7], 1.0, &[0.25; 4]), &[0.25, 0.5, 0.75]);
    }

    #[test]
    fn positions_solve_their_equations() {
        let (sides, row) = ([0.1, 0.4, 0.45, 0.9], [0.2, 0.15, 0.1, 0.35, 0.2]);
        for ratio in [0.0, 0.01, 1.0, 100.0] {
            let found = solved(&sides, ratio, &row);
            let ends = [&[0.0], &found[..], &[1.0]].concat();
            for at in 0..4 {
                let left = (2.0 + ratio) * ends[at + 1] - ends[at] - ends[at + 2];
                let right = ratio * sides[at] + row[at] - row[at + 1];
                assert!((left - right).abs() < 1e-12, "{ratio}: {found:?}");
            }
        }
    }

    #[test]
    fn what_cuts_add_is_in_no_share() {
        // A call of 3 in each block, of which the whole has one.
        is_near(&shares_of_row(&[11.5, 23.0, 11.5], 40.0), &[0.25, 0.5, 0.25]);
        is_near(&shares_of_row(&[10.0, 10.0], 40.0), &[0.5, 0.5]);
    }
}

//! How far a mean over launches may be off, by drawing launches, and in each of
//! them blocks, again with replacement (the hierarchical bootstrap; Davison and
//! Hinkley 1997, "Bootstrap Methods and their Application", section 3.8).
//!
//! A value stands for a block: a cell. Cells are listed launch by launch. A
//! resample does not depend on the values, hence it is a vector of weights over
//! cells, drawn once for all groups of a comparison: a group's replicate is a dot
//! product, and groups that were measured together are resampled together.

use crate::probability::Generator;

/// Resamples whose sums are kept in registers while cells are gone through.
const TILE: usize = 16;

/// Weights of cells. They sum to 1 in every resample.
#[derive(Clone, Debug)]
pub(crate) struct Resamples {
    cells: usize,
    count: usize,
    /// Tile by tile of resamples, cell by cell, so that the inner loop has a fixed
    /// length and reads in order.
    weights: Vec<[f64; TILE]>,
}

impl Resamples {
    /// `count` resamples of launches with so many blocks each. A launch without
    /// blocks is never drawn. The two sides of a comparison need different seeds.
    pub(crate) fn new(blocks: &[usize], count: usize, seed: u64) -> Resamples {
        let mut random = Generator::new(seed);
        let drawable: Vec<usize> = (0..blocks.len()).filter(|&at| blocks[at] > 0).collect();
        let draws = draw_launches(&drawable, count, &mut random);
        Resamples::of_draws(blocks, &draws, drawable.len(), count, &mut random)
    }

    /// Resamples of both sides for launches that were made in pairs: the same
    /// launches are drawn on both sides, blocks on each side for itself. A launch
    /// that has no blocks on one of them is never drawn.
    pub(crate) fn paired(
        a: &[usize],
        b: &[usize],
        count: usize,
        seed: u64,
    ) -> (Resamples, Resamples) {
        let mut random = Generator::new(seed);
        let pairs = a.len().min(b.len());
        let drawable: Vec<usize> = (0..pairs).filter(|&at| a[at] > 0 && b[at] > 0).collect();
        let draws = draw_launches(&drawable, count, &mut random);
        let mut of =
            |blocks| Resamples::of_draws(blocks, &draws, drawable.len(), count, &mut random);
        (of(a), of(b))
    }

    /// `draws` has the launches of one resample after the other, `size` of each.
    fn of_draws(
        blocks: &[usize],
        draws: &[usize],
        size: usize,
        count: usize,
        random: &mut Generator,
    ) -> Resamples {
        let cells = blocks.iter().sum();
        let first_cells: Vec<usize> = first_cells(blocks).collect();
        let mut weights = vec![[0.0; TILE]; count.div_ceil(TILE) * cells];
        for (resample, launches) in draws.chunks_exact(size.max(1)).enumerate() {
            let tile = &mut weights[resample / TILE * cells..][..cells];
            for &launch in launches {
                let weight = 1.0 / (size * blocks[launch]) as f64;
                for _ in 0..blocks[launch] {
                    let cell = first_cells[launch] + random.below(blocks[launch]);
                    tile[cell][resample % TILE] += weight;
                }
            }
        }
        Resamples { cells, count, weights }
    }

    /// The location of each resample of `values`, of which there is one per cell.
    pub(crate) fn locations(&self, values: &[f64], out: &mut Vec<f64>) {
        debug_assert_eq!(values.len(), self.cells);
        out.clear();
        if self.cells == 0 {
            return;
        }
        for tile in self.weights.chunks_exact(self.cells) {
            let mut sums = [0.0; TILE];
            for (weights, &value) in tile.iter().zip(values) {
                for (sum, weight) in sums.iter_mut().zip(weights) {
                    *sum += weight * value;
                }
            }
            out.extend(sums);
        }
        out.truncate(self.count);
    }
}

fn draw_launches(drawable: &[usize], count: usize, random: &mut Generator) -> Vec<usize> {
    (0..count * drawable.len()).map(|_| drawable[random.below(drawable.len())]).collect()
}

/// By launch: the cells of the launches before it.
fn first_cells(blocks: &[usize]) -> impl Iterator<Item = usize> {
    blocks.iter().scan(0, |next, count| {
        *next += count;
        Some(*next - count)
    })
}

/// The mean of each launch's blocks. A launch without blocks has none and is left
/// out.
pub(crate) fn launch_values(values: &[f64], blocks: &[usize]) -> Vec<f64> {
    let launches = first_cells(blocks).zip(blocks).filter(|&(_, &count)| count > 0);
    let mean = |(first, &count): (usize, &usize)| {
        values.iter().skip(first).take(count).sum::<f64>() / count as f64
    };
    launches.map(mean).collect()
}

/// The mean over launches of the mean over their blocks: every launch counts the
/// same, however many blocks it has. Not a number if there is no block.
pub(crate) fn location(values: &[f64], blocks: &[usize]) -> f64 {
    let launches = launch_values(values, blocks);
    launches.iter().sum::<f64>() / launches.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probability::references::assert_close;

    fn locations(resamples: &Resamples, values: &[f64]) -> Vec<f64> {
        let mut out = Vec::new();
        resamples.locations(values, &mut out);
        out
    }

    fn mean(values: &[f64]) -> f64 {
        values.iter().sum::<f64>() / values.len() as f64
    }

    #[test]
    fn every_launch_counts_the_same() {
        assert_eq!(launch_values(&[1.0, 3.0, 10.0], &[2, 0, 1]), [2.0, 10.0]);
        assert_eq!(location(&[1.0, 3.0, 10.0], &[2, 0, 1]), 6.0);
        assert!(location(&[], &[]).is_nan());
    }

    #[test]
    fn weights_sum_to_one() {
        for (blocks, count) in [(vec![3, 1, 4], 100), (vec![1], 16), (vec![5, 0, 5], 17)] {
            let resamples = Resamples::new(&blocks, count, 5);
            let sums = locations(&resamples, &vec![1.0; blocks.iter().sum()]);
            assert_eq!(sums.len(), count);
            sums.iter().for_each(|&sum| assert_close(sum, 1.0, 1e-12, "sum"));
        }
        assert_eq!(locations(&Resamples::new(&[], 10, 1), &[]), [0.0; 0]);
    }

    #[test]
    fn replicates_scatter_about_the_location() {
        let blocks = [3, 1, 4];
        let values = [1.0, 2.0, 6.0, 4.0, 7.0, 7.5, 8.0, 3.0];
        let replicates = locations(&Resamples::new(&blocks, 40_000, 6), &values);
        // Four standard errors of a mean of 40,000 with a spread below 2.
        let (found, expected) = (mean(&replicates), location(&values, &blocks));
        assert!((found - expected).abs() < 4.0 * 2.0 / 200.0, "{found} {expected}");
    }

    /// Two launches of two blocks: 4 draws of launches, each with 16 of blocks. In
    /// the values' digits it can be read which cells were drawn how often.
    #[test]
    fn resamples_come_up_as_often_as_they_should() {
        let digits = [1.0, 10.0, 100.0, 1000.0];
        let mut expected = std::collections::BTreeMap::new();
        for draw in 0..64usize {
            let cell = |launch: usize, block: usize| digits[2 * launch + block];
            let (first, second) = (draw & 1, draw >> 1 & 1);
            let blocks = (2..6).map(|bit| draw >> bit & 1);
            let launches = [first, first, second, second];
            let sum: f64 =
                launches.into_iter().zip(blocks).map(|(launch, block)| cell(launch, block)).sum();
            *expected.entry(sum as u64).or_insert(0.0) += 1.0 / 64.0;
        }
        let count = 64_000;
        let mut found = std::collections::BTreeMap::new();
        for replicate in locations(&Resamples::new(&[2, 2], count, 7), &digits) {
            *found.entry((4.0 * replicate).round() as u64).or_insert(0.0) += 1.0 / count as f64;
        }
        assert!(found.keys().eq(expected.keys()), "{found:?}");
        for (sum, share) in expected {
            let deviation = (share * (1.0 - share) / count as f64).sqrt();
            assert!((found[&sum] - share).abs() < 5.0 * deviation, "{sum}: {share} {found:?}");
        }
    }

    #[test]
    fn pairs_are_drawn_together() {
        // One block per launch: nothing is left to chance within launches.
        let (a, b) = Resamples::paired(&[1, 1, 1], &[1, 1, 1], 50, 8);
        let values = [1.0, 10.0, 100.0];
        assert_eq!(locations(&a, &values), locations(&b, &values));
        // Blocks are drawn apart, and launches without a counterpart never.
        let (a, b) = Resamples::paired(&[2, 2, 0, 1], &[2, 2, 1], 50, 8);
        let of_launches = |side: &Resamples, values: &[f64]| locations(side, values);
        assert_eq!(
            of_launches(&a, &[1.0, 1.0, 9.0, 9.0, 0.0]),
            of_launches(&b, &[1.0, 1.0, 9.0, 9.0, 0.0])
        );
        assert_ne!(
            of_launches(&a, &[1.0, 2.0, 3.0, 4.0, 0.0]),
            of_launches(&b, &[1.0, 2.0, 3.0, 4.0, 0.0])
        );
        let sums = locations(&b, &[1.0, 1.0, 1.0, 1.0, 0.0]);
        sums.iter().for_each(|&sum| assert_close(sum, 1.0, 1e-12, "sum"));
    }

    #[test]
    fn a_seed_determines_the_resamples() {
        let of = |seed| locations(&Resamples::new(&[2, 3], 100, seed), &[1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(of(1), of(1));
        assert_ne!(of(1), of(2));
    }
}

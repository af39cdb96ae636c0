//! Ranks of values, of which equal ones share the mean of their ranks.

/// Ranks from 1, doubled: a mid-rank may end in a half, its double is whole, and
/// sums of whole numbers can be compared without rounding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ranks {
    /// In the order of the values.
    pub doubled: Vec<usize>,
    /// How many of the values differ from each other.
    pub distinct: usize,
}

impl Ranks {
    /// Only values that are the same number are tied: 0.3 - 0.1 and 0.2 are not.
    pub(crate) fn of(values: &[f64]) -> Ranks {
        let mut order: Vec<(f64, usize)> = values.iter().copied().zip(0..).collect();
        order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let (mut doubled, mut distinct, mut before) = (vec![0; values.len()], 0, 0);
        for tied in order.chunk_by(|a, b| a.0 == b.0) {
            // The mean of the first and the last rank, doubled.
            let rank = 2 * before + 1 + tied.len();
            tied.iter().for_each(|&(_, at)| doubled[at] = rank);
            before += tied.len();
            distinct += 1;
        }
        Ranks { doubled, distinct }
    }
}

/// Sum of (value - mean)² of whole numbers.
pub(crate) fn squared_deviations(values: &[usize]) -> f64 {
    let mean = values.iter().sum::<usize>() as f64 / values.len().max(1) as f64;
    values.iter().map(|&value| (value as f64 - mean).powi(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_the_mean_of_their_ranks() {
        let found = Ranks::of(&[3.0, 1.0, 3.0, 2.0, 1.0, 3.0]);
        assert_eq!(found.doubled, [10, 3, 10, 6, 3, 10]);
        assert_eq!(found.distinct, 3);
        // Both zeros are the same number.
        assert_eq!(Ranks::of(&[0.0, -0.0]).doubled, [3, 3]);
        assert_eq!(Ranks::of(&[]).distinct, 0);
    }

    #[test]
    fn ranks_keep_their_sum() {
        for values in [vec![5.0; 7], vec![1.0, 2.0, 2.0, 4.0], vec![9.0, 8.0, 7.0]] {
            let count = values.len();
            assert_eq!(Ranks::of(&values).doubled.iter().sum::<usize>(), count * (count + 1));
        }
    }

    #[test]
    fn deviations_are_from_the_mean() {
        assert_eq!(squared_deviations(&[2, 4, 6, 8]), 20.0);
        assert_eq!(squared_deviations(&[]), 0.0);
    }
}

//! Times of blocks, from times of what is before each cut.

use onnxray_format::Nanoseconds;

/// The middle of these times, or the mean of the two in the middle; 0 of none.
pub(crate) fn median(times: &mut [Nanoseconds]) -> Nanoseconds {
    times.sort_unstable();
    match (times.len() / 2, times.len() % 2) {
        (0, 0) => Nanoseconds(0),
        (middle, 1) => times[middle],
        (middle, _) => Nanoseconds(times[middle - 1].0.midpoint(times[middle].0)),
    }
}

/// When each block ends, counted from the beginning, in times that never fall and never exceed the
/// whole's. What runs before a cut can be measured longer than what runs before the next one, and no
/// block takes less than nothing: such neighbours get the mean of both (the pool-adjacent-violators
/// algorithm of isotonic regression; Barlow et al. 1972).
pub(super) fn ends(before: &[Nanoseconds], whole: Nanoseconds) -> Vec<Nanoseconds> {
    // Sum and number of the times that were pooled.
    let mut pools: Vec<(u64, u64)> = Vec::new();
    for time in before {
        let mut pool = (time.0.min(whole.0), 1);
        while let Some(&(sum, count)) = pools.last() {
            // Mean against mean, without a division.
            if u128::from(sum) * u128::from(pool.1) <= u128::from(pool.0) * u128::from(count) {
                break;
            }
            pool = (pool.0 + sum, pool.1 + count);
            pools.pop();
        }
        pools.push(pool);
    }
    let means = pools
        .into_iter()
        .flat_map(|(sum, count)| std::iter::repeat_n(Nanoseconds(sum / count), count as usize));
    means.chain([whole]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends_of(before: &[u64], whole: u64) -> Vec<u64> {
        let before: Vec<Nanoseconds> = before.iter().copied().map(Nanoseconds).collect();
        ends(&before, Nanoseconds(whole)).into_iter().map(|end| end.0).collect()
    }

    #[test]
    fn what_rises_stays_as_it_was_measured() {
        assert_eq!(ends_of(&[10, 25, 40], 60), [10, 25, 40, 60]);
        assert_eq!(ends_of(&[], 60), [60]);
    }

    #[test]
    fn no_block_takes_less_than_nothing_and_all_add_up_to_the_whole() {
        assert_eq!(ends_of(&[10, 30, 20, 50], 60), [10, 25, 25, 50, 60]);
        assert_eq!(ends_of(&[30, 20, 10], 40), [20, 20, 20, 40]);
        // The whole is what the user sees, and the limit of all.
        assert_eq!(ends_of(&[10, 70], 60), [10, 60, 60]);
        assert_eq!(ends_of(&[u64::MAX, u64::MAX], 5), [5, 5, 5]);
    }

    #[test]
    fn a_burst_in_less_than_half_of_the_times_moves_no_median() {
        let mut times = [5, 900, 6, 4, 800].map(Nanoseconds);
        assert_eq!(median(&mut times), Nanoseconds(6));
        assert_eq!(median(&mut times[1..]), Nanoseconds(403));
        assert_eq!(median(&mut []), Nanoseconds(0));
    }
}

//! Times of blocks, from times of what is before and behind each cut, and of blocks in a row.

use super::agreement::{agreed, shares_of_row};
use crate::median::{median, median_time, variance_of_median};
use onnxray_format::Nanoseconds;
use std::collections::VecDeque;
use std::ops::Range;

/// Times of a group of cuts, in turns with the whole: of what is before and behind each, and of blocks in a
/// row, where that is timed.
#[derive(Default)]
pub(super) struct GroupTimes {
    pub(super) sides: Vec<[Vec<Nanoseconds>; 2]>,
    pub(super) row: Vec<Vec<Nanoseconds>>,
    pub(super) whole: Vec<Nanoseconds>,
}

/// Times of an iteration, by medians.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Iteration {
    /// Of the whole until each cut.
    pub(super) places: Vec<Nanoseconds>,
    /// Of blocks in a row; empty if that was not timed.
    pub(super) row: Vec<Nanoseconds>,
    pub(super) whole: Nanoseconds,
}

/// Times of an iteration, of cuts in groups.
#[derive(Default)]
pub(super) struct Gathered(Vec<(Range<usize>, GroupTimes)>);

impl Gathered {
    /// Adds times of these cuts.
    pub(super) fn add(&mut self, cuts: Range<usize>, times: GroupTimes) {
        self.0.push((cuts, times));
    }

    /// Where each cut is in the time of the whole, and that time. What the machine did while one group ran
    /// and not while another did falls on the whole as well: times of a group are scaled by the whole's.
    /// `usual` is the share of the whole that a cut usually adds, for cuts of which only what is before is timed.
    pub(super) fn medians(self, usual: f64) -> Iteration {
        let Gathered(groups) = self;
        let cuts = groups.iter().map(|(cuts, _)| cuts.end).max().unwrap_or(0);
        let mut all: Vec<Nanoseconds> =
            groups.iter().flat_map(|(_, times)| times.whole.iter().copied()).collect();
        let whole = median_time(&mut all);
        let mut of_sides = vec![[Vec::new(), Vec::new()]; cuts];
        let mut row = Vec::new();
        for (cuts, times) in groups {
            let own = median_time(&mut times.whole.clone());
            let of_block =
                |mut times: Vec<Nanoseconds>| scaled(median_time(&mut times), whole, own);
            row.extend(times.row.into_iter().map(of_block));
            for (sides, times) in of_sides[cuts].iter_mut().zip(times.sides) {
                for (side, times) in sides.iter_mut().zip(times) {
                    side.extend(times.iter().map(|time| scaled(*time, whole, own)));
                }
            }
        }
        let usual = Nanoseconds((whole.0 as f64 * usual) as u64);
        Iteration { places: places(&mut of_sides, whole, usual), row, whole }
    }
}

/// Where cuts are, by what both their sides take: at the share that the side before has of both. What is
/// longer is less certain, and the shorter one decides. What the whole takes more than its parts, as a
/// larger model, falls on both sides by their length; what the cut adds to both, on neither where it is in
/// the middle. Two models in place of one cost something at any cut, such as a second call of the engine:
/// the least that any cut adds is taken as that cost, and half of it is taken off each side. A cut of which
/// only the side before is known is taken to have the usual sum of both, so that it is in the same scale as
/// its neighbours; where none has two, the whole and what a cut usually adds.
fn places(
    cuts: &mut [[Vec<Nanoseconds>; 2]],
    whole: Nanoseconds,
    usual: Nanoseconds,
) -> Vec<Nanoseconds> {
    let sides = cuts.iter_mut().map(|[before, behind]| {
        (median_time(before), (!behind.is_empty()).then(|| median_time(behind)))
    });
    let sides: Vec<(Nanoseconds, Option<Nanoseconds>)> = sides.collect();
    let sums = sides.iter().filter_map(|(before, behind)| Some(*before + (*behind)?));
    let mut sums: Vec<Nanoseconds> = sums.collect();
    let least = sums.iter().min().copied().unwrap_or(whole + usual);
    let split_cost = least.0.saturating_sub(whole.0);
    let usual = if sums.is_empty() { least } else { median_time(&mut sums) };
    let place = |(before, behind): (Nanoseconds, Option<Nanoseconds>)| {
        let sum = behind.map_or(usual, |behind| before + behind);
        let before = Nanoseconds(before.0.saturating_sub(split_cost / 2));
        scaled(before, whole, Nanoseconds(sum.0 - split_cost))
    };
    sides.into_iter().map(place).collect()
}

/// Iterations that a launch looks back on: the first ones say nothing of the thousandth.
const KEPT: usize = 64;

/// An iteration, as shares of its whole.
struct Shares {
    /// What is before each cut.
    places: Vec<f64>,
    /// Blocks in a row; empty if that was not timed.
    row: Vec<f64>,
}

impl Shares {
    /// `None` of a whole that takes no time.
    fn of(iteration: &Iteration) -> Option<Shares> {
        let whole = iteration.whole.0 as f64;
        let place = |place: &Nanoseconds| place.0 as f64 / whole;
        let row: Vec<f64> = iteration.row.iter().map(|time| time.0 as f64).collect();
        let is_timed = row.iter().any(|time| *time > 0.0);
        (whole > 0.0).then(|| Shares {
            places: iteration.places.iter().map(place).collect(),
            row: if is_timed { shares_of_row(&row, whole) } else { Vec::new() },
        })
    }
}

/// The iterations of a launch so far.
#[derive(Default)]
pub(super) struct History(VecDeque<Shares>);

impl History {
    /// Adds an iteration; what is before each cut takes the median share of its whole. A short block is
    /// the difference of two long times: in one iteration alone, noise would make it nothing or several
    /// times as much, and since nothing is below 0, the mean of many would not be right either. From the
    /// second iteration on, it is where that and shares of blocks in a row agree best.
    pub(super) fn add(&mut self, iteration: Iteration) -> Vec<Nanoseconds> {
        let Some(shares) = Shares::of(&iteration) else { return iteration.places };
        if self.0.len() == KEPT {
            self.0.pop_front();
        }
        self.0.push_back(shares);
        let places = self.0.iter().map(|own| &own.places[..]);
        let places = medians(places, iteration.places.len());
        let whole = iteration.whole.0 as f64;
        let time = |share: f64| Nanoseconds((share.max(0.0) * whole).round() as u64);
        self.agreed(&places).unwrap_or(places).into_iter().map(time).collect()
    }

    /// Where cuts are that are at these places by their sides, by blocks in a row as well; `None` if there are
    /// none, or only one iteration.
    fn agreed(&self, places: &[f64]) -> Option<Vec<f64>> {
        let rows = || self.0.iter().map(|own| &own.row[..]).filter(|row| !row.is_empty());
        let row = medians(rows(), rows().next()?.len());
        let variance = |cut: usize| {
            let shares = self.0.iter().map(|own| own.places[cut]);
            variance_of_median(&shares.collect::<Vec<_>>())
        };
        let variances = (0..places.len()).map(variance).collect::<Option<Vec<f64>>>()?;
        let variance = variances.iter().sum::<f64>() / places.len() as f64;
        Some(agreed(places, variance, &row))
    }
}

/// The median of each of this many values over all iterations.
fn medians<'a>(iterations: impl Iterator<Item = &'a [f64]> + Clone, count: usize) -> Vec<f64> {
    let of = |at: usize| iterations.clone().map(|own| own[at]).collect::<Vec<_>>();
    (0..count).map(|at| median(&of(at)).unwrap_or_default()).collect()
}

/// A time, if what took `own` takes `whole`.
fn scaled(time: Nanoseconds, whole: Nanoseconds, own: Nanoseconds) -> Nanoseconds {
    let product = u128::from(time.0) * u128::from(whole.0);
    Nanoseconds((product / u128::from(own.0.max(1))).min(u128::from(u64::MAX)) as u64)
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
    use super::super::agreement::tests::chance;
    use super::*;

    fn ends_of(before: &[u64], whole: u64) -> Vec<u64> {
        let before: Vec<Nanoseconds> = before.iter().copied().map(Nanoseconds).collect();
        ends(&before, Nanoseconds(whole)).into_iter().map(|end| end.0).collect()
    }

    fn iteration(places: &[u64], whole: u64) -> Iteration {
        let places = places.iter().copied().map(Nanoseconds).collect();
        Iteration { places, row: Vec::new(), whole: Nanoseconds(whole) }
    }

    /// Of what is before each cut, behind those of which it is known, and the whole.
    fn times(before: &[&[u64]], behind: &[&[u64]], whole: &[u64]) -> GroupTimes {
        let of = |times: &[u64]| times.iter().copied().map(Nanoseconds).collect::<Vec<_>>();
        let behind = behind.iter().copied().chain(std::iter::repeat(&[][..]));
        let sides = before.iter().zip(behind).map(|(before, behind)| [of(before), of(behind)]);
        GroupTimes { sides: sides.collect(), row: Vec::new(), whole: of(whole) }
    }

    #[test]
    fn a_cut_is_where_both_of_its_sides_say() {
        let mut gathered = Gathered::default();
        // The whole takes a quarter more than both sides; of the last cut, one is known.
        gathered.add(0..3, times(&[&[20], &[40], &[60]], &[&[60], &[40]], &[100]));
        assert_eq!(gathered.medians(0.0), iteration(&[25, 50, 75], 100));
        // A call of 10 is in each side, and what the cut in the middle adds to both in neither.
        let mut gathered = Gathered::default();
        gathered.add(0..3, times(&[&[30], &[65], &[90]], &[&[90], &[65], &[30]], &[110]));
        assert_eq!(gathered.medians(0.0).places, [25, 55, 85].map(Nanoseconds));
    }

    #[test]
    fn half_of_what_a_cut_usually_adds_is_not_before_it() {
        let mut gathered = Gathered::default();
        gathered.add(0..3, times(&[&[3], &[30], &[95]], &[], &[100]));
        assert_eq!(gathered.medians(0.1), iteration(&[0, 25, 90], 100));
        // Where both sides are timed, they say so themselves.
        let mut gathered = Gathered::default();
        gathered.add(0..2, times(&[&[30], &[65]], &[&[80]], &[100]));
        assert_eq!(gathered.medians(0.5), iteration(&[25, 60], 100));
    }

    #[test]
    fn one_group_stays_as_it_was_measured() {
        let mut gathered = Gathered::default();
        gathered.add(0..2, times(&[&[3, 1, 2], &[5, 9, 5]], &[], &[11, 11, 13]));
        assert_eq!(gathered.medians(0.0), iteration(&[2, 5], 11));
        assert_eq!(Gathered::default().medians(0.0), Iteration::default());
    }

    #[test]
    fn a_group_that_ran_while_all_was_slower_is_scaled() {
        // Parts take 10, 20 and 30 of 40; the second group ran at half the speed.
        let mut gathered = Gathered::default();
        gathered.add(0..2, times(&[&[10, 10], &[20, 20]], &[], &[40, 40]));
        gathered.add(1..3, times(&[&[40, 40], &[60, 60]], &[], &[80, 80]));
        // The whole is the median of both.
        assert_eq!(gathered.medians(0.0), iteration(&[15, 30, 45], 60));
    }

    #[test]
    fn shares_are_medians_over_iterations_and_times_follow_the_whole() {
        let of = |times: [u64; 2]| times.map(Nanoseconds).to_vec();
        let mut history = History::default();
        assert_eq!(history.add(iteration(&[30, 50], 100)), of([30, 50]));
        assert_eq!(history.add(iteration(&[90, 70], 100)), of([60, 60]));
        // Half as fast: of three shares, the one in the middle.
        assert_eq!(history.add(iteration(&[80, 102], 200)), of([80, 102]));
        for _ in 0..KEPT {
            history.add(iteration(&[10, 20], 40));
        }
        assert_eq!(history.add(iteration(&[0, 0], 40)), of([10, 20]), "of the last ones");
    }

    #[test]
    fn cuts_are_where_their_sides_and_blocks_in_a_row_agree() {
        // Sides that are noisy from one iteration to the next, and steady blocks of which each has a call of 3.
        let of = |places: &[u64]| Iteration {
            row: [280, 503, 253].map(Nanoseconds).to_vec(),
            ..iteration(places, 1030)
        };
        let mut history = History::default();
        assert_eq!(history.add(of(&[250, 800])), [250, 800].map(Nanoseconds), "one alone");
        let places = history.add(of(&[310, 740]));
        let expected = [278.5, 778.5];
        for (place, expected) in places.iter().zip(expected) {
            assert!((place.0 as f64 - expected).abs() < 3.0, "{places:?}");
        }
    }

    /// Blocks of a long model that are told apart by iterations, though noise is larger than the short
    /// one.
    #[test]
    fn a_short_block_of_a_long_model_is_found() {
        let (mut history, mut short) = (History::default(), Vec::new());
        let mut state = 1;
        let mut noisy = |time: f64| Nanoseconds((time * (1.0 + 0.006 * chance(&mut state))) as u64);
        for _ in 0..60 {
            let places = [20e6, 40e6, 40.3e6, 50e6].map(&mut noisy).to_vec();
            let whole = Nanoseconds(60_000_000);
            let places = history.add(Iteration { places, row: Vec::new(), whole });
            let ends = ends(&places, Nanoseconds(60_000_000));
            short.push(ends[2] - ends[1]);
        }
        let found = median_time(&mut short).0 as f64;
        assert!((0.2e6..0.4e6).contains(&found), "{found}");
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
}

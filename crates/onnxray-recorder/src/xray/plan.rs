//! How many blocks there are, and how often they are timed, within a time limit.

use super::runner::runs;
use crate::model::cut::Look;
use onnxray_format::Nanoseconds;
use std::time::Duration;

/// Blocks of a first look, and its iterations, of which the median counts.
pub const FIRST_LOOK: u32 = 12;
pub(crate) const LOOKS: u32 = 3;
/// No more are chosen for the user, and no fewer.
const MOST: u64 = 50;
const LEAST: u64 = 4;
/// A block of less than both is not worth a cut.
const SHORTEST: Nanoseconds = Nanoseconds(200_000);
const SHARE: u64 = 50;
/// Iterations of a launch: with fewer than `ENOUGH`, more blocks than those of the first look are not
/// told apart; with fewer than `FEWEST`, none are.
const ITERATIONS: u64 = 10;
const ENOUGH: u64 = 5;
const FEWEST: u64 = 2;

/// What the user asks of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct XrayAim {
    /// At most this many; `None` for as many as `min_block` leaves, 12 at least, or fewer where the time
    /// limit has no room for these.
    pub blocks: Option<u32>,
    /// How long blocks are about, if they are cut further than in the first look.
    pub min_block: Option<Nanoseconds>,
    /// Iterations of warm-up.
    pub warmup: u32,
    /// Measured iterations; `None` for as many as fit.
    pub iterations: Option<u32>,
    /// How long all launches take together, with what is before them.
    pub time_limit: Duration,
}

/// What comes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct XrayPlan {
    /// At most this many.
    pub blocks: u32,
    /// Iterations of each launch, after those of warm-up.
    pub iterations: u32,
    /// How long all launches take.
    pub time: Duration,
}

impl XrayAim {
    /// What fits into the time that is left for these launches, more blocks before more iterations: a
    /// look took `looked`, loading included.
    pub fn plan(&self, look: &Look, looked: Duration, launches: u32, left: Duration) -> XrayPlan {
        let whole = Nanoseconds(look.blocks.iter().map(|block| block.time.0).sum());
        let seen = look.blocks.len().max(1) as u64;
        let of_equal = iteration(whole, seen).max(1);
        // Blocks differ, and parts that do not fit into memory together are loaded in each iteration.
        let own = look.iteration.map_or(of_equal, |own| own.0);
        let iteration = |blocks: u64| {
            let all = u128::from(iteration(whole, blocks)) * u128::from(own);
            u64::try_from(all / u128::from(of_equal)).unwrap_or(u64::MAX)
        };
        let looks = own.saturating_mul(u64::from(LOOKS));
        let loading = (looked.as_nanos() as u64).saturating_sub(looks);
        let shortest = self.min_block.unwrap_or(SHORTEST.max(Nanoseconds(whole.0 / SHARE)));
        let first = u64::from(FIRST_LOOK);
        let wanted = match self.blocks {
            Some(blocks) => u64::from(blocks),
            // One block more than parts, but no more than are in memory at once.
            None => {
                (whole.0 / shortest.0.max(1)).min(look.at_once.saturating_add(1)).clamp(first, MOST)
            }
        };
        let launches = u64::from(launches.max(1));
        let load = |blocks: u64| loading.saturating_mul(blocks) / seen;
        let time = |blocks: u64, iterations: u64| {
            let all = iterations + u64::from(self.warmup);
            let iterations = iteration(blocks).saturating_mul(all);
            launches.saturating_mul(load(blocks).saturating_add(iterations))
        };
        let fits =
            |blocks: u64, iterations: u64| u128::from(time(blocks, iterations)) <= left.as_nanos();
        let given = self.iterations.map(u64::from);
        let enough = given.unwrap_or(ENOUGH);
        let fewest = given.unwrap_or(FEWEST);
        let finer = (first..=wanted).rev().find(|&blocks| fits(blocks, enough));
        let coarser = || (LEAST..=first).rev().find(|&blocks| fits(blocks, fewest));
        let blocks = match self.blocks {
            Some(_) => wanted,
            None => finer.or_else(coarser).unwrap_or(LEAST),
        };
        let most = (FEWEST..=ITERATIONS).rev().find(|&iterations| fits(blocks, iterations));
        let iterations = given.unwrap_or_else(|| most.unwrap_or(FEWEST));
        XrayPlan {
            blocks: blocks as u32,
            iterations: iterations as u32,
            time: Duration::from_nanos(time(blocks, iterations)),
        }
    }
}

/// How long an iteration takes.
fn iteration(whole: Nanoseconds, blocks: u64) -> u64 {
    whole.0.saturating_mul(runs(whole, blocks))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::cut::MeasuredBlock;

    const MINUTE: Duration = Duration::from_secs(60);

    fn look(whole: Nanoseconds) -> Look {
        let block = |number: u32| MeasuredBlock {
            last: number.to_string(),
            time: Nanoseconds(whole.0 / u64::from(FIRST_LOOK)),
        };
        let blocks = (0..FIRST_LOOK).map(block).collect();
        Look { blocks, at_once: u64::MAX - 1, ..Look::default() }
    }

    fn plan(whole_ms: u64, aim: XrayAim) -> XrayPlan {
        aim.plan(&look(Nanoseconds(whole_ms * 1_000_000)), Duration::ZERO, 5, aim.time_limit)
    }

    fn aim(blocks: Option<u32>, min_block: Option<Nanoseconds>) -> XrayAim {
        XrayAim { blocks, min_block, warmup: 1, iterations: None, time_limit: MINUTE }
    }

    #[test]
    fn short_models_have_the_blocks_of_the_first_look_and_all_iterations() {
        // Both sides of 11 cuts and the whole are 12 latencies, 5 times, and all in a row is one, 14 times; in 3
        // rounds of 11 iterations of 5 launches.
        let time = Duration::from_nanos(2_000_000 * (12 * 5 + 14) * 3 * 11 * 5);
        assert_eq!(plan(2, aim(None, None)).blocks, 12);
        assert_eq!(plan(2, aim(None, None)).iterations, 10);
        let difference = plan(2, aim(None, None)).time.abs_diff(time);
        assert!(difference < Duration::from_millis(10), "{difference:?}");
    }

    #[test]
    fn blocks_are_cut_down_to_the_shortest_within_the_limit() {
        let finer = aim(None, Some(Nanoseconds(99_000)));
        assert_eq!(plan(2, finer).blocks, 20);
        assert_eq!(plan(2, aim(Some(5), None)).blocks, 5);
        // 50 blocks of 8 ms in 6 iterations: 8 * (50 * 5 + 52) * 3 * 6 * 5 ms are 217 s.
        let long = plan(8, aim(None, Some(Nanoseconds(1))));
        assert!((12..50).contains(&long.blocks) && long.time <= MINUTE, "{long:?}");
        let all = plan(8, XrayAim { time_limit: MINUTE * 10, ..aim(None, Some(Nanoseconds(1))) });
        assert_eq!((all.blocks, all.iterations), (50, 10));
    }

    #[test]
    fn long_models_are_timed_less_often_and_twice_at_least() {
        // One round of one run before two that are timed.
        let some = plan(70, aim(None, None));
        assert_eq!(some.blocks, 12);
        assert!((2..10).contains(&some.iterations), "{some:?}");
        let slow = plan(10_000, aim(None, None));
        assert_eq!((slow.blocks, slow.iterations), (4, 2));
        assert!(slow.time > MINUTE, "what it takes all the same: {slow:?}");
        let between = plan(200, aim(None, None));
        assert!((4..12).contains(&between.blocks) && between.time <= MINUTE, "{between:?}");
        assert_eq!(between.iterations, 2);
        assert_eq!(plan(10_000, aim(Some(9), None)).blocks, 9, "as asked for");
    }

    #[test]
    fn iterations_that_are_given_leave_room_for_fewer_blocks() {
        let fine = |iterations| XrayAim { iterations, ..aim(None, Some(Nanoseconds(100_000))) };
        assert_eq!((plan(4, fine(None)).blocks, plan(4, fine(Some(5))).blocks), (27, 27));
        let many = plan(4, fine(Some(30)));
        assert_eq!(many.iterations, 30);
        assert!((4..12).contains(&many.blocks) && many.time <= MINUTE, "{many:?}");
    }

    #[test]
    fn loading_takes_its_part_of_the_limit() {
        let aim = aim(Some(24), None);
        let plan = aim.plan(&look(Nanoseconds(12_000)), Duration::from_secs(2), 5, MINUTE);
        // Five times twice as many models, and next to nothing beside.
        assert!(
            plan.time.abs_diff(Duration::from_secs(20)) < Duration::from_millis(500),
            "{plan:?}"
        );
    }

    #[test]
    fn iterations_that_take_longer_than_their_blocks_say_are_fewer() {
        let whole = Nanoseconds(12_000_000);
        let quick = look(whole);
        let own = Nanoseconds(iteration(whole, 12) * 4);
        let slow = Look { iteration: Some(own), ..quick.clone() };
        let plan = |look: &Look| aim(None, None).plan(look, Duration::ZERO, 5, MINUTE);
        assert!(plan(&slow).iterations < plan(&quick).iterations);
        let same = Look { iteration: Some(Nanoseconds(iteration(whole, 12))), ..quick.clone() };
        assert_eq!(plan(&same), plan(&quick));
    }

    #[test]
    fn there_are_no_more_blocks_than_fit_into_memory_but_for_those_that_are_asked_for() {
        let narrow = Look { at_once: 20, ..look(Nanoseconds(8_000_000)) };
        let finest = aim(None, Some(Nanoseconds(1)));
        let long = XrayAim { time_limit: MINUTE * 10, ..finest };
        let plan = |aim: XrayAim| aim.plan(&narrow, Duration::ZERO, 5, aim.time_limit).blocks;
        assert_eq!(plan(long), 21);
        assert_eq!(plan(XrayAim { blocks: Some(40), min_block: None, ..long }), 40);
        let none = Look { at_once: 1, ..narrow.clone() };
        assert_eq!(long.plan(&none, Duration::ZERO, 5, MINUTE).blocks, FIRST_LOOK);
    }
}

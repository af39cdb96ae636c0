//! What a comparison's units are: launches, pairs of them, or blocks.

use super::cells::Cells;
use super::turns::knows;
use crate::comparison::evidence::RatioEstimate;
use crate::comparison::recording::Recording;
use crate::statistics::FEWEST_UNITS;
use std::collections::HashMap;

/// With fewer launches, there is no verdict: what a process has in common is in all of its
/// iterations, and where launches have one of two levels, by chance all of a side have the same
/// (`docs/studies/launches.md`).
pub const FEWEST_LAUNCHES: usize = 5;

/// Levels of launches of one model differ by less than this factor (`docs/studies/launches.md`);
/// single layers may differ by more.
const LEVELS: f64 = 2.0;

/// Units that figures and tests rest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// Launches of each side, independent of each other.
    Launches([usize; 2]),
    /// Interleaved launches, one after the other.
    Pairs(usize),
    /// Interleaved iterations, in one process per launch.
    IterationPairs {
        /// The units.
        launches: usize,
        /// Pairs in all launches.
        pairs: usize,
    },
    /// Blocks of such pairs, because there are fewer than three launches, so that the
    /// result is weak.
    PairBlocks {
        /// The units.
        blocks: usize,
        /// Pairs in all blocks.
        pairs: usize,
    },
    /// Blocks of iterations, because a side has fewer than three launches. They
    /// follow each other in one process, so that the result is weak.
    Blocks([usize; 2]),
    /// Averages per iteration only: no test is possible.
    Averages,
    /// Sums over traces that have no iterations.
    Totals,
    /// One side tells times per iteration, the other only sums.
    Unlike,
}

impl Basis {
    /// Single iterations are known on both sides.
    pub fn is_tested(self) -> bool {
        !matches!(self, Basis::Averages | Basis::Totals | Basis::Unlike)
    }

    /// Both sides were interleaved, so that what the machine does falls on both.
    pub fn is_in_turns(self) -> bool {
        matches!(self, Basis::Pairs(_) | Basis::IterationPairs { .. } | Basis::PairBlocks { .. })
    }

    /// There are too few launches for a verdict.
    pub fn is_few(self) -> bool {
        match self {
            Basis::Launches([a, b]) => a.min(b) < FEWEST_LAUNCHES,
            Basis::Pairs(launches) | Basis::IterationPairs { launches, .. } => {
                launches < FEWEST_LAUNCHES
            }
            Basis::PairBlocks { .. } | Basis::Blocks(_) => true,
            Basis::Averages | Basis::Totals | Basis::Unlike => false,
        }
    }

    /// Few launches suffice for a whole model: both sides took turns in each, and they differ by more
    /// than launches by chance.
    pub(crate) fn is_beyond_levels(self, ratio: &RatioEstimate) -> bool {
        let is_beyond = ratio.ratio_low > LEVELS || ratio.ratio_high < 1.0 / LEVELS;
        self.is_in_turns() && self.has_launches() && is_beyond
    }

    /// Launches are the unit, so that more of them would tell more.
    pub(crate) fn has_launches(self) -> bool {
        matches!(self, Basis::Launches(_) | Basis::Pairs(_) | Basis::IterationPairs { .. })
    }

    /// In words, for reports.
    pub fn text(self) -> String {
        match self {
            Basis::Launches([a, b]) => format!("{a} and {b} launches"),
            Basis::Pairs(pairs) => format!("{pairs} pairs of launches, interleaved"),
            Basis::IterationPairs { launches, pairs } => {
                format!("{pairs} pairs of iterations in {launches} launches, interleaved")
            }
            Basis::PairBlocks { blocks, pairs } => format!(
                "{pairs} pairs of iterations in {blocks} blocks, interleaved; weak: fewer \
                 than {FEWEST_UNITS} launches"
            ),
            Basis::Blocks([a, b]) => format!(
                "{a} and {b} blocks of iterations; weak: fewer than {FEWEST_UNITS} launches on a side"
            ),
            Basis::Averages => "averages only; no test is possible".to_string(),
            Basis::Totals => {
                "sums over whole traces without iterations; no test is possible".to_string()
            }
            Basis::Unlike => {
                "one side has times per iteration, the other only sums over a whole trace; \
                 shares can be compared, times cannot"
                    .to_string()
            }
        }
    }
}

pub(crate) struct Units {
    pub basis: Basis,
    pub cells: [Cells; 2],
}

/// `None` if single iterations are not known on both sides.
pub(crate) fn units(recordings: [&Recording; 2]) -> Option<Units> {
    let timelines = [recordings[0].timeline.as_ref()?, recordings[1].timeline.as_ref()?];
    let all = timelines.map(|timeline| (0..timeline.launches.len()).collect::<Vec<_>>());
    if let Some(pairs) = pairs(recordings) {
        let count = pairs.len();
        let of = |side: usize| pairs.iter().map(|pair| pair[side]).collect::<Vec<_>>();
        let cells = [Cells::launches(timelines[0], &of(0)), Cells::launches(timelines[1], &of(1))];
        return Some(Units { basis: Basis::Pairs(count), cells });
    }
    let counts = [all[0].len(), all[1].len()];
    // Ranks of one run wait for each other: they are not independent launches.
    let independent = recordings.iter().all(|recording| recording.summary.ranks.is_none());
    if independent && counts.iter().all(|&count| count >= FEWEST_UNITS) {
        let cells = [0, 1].map(|side| Cells::launches(timelines[side], &all[side]));
        return Some(Units { basis: Basis::Launches(counts), cells });
    }
    let cells = timelines.map(Cells::blocks);
    let basis = Basis::Blocks([cells[0].units(), cells[1].units()]);
    Some(Units { basis, cells })
}

/// Interleaved launches, as positions on both sides.
fn pairs(recordings: [&Recording; 2]) -> Option<Vec<[usize; 2]>> {
    let [a, b] = recordings.map(|recording| &recording.summary.run);
    if !(knows(a, b) && knows(b, a)) {
        return None;
    }
    let [a, b] = recordings.map(|recording| recording.timeline.as_ref());
    let (a, b) = (a?, b?);
    let mut partners: HashMap<u32, usize> =
        b.launches.iter().enumerate().map(|(at, launch)| (launch.launch, at)).collect();
    let launches = a.launches.iter().enumerate();
    let pairs: Vec<[usize; 2]> = launches
        .filter_map(|(first, launch)| Some([first, partners.remove(&launch.launch)?]))
        .collect();
    (pairs.len() >= FEWEST_UNITS).then_some(pairs)
}

//! What pairs of iterations say of a group's times on both sides.
//!
//! The ratio of a unit is located over its pairs; the interval and the test are Student's
//! over units. Everything else follows from the ratio and from how long both sides take
//! together, so that no two figures contradict each other.

use super::switch_cost::SwitchCost;
use crate::comparison::evidence::t_test::{CONFIDENCE, Tested};
use crate::comparison::evidence::{Ordered, inflation, middle_third, without_order_effect};
use crate::comparison::recording::Recording;
use crate::comparison::units::pairing::Basis;
use crate::comparison::units::turns::{Pair, Turns, turns};
use crate::probability::Student;
use crate::statistics::blocks;
use crate::statistics::{BLOCK_AS_UNIT, FEWEST_UNITS, MOST_BLOCKS};

/// Largest share of pairs in which one side did not run: beyond it, the others are a biased choice.
pub(crate) const MOST_LONE: f64 = 0.05;

/// Two recordings in turns, with the pairs that count.
pub(crate) struct Paired {
    /// Both restricted to iterations that have a partner.
    pub recordings: [Recording; 2],
    /// Sentences about what was left out, and why.
    pub notes: Vec<String>,
    /// All pairs by launch, as positions among the iterations of both sides, those included that
    /// are left out of the test after a switch.
    pub all: Vec<Vec<[usize; 2]>>,
    units: Vec<Vec<Pair>>,
    launches: usize,
}

impl Paired {
    /// `None` if they did not take turns iteration by iteration.
    ///
    /// # Errors
    ///
    /// Why there are no pairs, in words, although a side was recorded in such turns.
    pub(crate) fn of(recordings: [&Recording; 2]) -> Result<Option<Paired>, String> {
        match turns(recordings)? {
            None => Ok(None),
            Some(turns) => Paired::of_turns(turns).map(Some),
        }
    }

    fn of_turns(turns: Turns) -> Result<Paired, String> {
        let switch_cost = SwitchCost::of(&turns);
        let places = |pairs: &Vec<Pair>| pairs.iter().map(|pair| pair.at).collect();
        let partners = turns.launches.iter().map(places).collect();
        let kept = |pairs: &Vec<Pair>| {
            pairs.iter().copied().filter(|pair| switch_cost.keeps(pair)).collect::<Vec<_>>()
        };
        let all: Vec<Vec<Pair>> =
            turns.launches.iter().map(kept).filter(|pairs| !pairs.is_empty()).collect();
        let launches = all.len();
        let units: Vec<Vec<Pair>> = match launches < FEWEST_UNITS {
            false => all,
            true => {
                // Each block has as many turns of either order.
                let shortest = BLOCK_AS_UNIT.max(2 * turns.turn as usize);
                let most = MOST_BLOCKS / launches.max(1);
                let parted = all.iter().flat_map(|pairs| {
                    blocks(0..pairs.len(), shortest, most).map(|block| pairs[block].to_vec())
                });
                parted.collect()
            }
        };
        // Two units leave one degree of freedom, and an interval that says nothing.
        if units.len() < FEWEST_UNITS {
            return Err("there are too few pairs to estimate a spread".to_string());
        }
        let Turns { recordings, mut notes, .. } = turns;
        notes.extend(switch_cost.note());
        Ok(Paired { recordings, notes, all: partners, units, launches })
    }

    pub(crate) fn basis(&self) -> Basis {
        let pairs = self.units.iter().map(Vec::len).sum();
        match self.launches < FEWEST_UNITS {
            true => Basis::PairBlocks { blocks: self.units.len(), pairs },
            false => Basis::IterationPairs { launches: self.launches, pairs },
        }
    }

    /// `times` are of the steady-state iterations of both sides, in nanoseconds. `None` if too
    /// few units have pairs in which both sides ran, or if too many have one that did not.
    pub(crate) fn estimate(&self, times: [&[u64]; 2]) -> Option<Tested> {
        let (mut ratios, mut levels) = (Vec::new(), Vec::new());
        let (mut both, mut lone) = (0u32, 0u32);
        for pairs in &self.units {
            let (mut of_ratio, mut of_level): (Vec<Ordered>, Vec<f64>) = Default::default();
            for pair in pairs {
                let [a, b] = [0, 1].map(|side| times[side].get(pair.at[side]).copied());
                match (a?, b?) {
                    // Neither side ran the group, as in a branch not taken: the pair says nothing
                    // of it.
                    (0, 0) => {}
                    (0, _) | (_, 0) => lone += 1,
                    (a, b) => {
                        both += 1;
                        let (a, b) = ((a as f64).ln(), (b as f64).ln());
                        of_ratio.push((pair.first, b - a));
                        of_level.push((a + b) / 2.0);
                    }
                }
            }
            ratios.push(of_ratio);
            levels.extend(middle_third(&mut of_level));
        }
        let ratios = without_order_effect(&ratios);
        // A pair without a ratio is left out, and which ones are is not chance: with many, the rest
        // is biased.
        if f64::from(lone) > MOST_LONE * f64::from(lone + both) {
            return None;
        }
        // Blocks of one process resemble the next one; launches do not.
        let widen = match self.launches < FEWEST_UNITS {
            true => inflation(&ratios),
            false => 1.0,
        };
        let student = Student::of(&ratios, CONFIDENCE, widen)?;
        let level = levels.iter().sum::<f64>() / levels.len() as f64;
        Some(Tested::of(student, level, ratios.len()))
    }
}

//! Whether an iteration takes longer because the other model ran right before it, so that
//! its caches are cold.

use super::evidence::{Student, middle_third};
use super::testing::CONFIDENCE;
use super::turns::{Pair, Turns};
use crate::statistics::{FEWEST_UNITS, Timeline};
use std::collections::BTreeMap;

/// Pairs are left out only if so large a part of them stays.
const FEWEST_LEFT: f64 = 1.0 / 3.0;

/// What was found of the first iterations after a change of sides.
pub(crate) struct AfterChange {
    /// By side: logarithm of the first iteration by the others before the next change;
    /// `None` if there are too few.
    effects: [Option<Student>; 2],
    /// Whether pairs with one of them are left out.
    pub kept_out: bool,
}

impl AfterChange {
    pub(crate) fn of(turns: &Turns) -> AfterChange {
        let effects = [0, 1].map(|side| {
            let timeline = turns.recordings[side].timeline.as_ref()?;
            effect(timeline, side, &turns.launches)
        });
        let differs = |effect: &Option<Student>| {
            effect.is_some_and(|effect| effect.mean.abs() > effect.half_width)
        };
        let pairs = || turns.launches.iter().flatten();
        let left = pairs().filter(|pair| !is_after_change(pair)).count() as f64;
        let enough = left >= FEWEST_LEFT * pairs().count() as f64;
        let kept_out = effects.iter().any(differs) && enough;
        AfterChange { effects, kept_out }
    }

    /// Whether the pair counts.
    pub(crate) fn keeps(&self, pair: &Pair) -> bool {
        !(self.kept_out && is_after_change(pair))
    }

    /// What was found; `None` if nothing can be told.
    pub(crate) fn note(&self) -> Option<String> {
        let [Some(a), Some(b)] = self.effects else { return None };
        let text = |effect: Student| {
            let percent = |logarithm: f64| logarithm.exp_m1() * 100.0;
            format!(
                "{:+.1} % ({:+.1} to {:+.1})",
                percent(effect.mean),
                percent(effect.mean - effect.half_width),
                percent(effect.mean + effect.half_width)
            )
        };
        let differs = [a, b].iter().any(|effect| effect.mean.abs() > effect.half_width);
        let done = match (differs, self.kept_out) {
            (_, true) => "pairs with it are left out of the test",
            (true, false) => "it stays in the pairs, since turns are too short to do without it",
            (false, false) => "it stays in the pairs, since no difference is seen",
        };
        Some(format!(
            "the first iteration after a change of sides, next to the others of its turn: A {}, \
             B {}; {done}",
            text(a),
            text(b)
        ))
    }
}

fn is_after_change(pair: &Pair) -> bool {
    pair.after_change.contains(&true)
}

/// Over launches, or over single turns where there are too few.
fn effect(timeline: &Timeline, side: usize, launches: &[Vec<Pair>]) -> Option<Student> {
    let latency = |pair: &Pair| Some((*timeline.latencies.get(pair.at[side])? as f64).ln());
    let mut of_launches: Vec<Vec<f64>> = Vec::new();
    for pairs in launches {
        let mut stretches: BTreeMap<u32, [Vec<f64>; 2]> = BTreeMap::new();
        for pair in pairs {
            let stretch = stretches.entry(pair.stretch[side]).or_default();
            let latency = latency(pair).filter(|latency| latency.is_finite());
            stretch[usize::from(pair.after_change[side])].extend(latency);
        }
        let effects = stretches
            .into_values()
            .filter_map(|[mut others, first]| Some(first.first()? - middle_third(&mut others)?));
        of_launches.push(effects.collect());
    }
    let values: Vec<f64> = match launches.len() < FEWEST_UNITS {
        true => of_launches.into_iter().flatten().collect(),
        false => of_launches.iter_mut().filter_map(|effects| middle_third(effects)).collect(),
    };
    Student::of(&values, CONFIDENCE, 1.0)
}

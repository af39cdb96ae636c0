//! Whether an iteration takes longer because the other model ran right before it, so that
//! its caches are cold.

use crate::comparison::evidence::middle_third;
use crate::comparison::evidence::t_test::CONFIDENCE;
use crate::comparison::units::turns::{Pair, Turns};
use crate::probability::Student;
use crate::statistics::FEWEST_UNITS;

/// Smallest part of the pairs that must remain for any to be left out.
const FEWEST_LEFT: f64 = 1.0 / 3.0;

/// A cost of less than this, as a logarithm, is not mentioned unless it is left out.
const SMALLEST: f64 = 0.01;

/// Cost of the first iteration after a switch of sides.
pub(crate) struct SwitchCost {
    /// Slowdown of an iteration after a switch, by side, as a logarithm; `None` if unknown.
    effects: [Option<Student>; 2],
    /// Pairs with such an iteration are left out.
    pub kept_out: bool,
}

impl SwitchCost {
    pub(crate) fn of(turns: &Turns) -> SwitchCost {
        let timelines = turns.recordings.each_ref().map(|recording| recording.timeline.as_ref());
        let latencies = timelines.map(|timeline| timeline.map_or(&[][..], |t| &t.latencies));
        let effects = [0, 1].map(|side| effect(latencies, side, &turns.launches));
        let differs = |effect: &Option<Student>| {
            effect.is_some_and(|effect| effect.mean.abs() > effect.half_width)
        };
        let pairs = || turns.launches.iter().flatten();
        let left = pairs().filter(|pair| !is_after_switch(pair)).count() as f64;
        let enough = left >= FEWEST_LEFT * pairs().count() as f64;
        let kept_out = effects.iter().any(differs) && enough;
        SwitchCost { effects, kept_out }
    }

    pub(crate) fn keeps(&self, pair: &Pair) -> bool {
        !(self.kept_out && is_after_switch(pair))
    }

    /// Sentence about the cost, where it changes what is compared; what is unknown, or no more than
    /// chance, changes nothing.
    pub(crate) fn note(&self) -> Option<String> {
        let is_sure = |effect: &Student| effect.mean.abs() > effect.half_width;
        let is_large = |effect: &Student| effect.mean.abs() - effect.half_width > SMALLEST;
        let effects = || self.effects.iter().flatten();
        // What was left out is said; what was kept, only where it may matter.
        if !self.kept_out && !effects().any(|effect| is_sure(effect) && is_large(effect)) {
            return None;
        }
        let sides = self.effects.iter().zip(["A", "B"]);
        let sides = sides.filter_map(|(effect, side)| {
            let percent = |logarithm: f64| logarithm.exp_m1() * 100.0;
            let Student { mean, half_width, .. } = (*effect)?;
            Some(format!(
                "{side} {:+.1} % ({:+.1} to {:+.1})",
                percent(mean),
                percent(mean - half_width),
                percent(mean + half_width)
            ))
        });
        let sides: Vec<String> = sides.collect();
        let done = match self.kept_out {
            true => "pairs that contain it are left out of the test",
            false => "pairs that contain it are kept, since few others would remain",
        };
        Some(format!(
            "the first iteration after the other model ran takes longer or shorter than the next \
             ones: {}; {done}",
            sides.join(", ")
        ))
    }
}

fn is_after_switch(pair: &Pair) -> bool {
    pair.after_switch.contains(&true)
}

/// Compares, in each round, the pair with such an iteration of the side with pairs that have none,
/// so that a drift of both cancels; over launches, or over single rounds where launches are too
/// few.
fn effect(latencies: [&[u64]; 2], side: usize, launches: &[Vec<Pair>]) -> Option<Student> {
    // ln(own / other): above 0 where the side is slower right after a switch.
    let sign = if side == 1 { 1.0 } else { -1.0 };
    let ratio = |pair: &Pair| {
        let [a, b] = [0, 1].map(|side| latencies[side].get(pair.at[side]).copied());
        let ratio = sign * (b? as f64 / a? as f64).ln();
        // A time of 0 has no logarithm.
        ratio.is_finite().then_some(ratio)
    };
    let mut of_launches: Vec<Vec<f64>> = Vec::new();
    for pairs in launches {
        let effects = pairs.chunk_by(|a, b| a.stretch == b.stretch).filter_map(|round| {
            let mut after =
                round.iter().filter(|pair| pair.after_switch[side] && !pair.after_switch[1 - side]);
            let others = round.iter().filter(|pair| !is_after_switch(pair));
            let mut others: Vec<f64> = others.filter_map(ratio).collect();
            Some(after.next().and_then(ratio)? - middle_third(&mut others)?)
        });
        of_launches.push(effects.collect());
    }
    // Of one or two launches, rounds are the units: a spread over launches is not known.
    let values: Vec<f64> = match launches.len() < FEWEST_UNITS {
        true => of_launches.into_iter().flatten().collect(),
        false => of_launches.iter_mut().filter_map(|effects| middle_third(effects)).collect(),
    };
    Student::of(&values, CONFIDENCE, 1.0)
}

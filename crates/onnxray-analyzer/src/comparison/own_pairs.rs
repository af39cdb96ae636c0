//! What a recording that was made in turns could show, as far as one side of it tells.
//!
//! Two turns of the same model that follow each other scatter as those of two models do.
//! There are fewer of them, which the interval is corrected for; what a launch does to one
//! model and not to the other is not seen.

use super::evidence::{middle_third, minimum_detectable_effect};
use super::testing::CONFIDENCE;
use super::{Options, Recording};
use crate::probability::Student;
use crate::statistics::{SettledLaunch, Timeline};
use onnxray_format::counted;
use std::collections::HashMap;

/// As many as people look at.
pub(crate) const LARGEST: usize = 20;

/// The smallest differences that it could show, as shares.
pub(crate) struct Shown {
    /// Iterations of a turn.
    pub turn: u32,
    pub launches: usize,
    pub whole: Option<f64>,
    /// Median of the operators that take most time, and how many these are.
    pub operators: (Option<f64>, usize),
}

impl Shown {
    /// `largest` are operators, those with most time first; `sums` their times. `None` if
    /// the recording was not made in turns of iterations.
    pub(crate) fn of(
        recording: &Recording,
        timeline: &Timeline,
        sums: &[Option<f64>],
        largest: &[u32],
        options: &Options,
    ) -> Option<Shown> {
        let turn = recording.summary.run.interleaved.as_ref()?.turn.filter(|&turn| turn > 0)?;
        let launches = timeline.launches.iter();
        let pairs = launches.map(|launch| OwnPairs::of(recording, timeline, launch, turn));
        let pairs: Vec<OwnPairs> = pairs.collect();
        let wall = timeline.wall().0 as f64;
        let mut effects = Vec::new();
        let mut times = Vec::new();
        for &operator in &largest[..largest.len().min(LARGEST)] {
            timeline.spent(std::iter::once(operator), &mut times);
            let share = sums.get(operator as usize).copied().flatten().unwrap_or(0.0) / wall;
            // What cannot be shown at all is larger than everything.
            let effect = detectable(&pairs, &times, share * options.alpha);
            effects.push(effect.unwrap_or(f64::INFINITY));
        }
        effects.sort_unstable_by(f64::total_cmp);
        let median = effects.get(effects.len() / 2).copied().filter(|effect| effect.is_finite());
        Some(Shown {
            turn,
            launches: timeline.launches.len(),
            whole: detectable(&pairs, &timeline.latencies, options.alpha),
            operators: (median, effects.len()),
        })
    }

    /// In words.
    pub(crate) fn text(&self) -> String {
        let percent = |effect: Option<f64>| {
            effect.map_or("an unknown one".to_string(), |effect| format!("{:.1} %", effect * 100.0))
        };
        let (median, count) = self.operators;
        let operators = match count {
            0 => String::new(),
            _ => format!(", of {} in the median of its {count} largest operators", percent(median)),
        };
        format!(
            "{}, in turns of {}; by this side, a difference of {} in the whole can be \
             shown{operators}",
            self.launches,
            counted(self.turn.into(), "iteration", "iterations"),
            percent(self.whole)
        )
    }

    /// Whether differences that matter can be shown.
    pub(crate) fn is_enough(&self, noise_threshold: f64) -> bool {
        self.largest_effect().is_some_and(|effect| effect <= noise_threshold)
    }

    /// About how many launches would show them, if they scatter as these do: what can be
    /// shown falls with the root of their number.
    pub(crate) fn launches_needed(&self, noise_threshold: f64) -> Option<usize> {
        let times = (self.largest_effect()? / noise_threshold).powi(2);
        Some((self.launches as f64 * times).ceil() as usize)
    }

    fn largest_effect(&self) -> Option<f64> {
        let (median, count) = self.operators;
        let median = if count == 0 { Some(0.0) } else { median };
        Some(self.whole?.max(median?))
    }
}

/// Rounds after which the places of turns repeat.
const PATTERN: usize = 4;
/// Turns that are further apart than the closest ones by this factor have others between.
const AS_CLOSE: f64 = 1.5;

/// Iterations of a launch that are as close to each other as those of two models.
struct OwnPairs {
    /// An iteration of a turn, and that in the same place of the next one.
    pairs: Vec<[usize; 2]>,
    /// Iterations of the launch, each of which has a partner in the other model.
    iterations: usize,
}

impl OwnPairs {
    /// Of each four turns, those are taken that follow each other without another one
    /// between.
    fn of(
        recording: &Recording,
        timeline: &Timeline,
        launch: &SettledLaunch,
        turn: u32,
    ) -> OwnPairs {
        let iteration = |at: usize| recording.summary.iterations.get(timeline.row(at)?);
        let by_index: HashMap<u32, usize> =
            launch.iterations.clone().filter_map(|at| Some((iteration(at)?.index, at))).collect();
        let position =
            iteration(launch.iterations.start).map_or(0, |found| found.position as usize);
        let warmup =
            recording.summary.launches.get(position).map_or(0, |found| found.warmup_flagged);
        let mut by_round: [Vec<[usize; 2]>; PATTERN] = Default::default();
        let mut apart: [Vec<f64>; PATTERN] = Default::default();
        for at in launch.iterations.clone() {
            let Some(own) = iteration(at) else { continue };
            let round = u64::from(own.index).saturating_sub(warmup) / u64::from(turn);
            let next = own.index.checked_add(turn).and_then(|index| by_index.get(&index));
            let Some((&next, other)) = next.and_then(|next| Some((next, iteration(*next)?))) else {
                continue;
            };
            by_round[round as usize % PATTERN].push([at, next]);
            apart[round as usize % PATTERN].push(other.start.0.abs_diff(own.start.0) as f64);
        }
        let apart = apart.each_mut().map(|times| middle_third(times).unwrap_or(f64::INFINITY));
        let closest = (0..PATTERN).min_by(|&a, &b| apart[a].total_cmp(&apart[b])).unwrap_or(0);
        // Of the others, only the one but next shares no turn with it.
        let other = (closest + PATTERN / 2) % PATTERN;
        let mut pairs = std::mem::take(&mut by_round[closest]);
        if apart[other] <= AS_CLOSE * apart[closest] {
            pairs.append(&mut by_round[other]);
        }
        OwnPairs { pairs, iterations: launch.iterations.len() }
    }

    /// The typical logarithm of the ratio of a launch's pairs.
    fn ratio(&self, times: &[u64]) -> Option<f64> {
        let ratio = |at: &[usize; 2]| {
            let [first, second] = [0, 1].map(|turn| times.get(at[turn]).copied().unwrap_or(0));
            (first > 0 && second > 0).then(|| (second as f64 / first as f64).ln())
        };
        middle_third(&mut self.pairs.iter().filter_map(ratio).collect::<Vec<_>>())
    }
}

fn detectable(launches: &[OwnPairs], times: &[u64], level: f64) -> Option<f64> {
    let values: Vec<f64> = launches.iter().filter_map(|launch| launch.ratio(times)).collect();
    let found = Student::of(&values, CONFIDENCE, 1.0)?;
    // Of independent pairs, a location scatters by the root of their number.
    let sum = |of: fn(&OwnPairs) -> usize| launches.iter().map(of).sum::<usize>() as f64;
    let fewer = sum(|launch| launch.pairs.len()) / sum(|launch| launch.iterations);
    let half_width = found.half_width * fewer.sqrt();
    minimum_detectable_effect(half_width, CONFIDENCE, found.degrees, level)
}

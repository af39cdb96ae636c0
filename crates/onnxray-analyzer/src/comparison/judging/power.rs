//! How much a recording can show: the smallest difference that it would find, how many
//! launches would decide one, and how many are enough before anything is compared.

use crate::comparison::Recording;
use crate::comparison::evidence::t_test::CONFIDENCE;
use crate::comparison::evidence::{Band, RatioEstimate, middle_third};
use crate::probability::{Student, quantile, upper_tail};
use crate::statistics::{SteadyLaunch, Timeline};
use onnxray_text::counted;
use std::collections::HashMap;

/// Probability that a difference of the minimum detectable effect is found.
const POWER: f64 = 0.8;
/// Points at which the density of the estimated spread is integrated.
const PLACES: usize = 200;
/// Halvings of the range in which the effect lies: to one part in a million.
const HALVINGS: usize = 22;
/// Effects of more deviations count as not detectable.
const MOST_DEVIATIONS: f64 = 1e6;

/// The minimum detectable effect, as a share of the baseline's time: the difference that
/// a test at `level` finds with a probability of 80 % (Bloom 1995, "Minimum detectable
/// effects: a simple way to report the statistical power of experimental designs").
/// `None` if there is none.
///
/// `half_width` is that of an interval of such `confidence` of the logarithm of the ratio,
/// with `degrees` of freedom; `level` is the p that the difference must reach.
pub(crate) fn minimum_detectable_effect(
    half_width: f64,
    confidence: f64,
    degrees: f64,
    level: f64,
) -> Option<f64> {
    if !(level > 0.0 && level < 1.0 && degrees > 0.0 && half_width >= 0.0) {
        return None;
    }
    // docs/statistics.md#minimum-detectable-effect: exp(d * s / sqrt(n)) - 1, with s / sqrt(n) from
    // the interval's half width.
    let deviation = half_width / quantile(confidence, degrees);
    let effect = deviation * deviations_needed(quantile(1.0 - level, degrees), degrees)?;
    Some(effect.exp_m1()).filter(|effect| effect.is_finite())
}

/// Noncentrality at which Student's t exceeds `critical` with probability `POWER`.
fn deviations_needed(critical: f64, degrees: f64) -> Option<f64> {
    if critical.is_nan() || critical > MOST_DEVIATIONS {
        return None;
    }
    // The spread that is found, by the true one, has the density s^(n-1) exp(-n s^2 / 2).
    // Its deviation is about 1 / sqrt(2n): eight of them to either side leave out nothing that
    // counts.
    let wide = (2.0 * degrees).sqrt().recip();
    let (first, last) = ((1.0 - 8.0 * wide).max(0.0), 1.0 + 8.0 * wide);
    let spreads: Vec<(f64, f64)> = (0..PLACES)
        .map(|place| {
            let spread = first + (last - first) * (place as f64 + 0.5) / PLACES as f64;
            // Relative to the density at 1, in logarithms: many degrees would underflow.
            let density = (degrees - 1.0) * spread.ln() - degrees * (spread * spread - 1.0) / 2.0;
            (spread, density.exp())
        })
        .collect();
    let all: f64 = spreads.iter().map(|(_, density)| density).sum();
    let power = |deviations: f64| {
        let found = spreads
            .iter()
            .map(|(spread, density)| density * upper_tail(critical * spread - deviations));
        found.sum::<f64>() / all
    };
    // At that many deviations, half of all are found at least.
    let (mut low, mut high) = (0.0, 2.0 * critical + 2.0);
    while power(high) < POWER {
        high *= 2.0;
        if high > MOST_DEVIATIONS {
            return None;
        }
    }
    for _ in 0..HALVINGS {
        let middle = (low + high) / 2.0;
        *if power(middle) < POWER { &mut low } else { &mut high } = middle;
    }
    Some(high)
}

/// Larger numbers are not suggested.
pub(super) const MOST_NEEDED: usize = 1000;

/// Launches on each side with which a verdict can be expected, if the estimate and
/// the spread stay what they are; more than the `launches` that the smaller side
/// has, since those settled nothing. `None` if it takes more than 1,000, or if the
/// difference lies at the edge of the band, where nothing ever settles it.
///
/// With an estimate outside of the band, the interval has to leave out 0 and the test to reach
/// `p_needed`, where `expected_p` tells the p of a number of launches, which falls with their
/// number; with one inside, the interval has to fit into the band.
///
/// Intervals shrink with the root of the number of launches. With few launches they
/// shrink faster, since Student's quantile falls too; that is left as a margin. The
/// number says little where the estimate is far off: if a difference that does not
/// matter was estimated outside of the band, it will hardly be found again.
pub(crate) fn launches_needed(
    estimate: &RatioEstimate,
    location_a: f64,
    launches: usize,
    expected_p: impl Fn(usize) -> f64,
    p_needed: f64,
    band: Band,
) -> Option<u32> {
    let band = band.half_width(location_a);
    let difference = estimate.difference;
    let (below, above) =
        (difference - estimate.difference_low, estimate.difference_high - difference);
    let outside = difference.abs() > band;
    let enough = |count: usize| {
        let shrinking = (launches as f64 / count as f64).sqrt();
        if outside {
            let towards_zero = if difference > 0.0 { below } else { above };
            towards_zero * shrinking < difference.abs() && expected_p(count) <= p_needed
        } else {
            below * shrinking <= band + difference && above * shrinking <= band - difference
        }
    };
    let possible = (2..MOST_NEEDED).contains(&launches) && p_needed > 0.0;
    if !possible || !enough(MOST_NEEDED) {
        return None;
    }
    // More launches never tell less: search by halving.
    let (mut too_few, mut plenty) = (launches, MOST_NEEDED);
    while plenty - too_few > 1 {
        let middle = too_few.midpoint(plenty);
        if enough(middle) {
            plenty = middle;
        } else {
            too_few = middle;
        }
    }
    u32::try_from(plenty).ok()
}

/// Launches from which on a change of 3 % of a layer of 2 % of the time is found in four of five
/// cases, if it alone changes and both sides run in turns of iterations, where ratios of
/// operators scatter by 1.5 % from launch to launch (measured on two shared cores).
pub const ENOUGH_LAUNCHES: usize = 10;

/// Number of largest operators that are examined.
pub(crate) const LARGEST: usize = 20;

/// Minimum detectable effects of one side, as shares.
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
    /// its iterations were not interleaved.
    pub(crate) fn of(
        recording: &Recording,
        timeline: &Timeline,
        sums: &[Option<f64>],
        largest: &[u32],
        alpha: f64,
    ) -> Option<Shown> {
        let turn = recording.summary.run.interleaved.as_ref()?.turn.filter(|&turn| turn > 0)?;
        let launches = timeline.launches.iter();
        let pairs = launches.map(|launch| OwnPairs::of(recording, timeline, launch, turn));
        let pairs: Vec<OwnPairs> = pairs.collect();
        let wall = timeline.wall().0 as f64;
        let mut effects = Vec::new();
        let mut times = Vec::new();
        for &operator in &largest[..largest.len().min(LARGEST)] {
            timeline.time_per_iteration(std::iter::once(operator), &mut times);
            let share = sums.get(operator as usize).copied().flatten().unwrap_or(0.0) / wall;
            // What cannot be shown at all is larger than everything.
            let effect = detectable(&pairs, &times, share * alpha);
            effects.push(effect.unwrap_or(f64::INFINITY));
        }
        effects.sort_unstable_by(f64::total_cmp);
        // Of an even number the larger one in the middle: never promise too much.
        let median = effects.get(effects.len() / 2).copied().filter(|effect| effect.is_finite());
        Some(Shown {
            turn,
            launches: timeline.launches.len(),
            whole: detectable(&pairs, &timeline.latencies, alpha),
            operators: (median, effects.len()),
        })
    }

    pub(crate) fn text(&self) -> String {
        let percent = |effect: Option<f64>| {
            effect.map_or("unknown".to_string(), |effect| format!("{:.1} %", effect * 100.0))
        };
        let (median, count) = self.operators;
        let operators = match count {
            0 => String::new(),
            _ => format!(", {} in the median of its {count} largest operators", percent(median)),
        };
        format!(
            "{} interleaved in turns of {}; minimum detectable effect by this side: {} end to \
             end{operators}",
            counted(self.launches as u64, "launch", "launches"),
            counted(self.turn.into(), "iteration", "iterations"),
            percent(self.whole)
        )
    }

    /// Differences as small as the noise threshold can be shown.
    pub(crate) fn is_enough(&self, noise_threshold: f64) -> bool {
        self.largest_effect().is_some_and(|effect| effect <= noise_threshold)
    }

    /// Launches that would show them, roughly: the effect falls with the root of their number.
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

/// Rounds after which the order of turns repeats.
const PATTERN: usize = 4;
/// Turns further apart than this factor times the closest ones have others between them.
const AS_CLOSE: f64 = 1.5;

/// Iterations of one side that ran as close to each other as those of two models do.
struct OwnPairs {
    /// An iteration of a turn, and the one at the same place of the next turn.
    pairs: Vec<[usize; 2]>,
    /// Iterations of the launch, each of which has a partner in the other model.
    iterations: usize,
}

impl OwnPairs {
    /// Pairs of turns that follow each other without a turn of the other model between.
    fn of(
        recording: &Recording,
        timeline: &Timeline,
        launch: &SteadyLaunch,
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
        // Which rounds adjoin depends on the side and on who began: the starts of iterations tell.
        let closest = (0..PATTERN).min_by(|&a, &b| apart[a].total_cmp(&apart[b])).unwrap_or(0);
        // Of the others, only the one but next shares no turn with it.
        let other = (closest + PATTERN / 2) % PATTERN;
        let mut pairs = std::mem::take(&mut by_round[closest]);
        if apart[other] <= AS_CLOSE * apart[closest] {
            pairs.append(&mut by_round[other]);
        }
        OwnPairs { pairs, iterations: launch.iterations.len() }
    }

    /// Middle third of ln(second / first) over the launch's pairs, as in a comparison.
    fn ratio(&self, times: &[u64]) -> Option<f64> {
        let ratio = |at: &[usize; 2]| {
            let [first, second] = [0, 1].map(|turn| times.get(at[turn]).copied().unwrap_or(0));
            // Iterations that did not run the operator have no logarithm.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// With two degrees of freedom, the square of the spread is exponential: a critical
    /// t beside which the normal noise is nothing is exceeded by `deviations` if the
    /// spread is below deviations / critical, which has the probability
    /// 1 - exp(-(deviations / critical)^2).
    #[test]
    fn a_rare_level_of_three_launches_has_a_closed_form() {
        let found = deviations_needed(1000.0, 2.0).unwrap() / 1000.0;
        assert!((found / 5f64.ln().sqrt() - 1.0).abs() < 0.01, "{found}");
    }

    /// With many launches the sum of normal quantiles, 1.96 and 0.84.
    #[test]
    fn many_launches_have_no_spread_of_their_spread() {
        let found = deviations_needed(1.959963984540054, 1e5).unwrap();
        assert!((found - (1.959963984540054 + 0.8416212335729143)).abs() < 1e-3, "{found}");
    }

    /// The sum of Student's quantiles is near enough where launches are not few.
    #[test]
    fn an_effect_is_as_many_deviations_as_needed() {
        let [t975, needed] =
            [2.2621571627409915f64, deviations_needed(2.2621571627409915, 9.0).unwrap()];
        let found = minimum_detectable_effect(0.01, 0.95, 9.0, 0.05).unwrap();
        assert!((found - (0.01 * needed / t975).exp_m1()).abs() < 1e-12, "{found}");
        assert!((needed - (t975 + 0.8834)).abs() < 0.03, "{needed}");
        let rarer = minimum_detectable_effect(0.01, 0.95, 9.0, 0.001).unwrap();
        assert!(rarer > 1.5 * found, "{rarer}");
    }

    #[test]
    fn no_weight_and_no_interval_show_nothing() {
        assert_eq!(minimum_detectable_effect(0.01, 0.95, 9.0, 0.0), None);
        assert_eq!(minimum_detectable_effect(f64::INFINITY, 0.95, 9.0, 0.05), None);
        assert_eq!(minimum_detectable_effect(f64::NAN, 0.95, 9.0, 0.05), None);
        assert_eq!(minimum_detectable_effect(0.01, 0.95, 0.0, 0.05), None);
        assert_eq!(minimum_detectable_effect(0.01, 0.95, 1.0, 1e-300), None);
        assert_eq!(minimum_detectable_effect(0.0, 0.95, 2.0, 0.05), Some(0.0));
    }

    const BAND: Band = Band { share: 0.03, ticks: 0.0 };

    /// From a location of 100, with an interval of `half` to both sides.
    fn needed(difference: f64, half: f64, launches: usize, p_needed: f64) -> Option<u32> {
        let estimate = RatioEstimate {
            ratio: 1.0,
            ratio_low: 1.0,
            ratio_high: 1.0,
            difference,
            difference_low: difference - half,
            difference_high: difference + half,
        };
        launches_needed(&estimate, 100.0, launches, |n| 0.1 / n as f64, p_needed, BAND)
    }

    #[test]
    fn an_interval_has_to_leave_out_zero_or_fit_into_the_band() {
        // 10 off, known to 20: four times as many reach half of that, and it takes less.
        assert_eq!(needed(10.0, 20.0, 10, 0.05), Some(41));
        assert_eq!(needed(-10.0, 20.0, 10, 0.05), Some(41));
        // 1 off, known to 4: it has to be known to 2.
        assert_eq!(needed(1.0, 4.0, 10, 0.05), Some(40));
        // 2 off with as wide an interval: it has to be known to 1.
        assert_eq!(needed(-2.0, 4.0, 10, 0.05), Some(160));
    }

    #[test]
    fn the_test_has_to_find_it() {
        assert_eq!(needed(10.0, 1.0, 3, 0.05), Some(4));
        assert_eq!(needed(10.0, 1.0, 3, 0.01), Some(10));
        assert_eq!(needed(10.0, 1.0, 3, 0.0), None);
        assert_eq!(needed(10.0, 1.0, 3, f64::NAN), None);
    }

    #[test]
    fn some_things_never_settle() {
        assert_eq!(needed(3.0, 1.0, 10, 0.05), None);
        assert_eq!(needed(-3.0, 1.0, 10, 0.05), None);
        assert_eq!(needed(2.99, 5.0, 10, 0.05), None);
        assert_eq!(needed(4.0, 500.0, 10, 0.05), None);
        assert_eq!(needed(10.0, 20.0, 1, 0.05), None);
    }

    #[test]
    fn ten_launches_in_turns_of_iterations_find_a_small_change() {
        let finds = |launches: usize| {
            let degrees = launches as f64 - 1.0;
            let half_width = quantile(CONFIDENCE, degrees) * 0.015 / (launches as f64).sqrt();
            let effect = minimum_detectable_effect(half_width, CONFIDENCE, degrees, 0.02 * 0.05);
            effect.is_some_and(|effect| effect <= 0.03)
        };
        assert_eq!((1..).find(|&launches| finds(launches)), Some(ENOUGH_LAUNCHES));
    }
}

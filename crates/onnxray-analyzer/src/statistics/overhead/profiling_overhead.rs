//! What recording costs: the ratio of instrumented iterations to the unprofiled ones that take
//! turns with them, and how far it may be off.
//!
//! A single ratio is as noisy as the machine. So the cost is judged by its interval, and
//! one that holds anything from a gain to a loss says that it could not be measured.

use crate::probability::Student;
use crate::statistics::spread::blocks::FEWEST_UNITS;
use crate::statistics::spread::distribution::median;
use crate::statistics::spread::interval::Independent;
use crate::statistics::{Interval, IterationSummary};
use onnxray_format::IterationKind;
use std::f64::consts::LN_2;

/// By how much the latencies of a recording are too high.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecordingOverhead {
    /// Typical ratio of an instrumented to an unprofiled iteration, minus one: 0.01 is one
    /// percent.
    pub share: f64,
    /// 95 % interval of it; `None` with too few pairs.
    pub interval: Option<Interval>,
    /// Instrumented iterations with an unprofiled one beside them.
    pub pairs: usize,
    /// Launches that have pairs, or rounds of those that ran side by side.
    pub launches: usize,
    /// True if `launches` counts rounds of instances.
    pub of_rounds: bool,
}

/// Verdict by the interval (docs/statistics.md#profiling-overhead).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordingCost {
    /// At most 5 %, up or down.
    Small,
    /// More than 5 %.
    Large,
    /// Above 0, and it may be more than 5 % or less.
    Unclear,
    /// Instrumented iterations are faster than unprofiled ones: something else differs.
    Implausible,
    /// It may be nothing, and more than 5 %; or unprofiled iterations are slower, by more than
    /// 5 % or by less.
    NotMeasurable,
}

/// Above it, times are called too long (docs/statistics.md#profiling-overhead).
const MOST: f64 = 0.05;
const CONFIDENCE: f64 = 0.95;

impl RecordingOverhead {
    /// `None` without unprofiled iterations.
    pub(in crate::statistics) fn of(
        iterations: &[IterationSummary],
        independent: Independent,
    ) -> Option<RecordingOverhead> {
        let launches: Vec<&[IterationSummary]> =
            iterations.chunk_by(|a, b| a.position == b.position).collect();
        let of_round = |launches: &[&[IterationSummary]]| -> Vec<f64> {
            launches.iter().flat_map(|launch| log_ratios(launch)).collect()
        };
        let rounds = independent.rounds(&launches, |launch| launch[0].launch);
        let units: Vec<Vec<f64>> =
            rounds.into_iter().map(of_round).filter(|unit| !unit.is_empty()).collect();
        let overhead = RecordingOverhead::of_launches(&units)?;
        let of_rounds = matches!(independent, Independent::Rounds(_));
        Some(RecordingOverhead { of_rounds, ..overhead })
    }

    /// `launches` has the logarithms of the ratios of each launch or round.
    fn of_launches(launches: &[Vec<f64>]) -> Option<RecordingOverhead> {
        // The spread of launches is in the interval if there are three; that of pairs holds for
        // these launches alone.
        let (center, ends) = if launches.len() >= FEWEST_UNITS {
            over_launches(launches)?
        } else {
            over_pairs(launches.concat())?
        };
        let share = |log: f64| log.exp_m1();
        Some(RecordingOverhead {
            share: share(center),
            interval: ends.map(|(low, high)| Interval { low: share(low), high: share(high) }),
            pairs: launches.iter().map(Vec::len).sum(),
            launches: launches.len(),
            of_rounds: false,
        })
    }

    /// Verdict by the interval.
    pub fn cost(&self) -> RecordingCost {
        let Some(Interval { low, high }) = self.interval else {
            return RecordingCost::NotMeasurable;
        };
        // `Small` comes before `Unclear`: 1 to 4 % is above 0, and small.
        if low > MOST {
            RecordingCost::Large
        } else if high < -MOST {
            RecordingCost::Implausible
        } else if low >= -MOST && high <= MOST {
            RecordingCost::Small
        } else if low > 0.0 {
            RecordingCost::Unclear
        } else {
            RecordingCost::NotMeasurable
        }
    }

    /// True if all of the interval is above 5 %.
    pub fn is_costly(&self) -> bool {
        self.cost() == RecordingCost::Large
    }

    /// The share, if it could be measured.
    pub fn measured(&self) -> Option<f64> {
        (self.cost() != RecordingCost::NotMeasurable).then_some(self.share)
    }

    fn units(&self) -> String {
        match self.of_rounds {
            true => format!("{} rounds of instances", self.launches),
            false => format!("{} launches", self.launches),
        }
    }

    /// In words: the share, its interval, and what that was taken over.
    pub fn text(&self) -> String {
        let percent = |share: f64| share * 100.0;
        let pairs = match (self.pairs, self.launches) {
            (1, _) => "1 pair of iterations".to_string(),
            (pairs, 1) => format!("{pairs} pairs of iterations"),
            (pairs, _) => format!("{pairs} pairs of iterations in {}", self.units()),
        };
        let Some(Interval { low, high }) = self.interval else {
            return format!("not measurable: only {pairs}, profiled and unprofiled");
        };
        let over = match self.launches {
            launches if launches >= FEWEST_UNITS => self.units(),
            _ => pairs,
        };
        let ends = format!("{:+.1} to {:+.1} %", percent(low), percent(high));
        match self.measured() {
            Some(share) => format!("{:+.1} % ({ends}, {over})", percent(share)),
            None => format!("not measurable ({ends}, {over})"),
        }
    }
}

/// The unprofiled iterations of a launch take turns with the first of its measured ones: those
/// of the same place are compared, so that drift of the machine does not count.
fn log_ratios(launch: &[IterationSummary]) -> Vec<f64> {
    let of_kind = |kind: IterationKind| {
        launch.iter().filter(move |iteration| iteration.kind == kind).map(|i| i.latency.0)
    };
    let pairs = of_kind(IterationKind::Measured).zip(of_kind(IterationKind::Unprofiled));
    // A coarse clock may measure 0, which has no ratio.
    let known = pairs.filter(|&(recorded, unprofiled)| recorded > 0 && unprofiled > 0);
    known.map(|(recorded, unprofiled)| (recorded as f64 / unprofiled as f64).ln()).collect()
}

type Estimate = (f64, Option<(f64, f64)>);

/// Student's t over the medians of launches.
fn over_launches(launches: &[Vec<f64>]) -> Option<Estimate> {
    let medians: Vec<f64> = launches.iter().map(|ratios| median(ratios)).collect::<Option<_>>()?;
    let Student { mean, half_width, .. } = Student::of(&medians, CONFIDENCE, 1.0)?;
    Some((mean, Some((mean - half_width, mean + half_width))))
}

/// The median of all pairs, and the two of them, as far from the ends, between which it
/// lies: whatever the noise is like, preempted iterations included.
fn over_pairs(mut ratios: Vec<f64>) -> Option<Estimate> {
    let center = median(&ratios)?;
    ratios.sort_by(f64::total_cmp);
    let ends =
        rank_of_median(ratios.len()).map(|rank| (ratios[rank], ratios[ratios.len() - 1 - rank]));
    Some((center, ends))
}

/// How many of `count` values lie beyond each end of a 95 % interval of their median:
/// the most for which 2 P(B ≤ rank) is at most 5 %, B of a fair coin. `None` below 6.
pub(in crate::statistics) fn rank_of_median(count: usize) -> Option<usize> {
    // In logarithms, since 2 to the power of some thousand is beyond all floats.
    let mut log_term = -(count as f64) * LN_2;
    let mut below = 0.0;
    let mut found = None;
    for rank in 0..count / 2 {
        below += log_term.exp();
        if 2.0 * below > 1.0 - CONFIDENCE {
            break;
        }
        found = Some(rank);
        // The next term of the binomial distribution from this one: C(n, k + 1) / C(n, k).
        log_term += ((count - rank) as f64 / (rank + 1) as f64).ln();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::spread::simulated_noise::Noise;

    /// `scipy.stats.binom.ppf`: with 2 P(B ≤ k) ≤ 0.05.
    #[test]
    fn ranks_are_those_of_the_sign_test() {
        let expected = [(5, None), (6, Some(0)), (9, Some(1)), (20, Some(5)), (100, Some(39))];
        for (count, rank_of) in expected {
            assert_eq!(rank_of_median(count), rank_of, "{count}");
        }
        assert_eq!(rank_of_median(1_000_000).map(|rank| rank / 100), Some(4_990));
    }

    #[test]
    fn noise_is_not_measurable_whatever_its_median_is() {
        let of = |ratios: &[f64]| {
            let logs = ratios.iter().map(|ratio| ratio.ln()).collect();
            RecordingOverhead::of_launches(&[logs]).unwrap()
        };
        let fast = of(&[0.45, 0.5, 0.57, 0.58, 0.7, 1.3]);
        assert!((fast.share + 0.425).abs() < 0.01, "{fast:?}");
        assert_eq!(fast.cost(), RecordingCost::NotMeasurable);
        assert_eq!(fast.measured(), None);
        assert_eq!(fast.text(), "not measurable (-55.0 to +30.0 %, 6 pairs of iterations)");
        assert_eq!(of(&[1.131; 5]).cost(), RecordingCost::NotMeasurable);
        assert_eq!(
            of(&[1.131; 5]).text(),
            "not measurable: only 5 pairs of iterations, profiled and unprofiled"
        );
        assert_eq!(of(&[1.131; 6]).cost(), RecordingCost::Large);
        assert_eq!(of(&[1.01; 6]).cost(), RecordingCost::Small);
        assert_eq!(of(&[0.99; 6]).cost(), RecordingCost::Small);
        assert_eq!(of(&[0.9; 6]).cost(), RecordingCost::Implausible);
        assert_eq!(of(&[1.02, 1.03, 1.04, 1.04, 1.05, 1.08]).cost(), RecordingCost::Unclear);
        // Recording makes nothing faster, so a gain of 1 to 9 % is of something else.
        let gain = of(&[0.91, 0.94, 0.95, 0.96, 0.97, 0.99]);
        assert_eq!(gain.cost(), RecordingCost::NotMeasurable);
        assert_eq!(gain.text(), "not measurable (-9.0 to -1.0 %, 6 pairs of iterations)");
        assert_eq!(RecordingOverhead::of_launches(&[]), None);
    }

    #[test]
    fn launches_are_the_unit_where_there_are_enough() {
        let launches = [1.01f64, 1.02, 1.03].map(|ratio| vec![ratio.ln(); 4]);
        let found = RecordingOverhead::of_launches(&launches).unwrap();
        assert_eq!((found.pairs, found.launches), (12, 3));
        assert_eq!(found.text(), "+2.0 % (-0.5 to +4.5 %, 3 launches)");
    }

    /// Recording costs 2 %. Iterations are noisy and resemble the one before, one in
    /// twenty is preempted, and launches differ in what recording costs them.
    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        const TRUTH: f64 = 0.02;
        const RUNS: usize = 4_000;
        for (launches, pairs) in [(1, 6), (1, 20), (2, 20), (3, 20), (5, 10), (10, 20)] {
            let mut noise = Noise::new(launches as u64 * 1000 + pairs as u64);
            // Between launches nothing is known of one.
            let of_launch = if launches < FEWEST_UNITS { 0.0 } else { 0.01 };
            let mut held = 0;
            for _ in 0..RUNS {
                let made: Vec<Vec<f64>> = (0..launches)
                    .map(|_| {
                        let shift = TRUTH.ln_1p() + of_launch * noise.normal();
                        let mut iterations = noise.iterations(2 * pairs, 0.03).into_iter();
                        let mut next = || iterations.next().unwrap_or_default();
                        (0..pairs).map(|_| shift + next() - next()).collect()
                    })
                    .collect();
                let found = RecordingOverhead::of_launches(&made).unwrap().interval.unwrap();
                held += usize::from(found.low <= TRUTH && TRUTH <= found.high);
            }
            let coverage = held as f64 / RUNS as f64;
            println!("{launches} launches of {pairs} pairs: {coverage}");
            assert!((0.94..0.985).contains(&coverage), "{launches} x {pairs}: {coverage}");
        }
    }
}

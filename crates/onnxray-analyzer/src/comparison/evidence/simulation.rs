//! Do intervals cover the truth, and are verdicts right as often as they say? Held
//! against simulated recordings, of which the truth is known.

use super::paired_test::smallest_paired_p;
use super::u_test::smallest_p;
use super::{
    Band, IntervalMethod, RatioEstimate, Resamples, Sample, UTest, Verdict, estimate,
    launches_needed, location, paired_test, verdict,
};
use crate::probability::Generator;
use std::f64::consts::TAU;

/// The first side's location.
const TYPICAL: f64 = 100.0;
const BLOCKS: usize = 4;
/// Of 399, the 10th from each end is an end of the 95 % interval.
const REPLICATES: usize = 399;
const BAND: Band = Band { share: 0.03, ticks: 0.0 };
const ALPHA: f64 = 0.05;

/// How blocks of one launch scatter.
#[derive(Clone, Copy, Debug)]
enum Noise {
    Normal,
    /// Skewed, and one block in ten takes twice as long.
    Spikes,
}

impl Noise {
    const SPIKE: f64 = 0.1;

    /// A factor with a mean of 1.
    fn draw(self, random: &mut Generator) -> f64 {
        match self {
            Noise::Normal => 1.0 + 0.05 * normal(random),
            Noise::Spikes => {
                let spike = if uniform(random) < Noise::SPIKE { 2.0 } else { 1.0 };
                lognormal(0.1, random) * spike / (1.0 + Noise::SPIKE)
            }
        }
    }
}

pub(super) fn uniform(random: &mut Generator) -> f64 {
    (random.bits() >> 11) as f64 / (1u64 << 53) as f64
}

/// The method of Box and Muller.
pub(super) fn normal(random: &mut Generator) -> f64 {
    let radius = (-2.0 * (1.0 - uniform(random)).ln()).sqrt();
    radius * (TAU * uniform(random)).cos()
}

/// With a mean of 1.
fn lognormal(spread: f64, random: &mut Generator) -> f64 {
    (spread * normal(random) - spread * spread / 2.0).exp()
}

/// What is simulated.
#[derive(Clone, Copy, Debug)]
struct Setting {
    launches: usize,
    paired: bool,
    noise: Noise,
    /// How launches scatter: the deviation of their logarithms.
    launch_spread: f64,
    /// What pairs have in common, in the same way.
    pair_spread: f64,
    /// The truth.
    ratio: f64,
}

/// A comparison's resamples, which all groups share.
struct Comparison {
    setting: Setting,
    blocks: Vec<usize>,
    resamples: (Resamples, Resamples),
    test: UTest,
}

/// What came out for a group.
struct Outcome {
    estimate: RatioEstimate,
    location_a: f64,
    p: f64,
}

impl Outcome {
    fn verdict(&self) -> Verdict {
        verdict(&self.estimate, self.location_a, self.p, ALPHA, BAND)
    }
}

impl Comparison {
    fn new(setting: Setting) -> Comparison {
        let blocks = vec![BLOCKS; setting.launches];
        let resamples = if setting.paired {
            Resamples::paired(&blocks, &blocks, REPLICATES, 1)
        } else {
            let of = |seed| Resamples::new(&blocks, REPLICATES, seed);
            (of(1), of(2))
        };
        Comparison { setting, blocks, resamples, test: UTest::default() }
    }

    fn simulate(&mut self, random: &mut Generator) -> Outcome {
        let Setting { launches, paired, noise, launch_spread, pair_spread, ratio } = self.setting;
        let pairs: Vec<f64> = (0..launches).map(|_| lognormal(pair_spread, random)).collect();
        let mut values = |typical: f64| -> Vec<f64> {
            let launch = |pair: &f64| {
                let launch = typical * pair * lognormal(launch_spread, random);
                [(); BLOCKS].map(|()| launch * noise.draw(random))
            };
            pairs.iter().flat_map(launch).collect()
        };
        let (a, b) = (values(TYPICAL), values(TYPICAL * ratio));
        let (mut of_a, mut of_b) = (Vec::new(), Vec::new());
        self.resamples.0.locations(&a, &mut of_a);
        self.resamples.1.locations(&b, &mut of_b);
        let side = |values, replicates| Sample { values, blocks: &self.blocks, replicates };
        let method = IntervalMethod { confidence: 0.95, paired, widen: 1.0 };
        let estimate = estimate(side(&a, &of_a), side(&b, &of_b), method).unwrap();
        let launch_values = |values| super::launch_values(values, &self.blocks);
        let (launches_a, launches_b) = (launch_values(&a), launch_values(&b));
        let p = if paired {
            let differences = launches_a.iter().zip(&launches_b).map(|(a, b)| b - a);
            paired_test(&differences.collect::<Vec<_>>())
        } else {
            self.test.p(&launches_a, &launches_b)
        };
        Outcome { estimate, location_a: location(&a, &self.blocks), p: p.unwrap() }
    }
}

/// Few and many launches, on their own and in pairs, whose noise is of both kinds.
fn settings(ratio: f64, launch_spread: f64) -> impl Iterator<Item = Setting> {
    [3, 5, 10].into_iter().flat_map(move |launches| {
        [Noise::Normal, Noise::Spikes].into_iter().flat_map(move |noise| {
            [(false, 0.0), (true, 0.0), (true, 0.2)].map(|(paired, pair_spread)| Setting {
                launches,
                paired,
                noise,
                launch_spread,
                pair_spread,
                ratio,
            })
        })
    })
}

#[test]
fn intervals_cover_the_truth() {
    let simulations = 2000;
    for setting in settings(1.1, 0.05) {
        let mut comparison = Comparison::new(setting);
        let mut random = Generator::new(11);
        let (mut of_ratio, mut of_difference) = (0, 0);
        for _ in 0..simulations {
            let found = comparison.simulate(&mut random).estimate;
            let ends = found.ratio_low.unwrap()..=found.ratio_high.unwrap();
            of_ratio += u32::from(ends.contains(&1.1));
            let ends = found.difference_low..=found.difference_high;
            of_difference += u32::from(ends.contains(&(0.1 * TYPICAL)));
        }
        let share = |covered: u32| f64::from(covered) / f64::from(simulations);
        println!("{setting:?}: ratio {}, difference {}", share(of_ratio), share(of_difference));
        assert!(share(of_ratio) >= 0.93, "{setting:?}: ratio {}", share(of_ratio));
        assert!(share(of_difference) >= 0.93, "{setting:?}: {}", share(of_difference));
    }
}

/// Launches that scatter by a fifth, of the same thing.
#[test]
fn nothing_is_found_where_nothing_differs() {
    let simulations = 2000;
    // Three standard deviations above what is allowed.
    let most = 0.05 + 3.0 * (0.05f64 * 0.95 / f64::from(simulations)).sqrt();
    for setting in settings(1.0, 0.2) {
        let mut comparison = Comparison::new(setting);
        let mut random = Generator::new(12);
        let wrong = (0..simulations).filter(|_| {
            let found = comparison.simulate(&mut random).verdict();
            matches!(found, Verdict::Faster | Verdict::Slower)
        });
        let rate = wrong.count() as f64 / f64::from(simulations);
        println!("{setting:?}: {rate}");
        assert!(rate <= most, "{setting:?}: {rate}");
    }
}

/// Comparisons that could not tell are made again with as many launches as they
/// asked for. At least about half come to a verdict, if the estimate lay on the
/// side of the band's edge on which the truth lies. If it lay outside by chance,
/// the number is for a difference that does not exist, and few do.
#[test]
fn as_many_launches_as_needed_settle_it() {
    for (ratio, paired, launches, launch_spread) in [
        (1.0, false, 3, 0.05),
        (1.0, true, 5, 0.05),
        (1.0, false, 5, 0.02),
        (1.0, true, 5, 0.02),
        (1.01, false, 5, 0.02),
        (1.1, false, 3, 0.05),
        (1.1, false, 5, 0.05),
        (1.1, true, 3, 0.05),
        (1.1, true, 5, 0.05),
        (0.93, false, 5, 0.05),
    ] {
        let (noise, pair_spread) = (Noise::Normal, 0.0);
        let setting = Setting { launches, paired, noise, launch_spread, pair_spread, ratio };
        let outside = (ratio - 1.0).abs() > BAND.share;
        let mut comparison = Comparison::new(setting);
        let mut random = Generator::new(13);
        // Asked for and settled, on the truth's side and on the other.
        let (mut asked, mut settled) = ([0, 0], [0, 0]);
        for _ in 0..200 {
            let found = comparison.simulate(&mut random);
            let (estimate, location_a) = (&found.estimate, found.location_a);
            let smallest = |n| if paired { smallest_paired_p(n) } else { smallest_p(n, n) };
            let needed = launches_needed(estimate, location_a, launches, smallest, ALPHA, BAND);
            // More would make the simulation slow; few ask for them.
            let needed = needed.filter(|&needed| needed <= 300);
            if let (Some(needed), Verdict::Inconclusive) = (needed, found.verdict()) {
                let again = Setting { launches: needed as usize, ..setting };
                let verdict = Comparison::new(again).simulate(&mut random).verdict();
                let seen_outside = estimate.difference.abs() > BAND.half_width(location_a);
                let side = usize::from(seen_outside != outside);
                asked[side] += 1;
                settled[side] += u32::from(verdict != Verdict::Inconclusive);
            }
        }
        println!("{setting:?}: settled {settled:?} of {asked:?} (truth's side, other side)");
        let share = f64::from(settled[0]) / f64::from(asked[0]);
        // Three standard deviations below a half.
        let least = 0.5 - 3.0 * (0.25 / f64::from(asked[0])).sqrt();
        assert!(asked[0] >= 50 && share >= least, "{setting:?}: {share} of {asked:?}");
    }
}

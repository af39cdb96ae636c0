//! How often a word is wrong, looked for after every launch, on launches whose truth is known.

use super::judge::{JudgeOptions, Word, judge};
use super::sequence::Sequence;
use crate::probability::Generator;
use onnxray_format::{JudgeRun, JudgeTrial, Judged, MixQuality, Objective, Stage, Trial, Variant};

const OPTIONS: JudgeOptions =
    JudgeOptions { objective: Objective::Latency, threshold: 0.01, max_loss: 0.01 };
/// Launches of about a second in a minute.
const MOST: usize = 60;

fn run() -> JudgeRun {
    JudgeRun { has_control: true, ..JudgeRun::default() }
}

fn trial(number: usize, logarithms: [f64; 2]) -> JudgeTrial {
    let variant = |side: Judged, logarithm: f64| Variant {
        changes: vec![side],
        ratio: Some(logarithm.exp()),
        costs: None,
        quality: MixQuality { loss: Some(0.0), ..MixQuality::default() },
        failed: None,
    };
    let [candidate, control] = logarithms;
    Trial {
        stage: Stage::Single,
        number: number as u32,
        base_ns: Some(1e6),
        rounds: 20,
        other_cores: None,
        variants: vec![variant(Judged::Candidate, candidate), variant(Judged::Control, control)],
    }
}

/// The word that ends it, and the launches it took.
fn judged(mut launch: impl FnMut() -> [f64; 2]) -> (Word, usize) {
    let (run, mut trials) = (run(), Vec::new());
    loop {
        trials.push(trial(trials.len(), launch()));
        let found = judge(&run, &trials.iter().collect::<Vec<_>>(), OPTIONS);
        if found.is_decided() || trials.len() == MOST {
            return (found.word, trials.len());
        }
    }
}

/// What launches differ by, at a standard deviation of 1.
type Shape = (&'static str, fn(&mut Generator) -> f64);

const SHAPES: [Shape; 4] = [
    ("normal", Generator::normal),
    // Student's t of 5 degrees.
    ("heavy tails", |random| {
        let chi: f64 = (0..5).map(|_| random.normal().powi(2)).sum();
        random.normal() / (chi / 3.0).sqrt()
    }),
    ("one in ten slow", |random| {
        let slow = if random.below(10) == 0 { 9.0 } else { -1.0 };
        (slow + 0.5 * random.normal()) / 9.25f64.sqrt()
    }),
    ("two levels", |random| {
        let level = if random.below(2) == 0 { 1.0 } else { -1.0 };
        (level + 0.3 * random.normal()) / 1.09f64.sqrt()
    }),
];

#[test]
fn looking_after_every_launch_does_not_inflate_errors() {
    const RUNS: usize = 10_000;
    // The others say by five launches alike what is not their mean: words are held below.
    for (name, shape) in &SHAPES[..2] {
        let mut random = Generator::new(1);
        let mut missed = 0;
        for _ in 0..RUNS {
            let values: Vec<f64> = (0..MOST).map(|_| shape(&mut random)).collect();
            let leaves_truth_out = |launches: usize| {
                let [low, high] = Sequence::of(&values[..launches]).unwrap().ends();
                low > 0.0 || high < 0.0
            };
            missed += usize::from((5..=MOST).any(leaves_truth_out));
        }
        let rate = missed as f64 / RUNS as f64;
        println!("{name}: {rate}");
        assert!(rate <= 0.05, "{name}: {rate}");
    }
}

#[test]
fn words_are_right() {
    const RUNS: usize = 400;
    for (name, shape) in SHAPES {
        for (spread, planted) in
            [(0.005, 0.0), (0.02, 0.0), (0.005, 0.02), (0.01, 0.02), (0.01, 0.05), (0.02, -0.05)]
        {
            let mut random = Generator::new(7);
            let mut of = |planted: f64| planted + spread * shape(&mut random);
            let ended: Vec<(Word, usize)> =
                (0..RUNS).map(|_| judged(|| [of(planted), of(0.0)])).collect();
            let share = |wanted: Word| {
                ended.iter().filter(|(word, _)| *word == wanted).count() as f64 / RUNS as f64
            };
            let launches = ended.iter().map(|(_, launches)| launches).sum::<usize>() / RUNS;
            let right = match planted {
                0.0 => Word::Same,
                planted if planted > 0.0 => Word::Slower,
                _ => Word::Faster,
            };
            let [right, open] = [right, Word::Inconclusive].map(share);
            println!(
                "{name}, {spread}, {planted}: right {right}, open {open}, {launches} launches"
            );
            assert!(1.0 - right - open <= 0.05, "{name} {spread} {planted}: {ended:?}");
        }
    }
}

/// The machine moves one of two equal sides by 6 %.
#[test]
fn a_control_that_differs_is_said() {
    let mut random = Generator::new(3);
    let (word, launches) =
        judged(|| [0.03 + 0.005 * random.normal(), 0.06 + 0.005 * random.normal()]);
    assert_eq!(word, Word::Harness, "{launches}");
}

#[test]
fn other_outputs_end_it_at_once() {
    let mut one = trial(0, [0.0, 0.0]);
    one.variants[0].quality =
        MixQuality { loss: Some(0.31), output: Some("y".to_string()), ..MixQuality::default() };
    let found = judge(&run(), &[&one], OPTIONS);
    assert_eq!((found.word, found.output.as_deref()), (Word::Different, Some("y")));
    one.variants[0].quality.loss = Some(f64::INFINITY);
    assert_eq!(judge(&run(), &[&one], OPTIONS).word, Word::Different);
}
